"""Tags for information pages: the footer's links, and whether a translation exists."""

from django import template
from wagtail.models import Page

from content.models import InformationPage
from core.languages import reader_language

register = template.Library()


@register.simple_tag(takes_context=True)
def information_links(context: template.Context) -> list[tuple[str, str]]:
    """Return the title and URL of pages marked “Show in menus” that anyone may read; two queries.

    They are in the reader's language.
    """
    pages = InformationPage.objects.live().public()
    pages = pages.filter(show_in_menus=True, locale__language_code=reader_language())
    request = context.get("request")
    return [(page.title, page.get_url(request)) for page in pages.order_by("path") if page.get_url(request)]


@register.simple_tag
def has_translation(page: Page) -> bool:
    """Tell whether anyone may read a page in the other language too; two queries."""
    return bool(page.get_translations().live().public().exists())
