"""Answers with a cached page before any other work; for its age see
docs/adr/0006-page-cache-in-the-process.md."""

import gzip
import hashlib
import time
from collections.abc import Callable
from datetime import datetime, timedelta
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
from config.middleware import GetResponse
from config.middleware.compression import content_coding
from config.page_cache.store import (
    BUSY_LIFE,
    OUTAGE,
    OUTAGE_LIFE,
    PAGES,
    PATIENCE_SECONDS,
    QUICK,
    CachedPage,
    CacheKey,
)
from core.pages.public import DECLARED, known_query, only

# Requests with one of these headers may get a personal answer.
_PERSONAL = ("HTTP_TOKEN", "HTTP_AUTHORIZATION")
# Requests with longer queries, and larger pages, are not cached.
MAX_QUERY = 1000
MAX_BYTES = 2**20
# An answer with one of these headers is personal, or has its own caching rules.
_NOT_FOR_ALL = ("Set-Cookie", "Cache-Control", "Content-Encoding", "Vary")
_GZIP_LEVEL, _BROTLI_QUALITY = 6, 5


class PageCache:
    """Caches the pages of public views (`core.pages.public`) in the memory of this process."""

    def __init__(self, get_response: GetResponse) -> None:
        if not settings.PAGE_CACHE:
            raise MiddlewareNotUsed
        self._next = get_response
        self._hosts = _own_hosts()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return a cached page; otherwise pass the request on, and cache the answer if allowed."""
        key = self._cache_key(request)
        if key is None:
            return self._next(request)
        copy = _young(key, OUTAGE_LIFE)
        if copy is None:
            return self._rendered(request, key)
        now = timezone.now()
        if not copy.is_alive(now):
            if OUTAGE.is_on or not copy.is_fresh(now, BUSY_LIFE):
                return self._rendered_or_copy(request, key, copy)
            if not PAGES.is_overloaded() and (answer := self._rendered_in_turn(request, key, copy)):
                return answer
        response = _answer(request, copy)
        if copy.is_due(now) and not PAGES.is_being_made(key):
            _after(response, lambda: self._render_again(request, key, copy))
        return response

    def _rendered_in_turn(
        self, request: HttpRequest, key: CacheKey, copy: CachedPage
    ) -> HttpResponseBase | None:
        """Render a page when no other page is being rendered; return None if that takes too long."""
        if not PAGES.turn.acquire(timeout=QUICK.total_seconds()):
            # A promotion may have ended during the wait.
            is_shown = copy.is_fresh(timezone.now(), BUSY_LIFE)
            return None if is_shown else self._rendered_or_copy(request, key, copy)
        try:
            newer = _alive(key)
            return _answer(request, newer) if newer else self._rendered_or_copy(request, key, copy)
        finally:
            PAGES.turn.release()

    def _render_again(self, request: HttpRequest, key: CacheKey, copy: CachedPage) -> None:
        """Render a page, unless another one is being rendered: both together would slow down all answers."""
        if PAGES.turn.acquire(blocking=False):
            try:
                self._rendered_or_copy(request, key, copy)
            finally:
                PAGES.turn.release()

    def _rendered_or_copy(self, request: HttpRequest, key: CacheKey, copy: CachedPage) -> HttpResponseBase:
        """Render a page, or return its last copy while the database is unreachable."""
        if not OUTAGE.is_on:
            since = time.monotonic()
            response = self._rendered(request, key)
            # No other refusal of a page has this status (`core.database_errors`).
            if response.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                return response
            OUTAGE.begin(since)
        return _answer(request, copy, caching="no-store")

    def _rendered(self, request: HttpRequest, key: CacheKey) -> HttpResponseBase:
        """Pass the request on, and cache the answer if allowed."""
        request.page_cache_key = key  # type: ignore[attr-defined]
        method, started = request.method, timezone.now()
        try:
            response = self._next(request)
            if not getattr(request, "makes_page", False):
                return response
            if _may_be_cached(response):
                copy = _copy(response, created_at=started, last=PAGES.get(key))
                PAGES.put(key, copy)
                request.method = method
                return _answer(request, copy)
            if not _is_refusal(response):
                # The page became private, or was unpublished; an outage must not show it again.
                PAGES.discard(key)
            return response
        finally:
            request.method = method
            if getattr(request, "makes_page", False):
                PAGES.end(key)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        """Let one request at a time render a page; others get the old page or wait for the new one."""
        key: CacheKey | None = getattr(request, "page_cache_key", None)
        params = getattr(view, DECLARED, None)
        # A page with parameters that it does not read is not cached a second time.
        if key is None or params is None or only(key.query, params) != key.query:
            return None
        other = PAGES.begin(key)
        if other is None:
            # Render the whole page for HEAD as well.
            request.method = "GET"
            request.makes_page = True  # type: ignore[attr-defined]
            return None
        if _alive(key) is None:
            if not other.wait_while_quick() and (busy := _young(key, BUSY_LIFE)):
                return _answer(request, busy)
            if not other.wait(PATIENCE_SECONDS) and (old := _young(key, OUTAGE_LIFE)):
                # If the database is slow or unreachable, a second rendering would take as long.
                return _answer(request, old, caching="no-store")
        copy = _alive(key)
        return _answer(request, copy) if copy else None

    def _cache_key(self, request: HttpRequest) -> CacheKey | None:
        """Return the page's key; None for a request whose answer must not be cached."""
        meta = request.META
        query = meta.get("QUERY_STRING", "")
        if (
            request.method not in ("GET", "HEAD")
            or any(name in meta for name in _PERSONAL)
            or settings.SESSION_COOKIE_NAME in meta.get("HTTP_COOKIE", "")
            or meta.get("HTTP_HOST") not in self._hosts
            or len(query) > MAX_QUERY
            # Wagtail also finds pages by paths with repeated slashes.
            or "//" in request.path_info
            # The request is a preview of the back office.
            or hasattr(request, "is_dummy")
        ):
            return None
        return CacheKey(str(request.scheme), meta["HTTP_HOST"], request.path_info, known_query(query))


def _own_hosts() -> frozenset[str]:
    """Return the hosts whose pages are cached; hosts with wildcards are left out to limit their number."""
    named = [name for name in settings.ALLOWED_HOSTS if not name.startswith((".", "*"))]
    return frozenset(
        [urlsplit(settings.SITE_URL).netloc, *named, *(f"{name}:{settings.PORT}" for name in named)]
    )


def _young(key: CacheKey, life: timedelta) -> CachedPage | None:
    copy = PAGES.get(key)
    return copy if copy and copy.is_fresh(timezone.now(), life) else None


def _alive(key: CacheKey) -> CachedPage | None:
    copy = PAGES.get(key)
    return copy if copy and copy.is_alive(timezone.now()) else None


def _after(response: HttpResponse, work: Callable[[], object]) -> None:
    """Run work after the response was sent: servers call `close` then (PEP 3333)."""
    close = response.close

    def work_and_close() -> None:
        try:
            work()
        finally:
            close()

    response.close = work_and_close  # type: ignore[method-assign]


def _may_be_cached(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    return (
        isinstance(response, HttpResponse)
        and response.status_code == HTTPStatus.OK
        and len(response.content) <= MAX_BYTES
        and not response.cookies
        and not any(name in response for name in _NOT_FOR_ALL)
    )


def _is_refusal(response: HttpResponseBase) -> bool:
    """Return True for the answer of a shop that is busy or fails."""
    return response.status_code == HTTPStatus.TOO_MANY_REQUESTS or response.status_code >= 500


def _copy(response: HttpResponse, created_at: datetime, last: CachedPage | None) -> CachedPage:
    """Return the cached page of an answer; `last`: the previous copy of that page."""
    page = response.content
    headers = {**response.headers, "Vary": "Accept-Encoding"}
    headers.pop("Content-Length", None)
    # A weak ETag, since the page is the same in each content coding.
    etag = f'W/"{hashlib.blake2b(page, digest_size=12).hexdigest()}"'
    # Most pages have not changed since their last rendering, and comparing them is faster than compressing.
    bodies = last.bodies if last and last.etag == etag else _compressed(page)
    return CachedPage(
        bodies=bodies,
        headers=headers,
        etag=etag,
        created_at=created_at,
        expires_at=next_change(created_at),
        made_at=timezone.now(),
    )


def _compressed(page: bytes) -> dict[str, bytes]:
    return {
        "gzip": gzip.compress(page, _GZIP_LEVEL, mtime=0),
        "br": brotli.compress(page, quality=_BROTLI_QUALITY),
    }


def _answer(request: HttpRequest, copy: CachedPage, caching: str = "") -> HttpResponse:
    """Return a cached page in the request's content coding, or 304 if the client has it (RFC 9110, 13).

    `caching`: the `Cache-Control` header; by default the rest of the page's lifetime.
    """
    coding = content_coding(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    body = copy.body(coding)
    response = HttpResponse(body, headers=copy.headers)
    response.headers["Content-Length"] = str(len(body))
    if coding:
        response.headers["Content-Encoding"] = coding
    response.headers["Cache-Control"] = caching or _on_the_way(copy.seconds_left(timezone.now()))
    response.headers["ETag"] = copy.etag
    return get_conditional_response(request, copy.etag, response=response) or response


@cache
def _on_the_way(seconds: int) -> str:
    return f"public, max-age={max(0, seconds - 1)}, stale-while-revalidate={min(1, seconds)}"
