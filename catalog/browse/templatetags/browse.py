"""Template filters for the facts of a product, and the tag of its card."""

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from catalog.browse.allergenwords import with_bold_allergens
from catalog.browse.cards import Card
from catalog.browse.facetpanel import FacetPanel
from catalog.browse.filters import Filters
from catalog.goods.models import Storage
from core.countries import country_name
from core.pages.blocks import block

register = template.Library()


@register.filter
def country(code: str) -> str:
    """Return a country's name in the reader's language."""
    return country_name(code)


@register.filter
def weight(grams: int) -> str:
    """Return grams as text: 500 g, 1.5 kg."""
    return f"{grams} g" if grams < 1000 else f"{grams / 1000:.3f}".rstrip("0").rstrip(".") + " kg"


@register.filter
def bold_allergens(ingredients: str, allergens: list[str]) -> SafeString:
    """Return ingredients with the words for these allergens in bold."""
    return with_bold_allergens(ingredients, allergens)


@register.filter
def storage_advice(storage: str) -> str:
    """Return the advice on how to store a product at home."""
    return {
        Storage.ambient: _("Keep in a cool, dry place."),
        Storage.chilled: _("Keep refrigerated at 0–4 °C."),
        Storage.frozen: _("Keep frozen at −18 °C or below."),
    }[Storage(storage)]


@register.simple_tag
def product_card(card: Card, *, eager: bool = False) -> SafeString:
    """Render a product's card; `eager`: whether it is visible without scrolling."""
    context = {"card": card, "eager": eager}
    return block("includes/product_card.html", context, shows=(card.shows, eager))


@register.simple_tag
def facets(panel: FacetPanel, filters: Filters, total: int) -> SafeString:
    """Render the filters of a list; `total`: the number of matching products."""
    context = {"panel": panel, "filters": filters, "total": total}
    return block("browse/facets.html", context, shows=(panel.shows, filters, total))
