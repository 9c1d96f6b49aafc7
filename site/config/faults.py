"""The page for a failed request: the shop is busy, its database is unreachable, or the code has a fault."""

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
    """Return the page for a request that raised an exception; a busy shop asks for a retry.

    Django calls it while the exception is being handled.
    """
    refused = refusal_of(sys.exception())
    return server_error(request) if refused is None else try_again(request, refused)


def try_again(request: HttpRequest, refused: ShopError, template: str = "try_again.html") -> HttpResponse:
    """Return a page that explains why the shop cannot answer now, with a Retry-After header."""
    text = refused.err.zh if reader_language() == CHINESE else refused.err.en
    response = render(request, template, {"text": text}, status=refused.err.status)
    response["Retry-After"] = str(refused.retry_after)
    response["Cache-Control"] = "no-store"
    return response
