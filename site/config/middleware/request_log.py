"""An id and a log line for each request."""

import re
import time
import uuid

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.middleware import GetResponse

log = structlog.get_logger("shop.request")

REQUEST_ID = "X-Request-ID"
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# Health checks every few seconds would fill the log.
_UNLOGGED = {"/livez", "/readyz"}


def request_log(get_response: GetResponse) -> GetResponse:
    """Give each request an id, the sent one if it is valid, and log its outcome (docs/wire.md#headers)."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(REQUEST_ID, "")
        request_id = given if _SANE_ID.fullmatch(given) else uuid.uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.perf_counter()
        response = get_response(request)
        response[REQUEST_ID] = request_id
        if request.path_info not in _UNLOGGED:
            log.info(
                "request",
                method=request.method,
                # Without the query, which may have a customer's input.
                path=request.path_info,
                status=response.status_code,
                ms=round((time.perf_counter() - started) * 1000, 1),
                customer=getattr(getattr(request, "auth", None), "pk", None),
            )
        return response

    return middleware
