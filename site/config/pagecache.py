"""Answers with a kept page before anything else is done; how fresh it is: README, Decisions."""

import gzip
import hashlib
from datetime import datetime
from functools import cache
from http import HTTPStatus
from typing import Any, TypeGuard
from urllib.parse import urlsplit

import brotli
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response

from catalog.promotions.offers import next_change
from config.middleware import GetResponse, content_coding
from config.pagestore import FRESH, LIFE, PAGES, PATIENCE_SECONDS, Address, Copy
from core.publicpages import DECLARED, known_query, only

# Whoever sends one of these may see what others do not.
_PERSONAL = ("HTTP_TOKEN", "HTTP_AUTHORIZATION")
# Longer addresses are nobody's bookmarks, larger pages nobody's reading.
MOST_QUERY = 1000
MOST_BYTES = 2**20
# An answer with one of these is not the same for everyone, or takes care of itself.
_NOT_FOR_ALL = ("Set-Cookie", "Cache-Control", "Content-Encoding", "Vary")
_GZIP_LEVEL, _BROTLI_QUALITY = 6, 5


class PageCache:
    """Keeps the pages of views that are declared public (`core.publicpages`) in this process's memory."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.PAGE_CACHE:
            raise MiddlewareNotUsed
        self._next = get_response
        self._hosts = _own_hosts()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer with a copy, else pass the request on and keep what comes back, if it may be kept."""
        address = self._address(request)
        if address is None:
            return self._next(request)
        now = timezone.now()
        copy = PAGES.get(address)
        if copy and copy.serves(now, LIFE if PAGES.is_being_made(address) else FRESH):
            return _answer(request, copy)
        request.page_address = address  # type: ignore[attr-defined]
        method = request.method
        try:
            response = self._next(request)
            if getattr(request, "makes_page", False) and _may_be_kept(response):
                copy = _copy(response, born=now)
                PAGES.put(address, copy)
                request.method = method
                return _answer(request, copy)
            return response
        finally:
            request.method = method
            if getattr(request, "makes_page", False):
                PAGES.end(address)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        """Let one request at a time make a page; another gets the copy there is, or waits for the new one."""
        address: Address | None = getattr(request, "page_address", None)
        params = getattr(view, DECLARED, None)
        # What another page's parameter hangs on an address is shown, and not kept a second time.
        if address is None or params is None or only(address.query, params) != address.query:
            return None
        other = PAGES.begin(address)
        if other is None:
            # A page is made whole, also for who asks for its headers alone.
            request.method = "GET"
            request.makes_page = True  # type: ignore[attr-defined]
            return None
        copy = _shown(address)
        if copy is None and other.wait(PATIENCE_SECONDS):
            copy = _shown(address)
        return _answer(request, copy) if copy else None

    def _address(self, request: HttpRequest) -> Address | None:
        """Return what the page is kept by; None for a request that is not for a kept page."""
        meta = request.META
        query = meta.get("QUERY_STRING", "")
        if (
            request.method not in ("GET", "HEAD")
            or any(name in meta for name in _PERSONAL)
            or settings.SESSION_COOKIE_NAME in meta.get("HTTP_COOKIE", "")
            or meta.get("HTTP_HOST") not in self._hosts
            or len(query) > MOST_QUERY
            # Wagtail finds a page however many slashes are between its names.
            or "//" in request.path_info
            # A preview of the back office.
            or hasattr(request, "is_dummy")
        ):
            return None
        return Address(str(request.scheme), meta["HTTP_HOST"], request.path_info, known_query(query))


def _own_hosts() -> frozenset[str]:
    """Return the hosts that pages are kept for: those named in full, so that nobody can think up more."""
    named = [name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))]
    return frozenset(
        [urlsplit(settings.SITE_URL).netloc, *named, *(f"{name}:{settings.PORT}" for name in named)]
    )


def _shown(address: Address) -> Copy | None:
    copy = PAGES.get(address)
    return copy if copy and copy.serves(timezone.now(), LIFE) else None


def _may_be_kept(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    return (
        isinstance(response, HttpResponse)
        and response.status_code == HTTPStatus.OK
        and len(response.content) <= MOST_BYTES
        and not response.cookies
        and not any(name in response for name in _NOT_FOR_ALL)
    )


def _copy(response: HttpResponse, born: datetime) -> Copy:
    page = response.content
    headers = {**response.headers, "Vary": "Accept-Encoding"}
    headers.pop("Content-Length", None)
    return Copy(
        bodies={
            "gzip": gzip.compress(page, _GZIP_LEVEL, mtime=0),
            "br": brotli.compress(page, quality=_BROTLI_QUALITY),
        },
        headers=headers,
        # Weak: it is the same page in whatever content coding.
        etag=f'W/"{hashlib.blake2b(page, digest_size=12).hexdigest()}"',
        born=born,
        until=next_change(born),
    )


def _answer(request: HttpRequest, copy: Copy) -> HttpResponse:
    """Return a copy as this request wants it, or 304 where it has the page already (RFC 9110, 13)."""
    coding = content_coding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    body = copy.body(coding)
    response = HttpResponse(body, headers=copy.headers)
    response.headers["Content-Length"] = str(len(body))
    if coding:
        response.headers["Content-Encoding"] = coding
    response.headers["Cache-Control"] = _on_the_way(copy.seconds_left(timezone.now()))
    response.headers["ETag"] = copy.etag
    return get_conditional_response(request, copy.etag, response=response) or response


@cache
def _on_the_way(seconds: int) -> str:
    return f"public, max-age={max(0, seconds - 1)}, stale-while-revalidate={min(1, seconds)}"
