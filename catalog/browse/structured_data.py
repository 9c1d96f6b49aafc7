"""Structured data of a product's page for search engines (schema.org, as JSON-LD)."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urljoin

from django.conf import settings

from catalog.browse.cards import Card
from catalog.goods.gtin import is_global
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT, DetailedProduct, stock_type
from catalog.goods.models import ProductGroup
from core.money import aud
from core.pages.json_ld import json_ld

# The English name of groups whose variants differ in size.
_SIZE = "Size"
_AVAILABILITY = {SOLD_OUT: "OutOfStock", ADVANCE: "LimitedAvailability", IN_STOCK: "InStock"}
# Returns the OfferShippingDetails of one unit at the price of its card.
ShippingDetails = Callable[[Card], list[dict[str, Any]]]
_shipping: list[ShippingDetails] = []


def register_shipping(shipping: ShippingDetails) -> None:
    """Register the function that quotes delivery; the app `delivery` calls this at startup."""
    _shipping[:] = [shipping]


def product_ld(
    product: DetailedProduct, card: Card, group: ProductGroup | None, variants: Sequence[Card]
) -> str:
    """Return a product as a schema.org Product with an Offer, at the price of its card.

    `variants`: the products of its group, in order.
    """
    facts: dict[str, Any] = {
        "@type": "Product",
        "name": product.name,
        "alternateName": product.other_name,
        "sku": product.sku,
        "url": settings.SITE_URL + card.url,
        "category": product.category.name,
        "countryOfOrigin": {"@type": "Country", "identifier": product.origin},
        "brand": {"@type": "Brand", "name": product.brand.name},
        "offers": {
            "@type": "Offer",
            "url": settings.SITE_URL + card.url,
            "price": str(aud(card.amount)),
            "priceCurrency": "AUD",
            "itemCondition": "https://schema.org/NewCondition",
            "availability": _availability(product),
            "shippingDetails": _shipping[0](card),
            "hasMerchantReturnPolicy": _return_policy(),
        },
    }
    if is_global(product.gtin):
        facts["gtin"] = product.gtin
    if card.offer:
        facts["offers"]["priceValidUntil"] = card.offer.ends_at.isoformat()
    if product.description:
        facts["description"] = product.description
    if product.picture_urls:
        facts["image"] = [urljoin(settings.SITE_URL, url) for url in product.picture_urls]
    if group:
        facts["inProductGroupWithID"] = group.code
        facts["isVariantOf"] = _group(group, variants)
        if group.name_en == _SIZE:
            facts["size"] = product.variant_name
    return json_ld(facts)


def _group(group: ProductGroup, variants: Sequence[Card]) -> dict[str, Any]:
    # A group has no name of its own, so it has that of its first variant.
    return {
        "@type": "ProductGroup",
        "name": variants[0].product.name,
        "productGroupID": group.code,
        "variesBy": "https://schema.org/size" if group.name_en == _SIZE else group.name_en,
        "hasVariant": [
            {"@type": "Product", "name": variant.product.name, "url": settings.SITE_URL + variant.url}
            for variant in variants
        ],
    }


def _return_policy() -> dict[str, Any]:
    """Return the policy of claims: damaged, missing and wrong units (docs/guarantees/money.md#claims)."""
    return {
        "@type": "MerchantReturnPolicy",
        "applicableCountry": "AU",
        "returnPolicyCountry": "AU",
        "returnPolicyCategory": "https://schema.org/MerchantReturnFiniteReturnWindow",
        "merchantReturnDays": settings.CLAIM_DAYS,
        "itemCondition": "https://schema.org/DamagedCondition",
        "returnFees": "https://schema.org/FreeReturn",
    }


def _availability(product: DetailedProduct) -> str:
    """Return the availability by stock, without regard to a promotion's quota."""
    return f"https://schema.org/{_AVAILABILITY[stock_type(product, available=product.available)]}"
