"""Filters for the facts of a good."""

from django import template
from django.utils.translation import gettext as _

from catalog.goods.models import Product, Storage, is_chinese
from core.countries import country_name

register = template.Library()


@register.filter
def country(code: str) -> str:
    """Name a country in the reader's language."""
    return country_name(code)


@register.filter
def weight(grams: int) -> str:
    """Write grams as shoppers read them: 500 g, 1.5 kg."""
    return f"{grams} g" if grams < 1000 else f"{grams / 1000:.3f}".rstrip("0").rstrip(".") + " kg"


@register.filter
def storage_advice(storage: str) -> str:
    """Say how to keep goods at home."""
    return {
        Storage.ambient: _("Keep in a cool, dry place."),
        Storage.chilled: _("Keep refrigerated at 0–4 °C."),
        Storage.frozen: _("Keep frozen at −18 °C or below."),
    }[Storage(storage)]


@register.filter
def variant_name(product: Product) -> str:
    """Name what sets a variant apart, in the reader's language; the pack where nothing was written."""
    return (product.variant_zh if is_chinese() else product.variant_en) or product.pack
