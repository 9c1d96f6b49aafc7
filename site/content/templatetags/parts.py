"""Marks in previews, by which the back office finds what an editor is changing."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.preview import current_preview

register = template.Library()


@register.simple_tag
def part_mark(kind: str, key: object) -> SafeString | str:
    """Name the element that follows, in a preview alone; not within what is cached by its facts."""
    if current_preview() is None:
        return ""
    return format_html('<template data-part="{}-{}"></template>', kind, key)
