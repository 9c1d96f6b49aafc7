"""Marks for previews, which show the back office the element that an editor is changing."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.preview import current_preview

register = template.Library()


@register.simple_tag
def part_mark(kind: str, key: object) -> SafeString | str:
    """Mark the next element, in a preview only; do not use it in blocks that are cached by their facts."""
    if current_preview() is None:
        return ""
    return format_html('<template data-part="{}-{}"></template>', kind, key)
