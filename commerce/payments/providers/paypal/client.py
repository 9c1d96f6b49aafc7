"""PayPal's client: caches a token until it expires, and limits the size of answers (docs/paypal.md#calls)."""

import json
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

import httpx
from django.conf import settings

from commerce.payments.providers.base import AnsweredError, UnavailableError
from core.gateways import open_http, read_body
from core.wire import read_json

log = logging.getLogger(__name__)

TIMEOUT = httpx.Timeout(4.0, connect=2.0)
MAX_BYTES = 256 * 1024
# A token is renewed this long before it expires.
TOKEN_MARGIN_SECONDS = 60
# The outcome is unknown: PayPal is processing the same request, or has received too many.
_TRANSIENT = frozenset({408, 409, 425, 429})
MAX_LOGGED = 100


class RefusedError(Exception):
    """Raised for a request that PayPal has understood and refused; `issues`: PayPal's codes of the reason."""

    def __init__(self, status: int, issues: frozenset[str]) -> None:
        super().__init__(f"{status} {', '.join(sorted(issues))}")
        self.status, self.issues = status, issues

    @property
    def is_unknown(self) -> bool:
        """Return True if PayPal has no record of the resource."""
        return self.status == httpx.codes.NOT_FOUND and "RESOURCE_NOT_FOUND" in self.issues


@dataclass(frozen=True)
class _Token:
    text: str
    # On the monotonic clock.
    ends: float
    # The URL and client id that it belongs to.
    account: tuple[str, str]


class PayPalClient:
    """The PayPal account of the settings, with the token of this process."""

    def __init__(self) -> None:
        self.token: _Token | None = None

    @contextmanager
    def session(self) -> Iterator["Session"]:
        """Open a connection for a few requests."""
        with open_http(TIMEOUT) as http:
            yield Session(self, http)


class Session:
    """Requests over one connection.

    Each is safe to repeat, so it is sent again if its connection breaks: reading changes nothing, and PayPal
    executes a request id only once. All raise RefusedError, and UnavailableError if the outcome is unknown.
    """

    def __init__(self, client: PayPalClient, http: httpx.Client) -> None:
        self._client, self._http = client, http

    def get(self, path: str) -> dict[str, Any]:
        """Send a GET request."""
        return self._ask("GET", path, {}, b"")

    def post(self, path: str, body: Mapping[str, Any], *, request_id: str) -> dict[str, Any]:
        """Send a POST request, which PayPal executes once for each `request_id`."""
        headers = {
            "Content-Type": "application/json",
            "PayPal-Request-Id": request_id,
            # Returns the whole resource instead of its id alone.
            "Prefer": "return=representation",
        }
        return self._ask("POST", path, headers, json.dumps(body).encode())

    def _ask(self, method: str, path: str, headers: Mapping[str, str], content: bytes) -> dict[str, Any]:
        status, body = self._send(method, path, {**headers, **self._authorisation()}, content)
        if status == httpx.codes.UNAUTHORIZED:
            # The token was revoked before it expired.
            self._client.token = None
            status, body = self._send(method, path, {**headers, **self._authorisation()}, content)
        answer = _object(body)
        if status in (httpx.codes.OK, httpx.codes.CREATED) and answer is not None:
            return answer
        raise _failure(method, path, status, answer)

    def _authorisation(self) -> dict[str, str]:
        token, account = self._client.token, (settings.PAYPAL_URL, settings.PAYPAL_CLIENT_ID)
        if token is None or token.account != account or token.ends <= monotonic():
            token = self._client.token = self._new_token(account)
        return {"Authorization": f"Bearer {token.text}"}

    def _new_token(self, account: tuple[str, str]) -> _Token:
        path = "/v1/oauth2/token"
        login = httpx.BasicAuth(settings.PAYPAL_CLIENT_ID, settings.PAYPAL_SECRET)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        begun = monotonic()
        status, body = self._send("POST", path, form, b"grant_type=client_credentials", login)
        answer = _object(body) or {}
        text, seconds = answer.get("access_token"), answer.get("expires_in")
        if status != httpx.codes.OK or not isinstance(text, str) or not isinstance(seconds, int):
            # Never log the body, which may contain a token.
            log.error("PayPal gives no token: status %s, %s", status, _short(answer.get("error")))
            raise _unusable(status, "PayPal gives no token")
        return _Token(text, begun + seconds - TOKEN_MARGIN_SECONDS, account)

    def _send(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        content: bytes,
        login: httpx.BasicAuth | None = None,
    ) -> tuple[int, bytes]:
        url = f"{settings.PAYPAL_URL}{path}"
        try:
            try:
                return read_answer(self._http, method, url, headers, content, login)
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                return read_answer(self._http, method, url, headers, content, login)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            # The exception's own text might contain a header.
            raise UnavailableError(f"{method} {path}: {type(error).__name__}") from None


def read_answer(
    http: httpx.Client,
    method: str,
    url: str,
    headers: Mapping[str, str],
    content: bytes = b"",
    login: httpx.BasicAuth | None = None,
) -> tuple[int, bytes]:
    """Send a request; return status and body.

    Raises httpx.HTTPError; UnavailableError above MAX_BYTES or MAX_BODY_SECONDS.
    """
    with http.stream(method, url, headers=headers, content=content, auth=login) as response:
        return response.status_code, read_body(response, max_bytes=MAX_BYTES, failure=UnavailableError)


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        answer = read_json(body)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _failure(method: str, path: str, status: int, answer: Mapping[str, Any] | None) -> Exception:
    name = (answer or {}).get("name")
    debug_id = _short((answer or {}).get("debug_id"))
    issues = _issues(answer or {})
    log.warning("PayPal: %s %s: status %s, %s, %s", method, path, status, ", ".join(sorted(issues)), debug_id)
    # Without permission, PayPal has not judged the request itself.
    was_let_in = status not in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)
    if (
        httpx.codes.is_client_error(status)
        and status not in _TRANSIENT
        and was_let_in
        and isinstance(name, str)
    ):
        return RefusedError(status, issues)
    return _unusable(status, f"{method} {path}: status {status}")


def _unusable(status: int, text: str) -> UnavailableError:
    return AnsweredError(text) if httpx.codes.is_client_error(status) else UnavailableError(text)


def _issues(answer: Mapping[str, Any]) -> frozenset[str]:
    details = answer.get("details")
    rows = [row for row in details if isinstance(row, dict)] if isinstance(details, list) else []
    named = [answer.get("name"), *(row.get("issue") for row in rows[:10])]
    return frozenset(_short(each) for each in named if each)


def _short(value: Any) -> str:
    return str(value)[:MAX_LOGGED]
