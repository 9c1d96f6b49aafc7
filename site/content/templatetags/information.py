"""Tags for information pages: the footer's links, and whether a translation exists."""

from django import template
from wagtail.models import Page

from content.menu import menu_links

register = template.Library()


@register.simple_tag(takes_context=True)
def information_links(context: template.Context) -> list[tuple[str, str]]:
    """Return the title and URL of the pages that the footer links to; queries as `menu_links`."""
    return menu_links(context.get("request"))


@register.simple_tag
def has_translation(page: Page) -> bool:
    """Tell whether anyone may read a page in the other language too; two queries."""
    return bool(page.get_translations().live().public().exists())
