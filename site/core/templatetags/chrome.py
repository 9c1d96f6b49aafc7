"""The tag for parts of the page chrome that are the same on every page."""

from django import template
from django.utils.safestring import SafeString

from core.pages.blocks import block

register = template.Library()


@register.simple_tag
def same_everywhere(name: str) -> SafeString:
    """Render a template that reads no facts; it is cached per language."""
    return block(name, {}, shows=())
