"""An id and a log line for each request."""

import logging
import re
import time
import uuid

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.logs import FACTS
from config.middleware import GetResponse
from config.paths import LIVENESS, READINESS

log = logging.getLogger("shop.request")

REQUEST_ID = "X-Request-ID"
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# Health checks every few seconds would flood the log.
_UNLOGGED = {LIVENESS, READINESS}


def request_id_of(given: str) -> str:
    """Return a request's id: the given one if it is valid, else a new one."""
    return given if _SANE_ID.fullmatch(given) else uuid.uuid4().hex


def log_outcome(
    *,
    method: str | None,
    path: str,
    status: int,
    milliseconds: float,
    request_id: str,
    customer: int | None = None,
) -> None:
    """Log the outcome of a request; `path` has no query, which may contain a customer's input."""
    if path not in _UNLOGGED:
        facts = {
            "method": method,
            "path": path,
            "status": status,
            "ms": round(milliseconds, 1),
            "customer": customer,
            "request_id": request_id,
        }
        log.info("request", extra={FACTS: facts})


def request_log(get_response: GetResponse) -> GetResponse:
    """Give each request an id, the sent one if it is valid, and log the outcome (docs/wire.md#headers)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request_id = request_id_of(request.headers.get(REQUEST_ID, ""))
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        response = get_response(request)
        response[REQUEST_ID] = request_id
        log_outcome(
            method=request.method,
            path=request.path_info,
            status=response.status_code,
            milliseconds=(time.perf_counter() - started) * 1000,
            request_id=request_id,
            customer=getattr(getattr(request, "auth", None), "pk", None),
        )
        return response

    return middleware
