"""Pages that an island fills: the same for everyone, and nothing for a search engine to keep."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from catalog.rates.current import rate_now


def shell(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    """Render a page whose island asks the API for what it shows."""
    return render(request, template, {"rate": rate_now(), "noindex": True, **context})
