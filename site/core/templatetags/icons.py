"""The tag that shows an icon from static/img/icons.svg."""

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@lru_cache(200)
def icon(name: str) -> SafeString:
    """Render an icon; screen readers skip it."""
    return format_html(
        '<svg class="i" aria-hidden="true"><use href="{}#{}"/></svg>', static("img/icons.svg"), name
    )
