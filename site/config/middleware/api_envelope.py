"""The envelope for API answers that bypass the API's own handlers."""

import json
from http import HTTPStatus

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase

from config.body_sizes import max_body
from config.middleware import GetResponse
from config.paths import API, UPLOAD
from core.errors import Err
from core.wire import refusal

TOKEN = "token"  # noqa: S105  the name of a header
_OF_STATUS = {
    HTTPStatus.BAD_REQUEST: Err.parameter_error,
    HTTPStatus.NOT_FOUND: Err.not_found,
    HTTPStatus.METHOD_NOT_ALLOWED: Err.method_not_allowed,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Err.body_too_large,
    HTTPStatus.TOO_MANY_REQUESTS: Err.shop_busy,
    HTTPStatus.SERVICE_UNAVAILABLE: Err.shop_unavailable,
}
# Headers of the original answer that its refusal keeps.
_STAY = ("Allow", "Retry-After")


def api_envelope(get_response: GetResponse) -> GetResponse:
    """Answer unknown paths, wrong methods and faults of the API in the envelope.

    Answers to requests with a token must not be cached, since they may contain a customer's data.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(API):
            return get_response(request)
        brings_file = request.path_info == UPLOAD and request.content_type == "multipart/form-data"
        if _body_length(request) > max_body(request.path_info, request.content_type or ""):
            return _refuse(Err.body_too_large)
        if "Transfer-Encoding" in request.headers:
            # The front end replaces it by a length; without one, Django would read the body as empty.
            return _refuse(Err.parameter_error)
        try:
            # Read the body even if no view does; otherwise the server would close the connection.
            _ = request.FILES if brings_file else request.body
        except (UnreadablePostError, MultiPartParserError, SuspiciousOperation):
            return _refuse(Err.parameter_error)
        response = get_response(request)
        if TOKEN in request.headers:
            response.setdefault("Cache-Control", "no-store")
        if response.status_code < HTTPStatus.BAD_REQUEST or _is_json(response):
            return response
        is_fault = response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
        err = _OF_STATUS.get(
            HTTPStatus(response.status_code), Err.server_error if is_fault else Err.parameter_error
        )
        refused = _refuse(err)
        for name in _STAY:
            if name in response:
                refused[name] = response[name]
        return refused

    return middleware


def _body_length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isascii() and length.isdigit() else 0


def _is_json(response: HttpResponseBase) -> bool:
    return response.get("Content-Type", "").startswith("application/json")


def _refuse(err: Err) -> HttpResponse:
    body = json.dumps(refusal(err), ensure_ascii=False).encode()
    response = HttpResponse(body, status=err.status, content_type="application/json; charset=utf-8")
    response["Content-Length"] = str(len(body))
    return response
