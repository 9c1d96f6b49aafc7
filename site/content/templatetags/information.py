"""Tags for information pages: the footer, and whether a page has a translation."""

from collections.abc import Collection
from typing import Any

from django import template
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from wagtail.models import Page

from catalog.rates.templatetags.rates import rate_note
from content.menu import menu_links
from content.models import ShopSettings
from content.privacy import public_pages
from core.languages import ENGLISH, in_language, localised
from core.pages.blocks import block, columns_of
from core.payment_marks import payment_marks

register = template.Library()

# The footer's own links.
_LINKS = frozenset(
    {
        "/home",
        "/shop",
        "/shop?orderBy=new",
        "/promotions",
        "/home/bulk",
        "/brand",
        "/home/cart",
        "/home/account/orders",
        "/home/account/wallet",
        "/home/account/rewards",
        "/home/account/useraddress",
        "/home/account/accountdetails",
        "/download",
    }
)


@register.simple_tag(takes_context=True)
def footer(context: template.Context) -> SafeString:
    """Render the footer; queries as `menu_links` and for the shop's settings.

    The rendering is cached by the facts that it shows.
    """
    request = context.get("request")
    shop = ShopSettings.load(request)
    pages = tuple(menu_links(request))
    facts = {
        "footer_path": _footer_path(request, {url for _, url in pages}),
        "pages": pages,
        "marks": payment_marks(),
        "rate_note": rate_note(),
        "year": timezone.localtime().year,
    }
    shows = columns_of(shop), *facts.values()
    return block("includes/footer.html", {"shop": shop, **facts}, shows=shows)


@register.inclusion_tag("orders/checkout_help.html", takes_context=True)
def checkout_help(context: template.Context) -> dict[str, Any]:
    """Render the foot of the checkout: returns, contact and accepted payments; queries as `footer`."""
    return {
        "shop": ShopSettings.load(context.get("request")),
        "marks": payment_marks(),
        "returns": own_page(context, "/home/returns"),
        "contact": own_page(context, "/home/contact"),
    }


@register.simple_tag(takes_context=True)
def own_page(context: template.Context, path: str) -> str:
    """Return the path of a public page of editors in the reader's language; empty without such a page.

    `path`: in English. The page must be in the menus; queries as `menu_links`.
    """
    url = localised(path)
    return url if any(url == each for _, each in menu_links(context.get("request"))) else ""


def _footer_path(request: HttpRequest | None, pages: Collection[str]) -> str:
    """Return the footer's link to the current page, empty for none, so that few footers are cached."""
    if request is None:
        return ""
    if request.path in pages:
        return request.path
    path = in_language(request.path, ENGLISH)
    if path == "/shop" and request.GET.get("orderBy") == "new":
        path = "/shop?orderBy=new"
    return path if path in _LINKS else ""


@register.simple_tag
def has_translation(page: Page) -> bool:
    """Return True if a page has a public translation; two queries."""
    return public_pages(page.get_translations()).exists()
