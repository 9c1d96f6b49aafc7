"""The filter that renders rich texts."""

from django import template
from django.utils.safestring import SafeString
from wagtail.rich_text import RichText
from wagtail.templatetags.wagtailcore_tags import richtext

from content.richtext import in_readers_language

register = template.Library()


@register.filter
def text(value: RichText) -> SafeString:
    """Return a rich text with its links in the reader's language."""
    shown: SafeString = richtext(RichText(in_readers_language(value.source)))
    return shown
