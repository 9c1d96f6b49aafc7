"""Structured data of a product's page for search engines (schema.org, as JSON-LD)."""

from typing import Any
from urllib.parse import urljoin

from django.conf import settings

from catalog.browse.cards import Card
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT, DetailedProduct, stock_type
from catalog.goods.models import ProductGroup
from core.money import aud
from core.pages.json_ld import json_ld

_AVAILABILITY = {SOLD_OUT: "OutOfStock", ADVANCE: "LimitedAvailability", IN_STOCK: "InStock"}


def product_ld(product: DetailedProduct, card: Card, group: ProductGroup | None) -> str:
    """Return a product as a schema.org Product with an Offer, at the price of its card."""
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
        },
    }
    if card.offer:
        facts["offers"]["priceValidUntil"] = card.offer.ends_at.isoformat()
    if product.description:
        facts["description"] = product.description
    if product.picture_urls:
        facts["image"] = [urljoin(settings.SITE_URL, url) for url in product.picture_urls]
    if group:
        facts["inProductGroupWithID"] = group.code
    return json_ld(facts)


def _availability(product: DetailedProduct) -> str:
    """Return the availability by stock, without regard to a promotion's quota."""
    return f"https://schema.org/{_AVAILABILITY[stock_type(product, available=product.available)]}"
