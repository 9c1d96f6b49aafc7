"""What every request passes: its id and log line, the envelope of failures, the headers of safety."""

import json
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus

import structlog
from csp.constants import HEADER
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

from core.errors import Err
from core.wire import refusal

GetResponse = Callable[[HttpRequest], HttpResponseBase]

log = structlog.get_logger("shop.request")

REQUEST_ID = "X-Request-ID"
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# Asked every few seconds by whoever watches the shop: a line each would bury the others.
_UNLOGGED = {"/livez", "/readyz"}

API = "/api/"
ADMIN = "/admin"
TOKEN = "token"  # noqa: S105  the name of a header
_OF_STATUS = {
    HTTPStatus.BAD_REQUEST: Err.parameter_error,
    HTTPStatus.NOT_FOUND: Err.not_found,
    HTTPStatus.METHOD_NOT_ALLOWED: Err.method_not_allowed,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Err.body_too_large,
}


def request_log(get_response: GetResponse) -> GetResponse:
    """Give each request an id, its own if it is sane, and log how it went (CONTRACT 1)."""

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
                # Without the query, which may hold what a customer typed.
                path=request.path_info,
                status=response.status_code,
                ms=round((time.perf_counter() - started) * 1000, 1),
                customer=getattr(getattr(request, "auth", None), "pk", None),
            )
        return response

    return middleware


def api_envelope(get_response: GetResponse) -> GetResponse:
    """Answer in the envelope what the API's handlers never see: unknown paths, methods, faults.

    What an answer says of a customer is kept by nobody on its way.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(API):
            return get_response(request)
        if _body_length(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return _refuse(Err.body_too_large)
        try:
            # Also where nobody reads it: the server would close the connection on the client's next request.
            _ = request.body
        except UnreadablePostError:
            return _refuse(Err.parameter_error)
        response = get_response(request)
        if TOKEN in request.headers:
            response.setdefault("Cache-Control", "no-store")
        if response.status_code < HTTPStatus.BAD_REQUEST or _is_json(response):
            return response
        err = _OF_STATUS.get(HTTPStatus(response.status_code), Err.server_error)
        refused = _refuse(err)
        if "Allow" in response:
            refused["Allow"] = response["Allow"]
        return refused

    return middleware


def _body_length(request: HttpRequest) -> int:
    told = request.META.get("CONTENT_LENGTH") or "0"
    return int(told) if told.isascii() and told.isdigit() else 0


def _is_json(response: HttpResponseBase) -> bool:
    return response.get("Content-Type", "").startswith("application/json")


def _refuse(err: Err) -> HttpResponse:
    body = json.dumps(refusal(err), ensure_ascii=False).encode()
    response = HttpResponse(body, status=err.status, content_type="application/json; charset=utf-8")
    response["Content-Length"] = str(len(body))
    return response


class CompressText(GZipMiddleware):
    """Compresses pages and the API's answers; static files are compressed before, pictures cannot be."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress an answer that is text and whole."""
        is_text = response.get("Content-Type", "").startswith(("text/html", "application/json"))
        if not is_text or not isinstance(response, HttpResponse):
            return response
        return super().process_response(request, response)


class ContentPolicy(CSPMiddleware):
    """Sends the shop's content security policy, and the back office's own, which Wagtail needs looser."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Set the header; a preview in the back office already bears the one of the page that it shows."""
        if request.path_info.startswith(ADMIN):
            del response[HEADER]
        return super().process_response(request, response)

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the policy for a path."""
        parts = super().get_policy_parts(request, response, report_only)
        if report_only or not request.path_info.startswith(ADMIN):
            return parts
        return PolicyParts(**asdict(parts) | {"config": settings.ADMIN_CONTENT_SECURITY_POLICY["DIRECTIVES"]})


def permissions_policy(get_response: GetResponse) -> GetResponse:
    """Switch off what the shop never asks a browser for."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response

    return middleware
