"""Filters and tags for URLs in both languages: English at `/…`, Chinese at `/zh-hans/…`."""

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.languages import ENGLISH, HTML_LANGUAGE, in_language, localised, reader_language

register = template.Library()


@register.simple_tag(takes_context=True)
def this_page(context: Context, code: str) -> str:
    """Return the path and query of the current page in a language."""
    request: HttpRequest = context["request"]
    return in_language(request.get_full_path(), code)


@register.simple_tag(takes_context=True)
def canonical_url(context: Context, code: str = "") -> str:
    """Return the absolute URL of the current page, in the given language or its own.

    The view may set `canonical_path` in the context: the path without tracking and filters.
    """
    path = context.get("canonical_path") or context["request"].path
    return f"{settings.SITE_URL}{in_language(path, code or reader_language())}"


@register.filter
def here(path: str) -> str:
    """Return a path of the shop in the reader's language."""
    return localised(path)


@register.simple_tag
def html_lang() -> str:
    """Return the language of the page as a `lang` attribute."""
    return HTML_LANGUAGE[reader_language()]


@register.simple_tag(takes_context=True)
def active(context: Context, path: str, exact: bool = False, also: str = "") -> SafeString:
    """Render the classes and state of a link to a path: active on that page and, unless `exact`, below it.

    `also`: a class that the link always has, because browsers ignore a second class attribute. A cached block
    without the request has the path as `footer_path`.
    """
    current = context.get("footer_path")
    if current is None:
        current = in_language(context["request"].path, ENGLISH)
    if current == path or (not exact and current.startswith(f"{path}/")):
        return format_html('class="{}" aria-current="page"', f"{also} active".strip())
    return format_html('class="{}"', also) if also else SafeString("")
