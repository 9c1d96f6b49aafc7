"""What every request passes: its id and log line, the envelope of failures, the headers of safety."""

import json
import re
import time
import uuid
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import structlog
from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.core.paginator import InvalidPage
from django.db import DataError
from django.db.models import ProtectedError
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language_from_path, gettext

from core.errors import Err
from core.uploads import MOST_BYTES
from core.wire import refusal

GetResponse = Callable[[HttpRequest], HttpResponseBase]

log = structlog.get_logger("shop.request")

REQUEST_ID = "X-Request-ID"
_SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
_REFUSED = re.compile(r"q\s*=\s*0(\.0*)?")
_TEXT = ("text/", "application/json", "application/xml")
# Asked every few seconds by whoever watches the shop: a line each would bury the others.
_UNLOGGED = {"/livez", "/readyz"}

API = "/api/"
UPLOAD = "/api/v1/upload/oss/image"
# The picture itself, and what the form is wrapped in.
MOST_UPLOAD = MOST_BYTES + 64 * 1024
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
        brings_file = request.path_info == UPLOAD and request.content_type == "multipart/form-data"
        most = MOST_UPLOAD if brings_file else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if _body_length(request) > most:
            return _refuse(Err.body_too_large)
        try:
            # Also where nobody reads it: the server would close the connection on the client's next request.
            _ = request.FILES if brings_file else request.body
        except (UnreadablePostError, MultiPartParserError, SuspiciousOperation):
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


@lru_cache(256)
def content_coding(accepted: str) -> str:
    """Return the best content coding a client takes, `br` or `gzip`; empty for none (RFC 9110, 12.5.3)."""
    for coding in ("br", "gzip"):
        for part in accepted.lower().split(","):
            name, _, weight = part.partition(";")
            if name.strip() == coding and not _REFUSED.fullmatch(weight.strip()):
                return coding
    return ""


class CompressText(GZipMiddleware):
    """Compresses pages, sitemaps and answers of the API; static files are compressed before."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress an answer that is text and whole."""
        is_text = response.get("Content-Type", "").startswith(_TEXT)
        if not is_text or not isinstance(response, HttpResponse):
            return response
        if not content_coding(request.headers.get("Accept-Encoding", "")):
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        return super().process_response(request, response)


def content_policy(get_response: GetResponse) -> GetResponse:
    """Send the shop's content security policy, and the back office's own, which Wagtail needs looser.

    Both are written once: no page has a nonce or an exception.
    """
    of_shop = build_policy()
    of_admin = build_policy(settings.ADMIN_CONTENT_SECURITY_POLICY["DIRECTIVES"])

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.path_info.startswith(ADMIN):
            # A preview already bears the policy of the page that it shows.
            response[HEADER] = of_admin
        else:
            response.setdefault(HEADER, of_shop)
        return response

    return middleware


def permissions_policy(get_response: GetResponse) -> GetResponse:
    """Switch off what the shop never asks a browser for."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        response.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response

    return middleware


def language_of_path(get_response: GetResponse) -> GetResponse:
    """Speak the language that the address names (ARCHITECTURE 4).

    Django's own middleware does the same and says of every English page that it hangs on Accept-Language.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        language = get_language_from_path(request.path_info) or settings.LANGUAGE_CODE
        translation.activate(language)
        request.LANGUAGE_CODE = language
        response = get_response(request)
        response.headers.setdefault("Content-Language", translation.get_language() or language)
        return response

    return middleware


class BackOfficeRefusals(MiddlewareMixin):
    """Refuses what no form of the back office sends, such as a key that is no number; keeps what is used.

    Wagtail's forms trust the parts of a request that its own scripts write, and fail before they save.
    """

    # Also what PostgreSQL takes into no column, and the want of what a form always sends.
    KINDS = (
        ValueError,
        LookupError,
        AttributeError,
        OverflowError,
        RecursionError,
        ValidationError,
        InvalidPage,
        DataError,
    )

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Tell whoever sent it, and the log: it may be a fault of the shop after all."""
        is_ours = request.path_info.startswith(ADMIN) and isinstance(exception, (*self.KINDS, ProtectedError))
        if not is_ours:
            return None
        profile = getattr(request.user, "wagtail_userprofile", None)
        language = profile.get_preferred_language() if profile else settings.LANGUAGE_CODE
        with translation.override(language):
            if isinstance(exception, ProtectedError):
                # Wagtail looks into its index of usages, and imports write goods without it.
                users = {str(row._meta.verbose_name_plural) for row in exception.protected_objects}
                text = gettext("This cannot be deleted while it is used: %(users)s.")
                messages.error(request, text % {"users": ", ".join(sorted(users))})
                return redirect(request.get_full_path())
            log.error("unreadable request", path=request.path_info, exc_info=exception)
            return render(request, "wagtailadmin/unreadable.html", status=HTTPStatus.BAD_REQUEST)


class _NotForTheApi(MiddlewareMixin):
    """Passes calls of the API on: they bear no cookie, and nobody there asks for a session."""

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(API):
            return self.get_response(request)
        return super().__call__(request)


class Sessions(_NotForTheApi, SessionMiddleware):
    """Sessions of the back office."""


class Staff(_NotForTheApi, AuthenticationMiddleware):
    """Who is logged in to the back office."""


class Messages(_NotForTheApi, MessageMiddleware):
    """What the back office tells its users once."""
