"""Calls RoyalPay with a signature, and limits the time and size of answers (docs/royalpay.md#calls)."""

import json
import logging
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from time import monotonic
from typing import Any, NoReturn
from urllib.parse import quote

import httpx
from django.conf import settings
from pybreaker import CircuitBreakerError

from commerce.payments.providers.base import AnsweredError, UnavailableError
from commerce.payments.providers.royalpay.signing import signed_now
from core.gateways import gateway, open_http, read_body
from core.money import CENT

log = logging.getLogger(__name__)

TIMEOUT = httpx.Timeout(4.0, connect=2.0)
# The maximum seconds of a whole call with all its tries: a poll, and a call that changes something.
QUESTION_SECONDS, WORK_SECONDS = 4, 6
# The maximum seconds for a list, which no customer waits for.
LIST_SECONDS = 10
# An answer may contain the picture of a QR code.
MAX_BYTES = 256 * 1024
# The list of a day has one page; a row has about half a kilobyte.
MAX_LIST_BYTES = 8 * 1024 * 1024
# These errors do not concern the payment: an outage at RoyalPay, the shop's clock or account.
_PASSING = frozenset({"SYSTEMERROR", "SIGN_TIMEOUT", "INVALID_SIGN", "INVALID_SHORT_ID"})
_ERRORS = _PASSING | {
    "PARAM_INVALID",
    "NOT_PERMITTED",
    "INVALID_CHANNEL",
    "ORDER_NOT_EXIST",
    "ORDER_MISMATCH",
    "ORDER_PAID",
}
# The largest amount of a payment has twelve digits, in cents.
MAX_DIGITS = 12
_CODE = re.compile(r"[A-Z][A-Z_]{2,39}")
# No answer arrived. A retry is safe, since every call can be repeated.
_UNANSWERED = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.ReadError,
    httpx.WriteError,
    httpx.RemoteProtocolError,
)


class RefusedError(Exception):
    """Raised with RoyalPay's error code if a repeated request would get the same error."""


class Deadline:
    """The time limit of one call of the shop, for all its requests together."""

    def __init__(self, seconds: int) -> None:
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Return the remaining seconds; raises UnavailableError if there are none."""
        seconds = self._end - monotonic()
        if seconds <= 0:
            raise UnavailableError("no time is left")
        return seconds


def path_of(template: str, **parts: str) -> str:
    """Return the path of a call or page, with the partner and each part filled into the template."""
    named = {"partner": settings.ROYALPAY_PARTNER_CODE, **parts}
    return template.format(**{name: quote(part, safe="") for name, part in named.items()})


def address_of(path: str) -> str:
    """Return the URL of a path."""
    return f"{settings.ROYALPAY_URL.rstrip('/')}/{path}"


def ask(
    method: str,
    path: str,
    *,
    deadline: Deadline,
    body: Mapping[str, Any] | None = None,
    query: Mapping[str, str] | None = None,
    max_bytes: int = MAX_BYTES,
) -> dict[str, Any]:
    """Call RoyalPay and return its answer, whose numbers are int and Decimal.

    `query`: parameters besides those of the signature. Raises RefusedError; raises UnavailableError if the
    outcome is unknown.
    """
    # The circuit breaker of the caller's slot counts failures; this gateway only limits the time.
    bounded = gateway("calls of royalpay", (Exception,))
    try:
        request = partial(_request, method, path, body, query or {}, max_bytes)
        status, answer = bounded.call(partial(_try_twice, request), seconds=deadline.left())
    except (TimeoutError, CircuitBreakerError):
        # Neither a URL nor a signature may be in a trace.
        raise UnavailableError("the answer takes too long") from None
    return _read(status, answer)


def _try_twice(request: Callable[[], tuple[int, bytes]]) -> tuple[int, bytes]:
    try:
        return request()
    except _UNANSWERED:
        pass
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        _give_up(error)
    try:
        return request()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        _give_up(error)


def _give_up(error: Exception) -> NoReturn:
    raise UnavailableError(type(error).__name__) from None


def _request(
    method: str, path: str, body: Mapping[str, Any] | None, query: Mapping[str, str], max_bytes: int
) -> tuple[int, bytes]:
    with (
        open_http(TIMEOUT, Accept="application/json") as client,
        client.stream(method, address_of(path), params={**query, **signed_now()}, json=body) as response,
    ):
        return response.status_code, read_body(response, max_bytes=max_bytes, failure=UnavailableError)


def _read(status: int, body: bytes) -> dict[str, Any]:
    # The HTTP status of a refusal is not documented, so client errors are read like successes.
    if not (httpx.codes.is_success(status) or httpx.codes.is_client_error(status)):
        raise UnavailableError(f"status {status}")
    try:
        answer = read_object(body)
    except ValueError:
        text = "it is no answer of theirs"
        raise (
            AnsweredError(text) if httpx.codes.is_client_error(status) else UnavailableError(text)
        ) from None
    code, result = (str(answer.get(name, "")) for name in ("return_code", "result_code"))
    error = result if result in _ERRORS else code
    if error == "SUCCESS":
        return answer
    if error in _PASSING:
        log.error("royalpay answers %s", error)
        raise UnavailableError(error) if error == "SYSTEMERROR" else AnsweredError(error)
    if not _CODE.fullmatch(error):
        raise UnavailableError("it is no answer of theirs")
    raise RefusedError(error)


def read_object(body: bytes) -> dict[str, Any]:
    """Read untrusted JSON that must be an object, without floats; raises ValueError."""
    try:
        value = json.loads(body, parse_float=Decimal, parse_constant=_refuse)
    except (RecursionError, ArithmeticError) as error:
        raise ValueError("unreadable") from error
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def amount_of(cents: Any) -> Decimal:
    """Convert whole cents to dollars; raises UnavailableError for any other value."""
    text = str(cents)
    if isinstance(cents, bool) or not (text.isascii() and text.isdigit()) or len(text) > MAX_DIGITS:
        raise AnsweredError("no amount")
    return int(text) * CENT


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
