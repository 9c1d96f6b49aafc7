"""GeeTest v4, a third-party captcha: GeeTest's server confirms that a visitor has solved it.

Its answers are not trusted: the settings fix its address, redirects are not followed, and time and size are
limited. After a failure, visitors get the embedded captcha (docs/guarantees/customers.md#captchas).
"""

import hmac
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from threading import BoundedSemaphore

import httpx
from django.conf import settings
from pybreaker import CircuitBreakerError

from core.gateways import gateway, open_http, read_body

log = logging.getLogger(__name__)

PROVIDER = "geetest"
TIMEOUT = httpx.Timeout(4.0, connect=2.0)
# The time limit for a complete answer.
MAX_SECONDS = 5
MAX_BYTES = 64 * 1024
# Long enough for one quick call to free a slot.
SLOT_TIMEOUT_SECONDS = 0.25

_slots = BoundedSemaphore(settings.GATEWAY_SLOTS)


class UnavailableError(Exception):
    """Raised when GeeTest gives no usable answer."""


@dataclass(frozen=True)
class Solved:
    """The values that GeeTest gives to a browser after a solved captcha."""

    lot_number: str
    captcha_output: str
    pass_token: str
    gen_time: str


def is_configured() -> bool:
    """Return True if the settings contain the shop's GeeTest id and key."""
    return bool(settings.GEETEST_CAPTCHA_ID and settings.GEETEST_CAPTCHA_KEY)


def is_asked_for() -> bool:
    """Return True if visitors get GeeTest's captcha: it is configured and its circuit breaker is closed."""
    return is_configured() and not gateway(PROVIDER).is_open


def sign(lot_number: str, *, key: str) -> str:
    """Return the signature of a validation request: HMAC-SHA256 of the lot number, in hex."""
    return hmac.digest(key.encode(), lot_number.encode(), "sha256").hex()


def is_right(solved: Solved) -> bool:
    """Return True if GeeTest confirms these values, within MAX_SECONDS; raises UnavailableError."""
    try:
        with _slot():
            result = gateway(PROVIDER).call(partial(_ask, solved), seconds=MAX_SECONDS)
    except (TimeoutError, CircuitBreakerError) as error:
        raise UnavailableError(str(error) or "the answer takes too long") from error
    if result not in {"success", "fail"}:
        # GeeTest works, but rejects these values. Visitors can cause this, so the breaker does not count it.
        raise UnavailableError(result)
    return result == "success"


@contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(timeout=SLOT_TIMEOUT_SECONDS):
        raise UnavailableError("every slot is taken")
    try:
        yield
    finally:
        _slots.release()


def _ask(solved: Solved) -> str:
    form = asdict(solved) | {"sign_token": sign(solved.lot_number, key=settings.GEETEST_CAPTCHA_KEY)}
    try:
        with (
            open_http(TIMEOUT) as client,
            client.stream(
                "POST",
                settings.GEETEST_VALIDATE_URL,
                params={"captcha_id": settings.GEETEST_CAPTCHA_ID},
                data=form,
            ) as response,
        ):
            if response.status_code != httpx.codes.OK:
                raise UnavailableError(f"status {response.status_code}")
            body = read_body(response, max_bytes=MAX_BYTES, failure=UnavailableError)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise UnavailableError(type(error).__name__) from error
    return _result(body)


def _result(body: bytes) -> str:
    """Return the result in an answer: success, fail, or the code of an error in the request."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise UnavailableError("it is no JSON") from error
    match answer:
        case {"status": "success", "result": "success" | "fail" as result}:
            return str(result)
        case {"status": "error", "code": str() | int() as code}:
            log.warning("geetest refuses a question: %s", str(code)[:20])
            return f"error {str(code)[:20]}"
    raise UnavailableError("it has no result")
