"""Compresses answers with a coding that the client accepts."""

import gzip
import re
import secrets
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from config.middleware import GetResponse

_REFUSED = re.compile(r"q\s*=\s*0(\.0*)?")
_TEXT = ("text/", "application/json", "application/xml")
# An answer that fits into one network packet with its headers is not faster if compressed.
MIN_BYTES = 800
# Compared to the usual 6, a list of products takes half the time and a tenth more bytes.
_LEVEL = 3
# A random number of bytes hides whether a secret in the answer repeats a part of the request (BREACH).
_HAS_NAME, _MAX_NAME = 8, 100


@lru_cache(256)
def content_coding(accepted: str, offered: tuple[str, ...] = ("br", "gzip")) -> str:
    """Return the first offered coding that the client accepts; empty if none (RFC 9110, 12.5.3)."""
    for coding in offered:
        for part in accepted.lower().split(","):
            name, _, weight = part.partition(";")
            if name.strip() == coding and not _REFUSED.fullmatch(weight.strip()):
                return coding
    return ""


def compress_text(get_response: GetResponse) -> GetResponse:
    """Compress pages, sitemaps and API answers; collectstatic compresses static files."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        headers = response.headers
        is_text = headers.get("Content-Type", "").startswith(_TEXT)
        if not is_text or "Content-Encoding" in headers or not isinstance(response, HttpResponse):
            return response
        content = response.content
        if len(content) < MIN_BYTES:
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        if content_coding(request.META.get("HTTP_ACCEPT_ENCODING", ""), ("gzip",)):
            response.content = _compressed(content)
            headers["Content-Encoding"] = "gzip"
            headers["Content-Length"] = str(len(response.content))
            # The bytes differ by coding, but the content is the same (RFC 9110, 8.8.1).
            if headers.get("ETag", "").startswith('"'):
                headers["ETag"] = "W/" + headers["ETag"]
        return response

    return middleware


def _compressed(content: bytes) -> bytes:
    packed = gzip.compress(content, _LEVEL, mtime=0)
    name = b"a" * secrets.randbelow(_MAX_NAME) + b"\0"
    return packed[:3] + bytes([_HAS_NAME]) + packed[4:10] + name + packed[10:]
