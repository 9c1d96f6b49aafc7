"""Pages whose content an island renders: the same for every visitor, and not indexed."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalog.rates.current import rate_now


def shell(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    """Render a page whose island fetches its content from the API."""
    return render(request, template, {"rate": rate_now(), "noindex": True, **context})
