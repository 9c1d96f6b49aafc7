"""Tags for information pages: the footer, and whether a page has a translation."""

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString
from wagtail.models import Page

from catalog.rates.templatetags.rates import rate_note
from content.menu import menu_links
from content.models import ShopSettings
from content.privacy import public_pages
from core.pages.blocks import block, columns_of

register = template.Library()


@register.simple_tag(takes_context=True)
def footer(context: template.Context) -> SafeString:
    """Render the footer; queries as `menu_links` and for the shop's settings.

    The rendering is cached by the facts that it shows.
    """
    request = context.get("request")
    shop = ShopSettings.load(request)
    facts = {
        "pages": tuple(menu_links(request)),
        "rate_note": rate_note(),
        "year": timezone.localtime().year,
    }
    shows = columns_of(shop), *facts.values()
    return block("includes/footer.html", {"shop": shop, **facts}, shows=shows)


@register.simple_tag
def has_translation(page: Page) -> bool:
    """Return True if a page has a public translation; two queries."""
    return public_pages(page.get_translations()).exists()
