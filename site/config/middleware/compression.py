"""Compressed answers, in the content coding that the client takes."""

import re
from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

_REFUSED = re.compile(r"q\s*=\s*0(\.0*)?")
_TEXT = ("text/", "application/json", "application/xml")


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
    """Compresses pages, sitemaps and answers of the API; static files are compressed by collectstatic."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a complete answer of text."""
        is_text = response.get("Content-Type", "").startswith(_TEXT)
        if not is_text or not isinstance(response, HttpResponse):
            return response
        if not content_coding(request.headers.get("Accept-Encoding", "")):
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        return super().process_response(request, response)
