"""The page for a request that failed: whether the shop is busy, cannot reach its database, or has a fault."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import requires_csrf_token
from django.views.defaults import server_error

from core.database_errors import refusal_of
from core.errors import ShopError
from core.languages import CHINESE, reader_language


@requires_csrf_token
def failed(request: HttpRequest) -> HttpResponse:
    """Answer a request that raised an exception; a busy shop asks to come again in a moment.

    Django calls it while the exception is handled.
    """
    refused = refusal_of(sys.exception())
    return server_error(request) if refused is None else try_again(request, refused)


def try_again(request: HttpRequest, refused: ShopError, template: str = "try_again.html") -> HttpResponse:
    """Return a page that explains why the shop cannot answer now, and when to try again."""
    text = refused.err.zh if reader_language() == CHINESE else refused.err.en
    response = render(request, template, {"text": text}, status=refused.err.status)
    response["Retry-After"] = str(refused.retry_after)
    response["Cache-Control"] = "no-store"
    return response
