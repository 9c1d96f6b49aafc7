"""The footer's links to the pages that editors write, and whether one of them is there in both languages."""

from django import template
from wagtail.models import Page

from content.models import InformationPage
from core.languages import reader_language

register = template.Library()


@register.simple_tag(takes_context=True)
def information_links(context: template.Context) -> list[tuple[str, str]]:
    """Return title and address of the pages marked “Show in menus”, in the reader's language; one query."""
    pages = InformationPage.objects.live().filter(show_in_menus=True, locale__language_code=reader_language())
    request = context.get("request")
    return [(page.title, page.get_url(request)) for page in pages.order_by("path") if page.get_url(request)]


@register.simple_tag
def has_twin(page: Page) -> bool:
    """Tell whether a page is published in the other language too; one query."""
    return bool(page.get_translations().live().exists())
