"""The product feed for Google Merchant Center: RSS 2.0 with the elements that its specification adds.

See docs/production.md#product-feed.
"""

import re
from collections.abc import Iterator
from urllib.parse import urljoin
from xml.sax.saxutils import escape

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from catalog.browse.listing import listable_products
from catalog.goods.gtin import is_global
from catalog.goods.listed import SOLD_OUT, DetailedProduct, detailed
from catalog.goods.models import Category, Product
from catalog.promotions.pricing import PricedProduct, price_products
from core.languages import localised
from core.money import aud

MAX_ITEMS = 50_000
# The products of one step: their pictures, prices and offers are read together.
BATCH = 500
MAX_TITLE, MAX_DESCRIPTION, MAX_PICTURES = 150, 5000, 10
# Characters that XML 1.0 forbids.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def write_feed(language: str) -> Iterator[str]:
    """Yield the feed in a language: products on sale with a picture, by id, at most MAX_ITEMS.

    Six queries for each BATCH products.
    """
    with override(language):
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>'
            + _element("title", _("All products"))
            + _element("link", settings.SITE_URL + localised("/shop"))
            + _element("description", _("All products"))
        )
    yield head
    rows = listable_products().filter(picture__isnull=False).order_by("pk")
    rows = rows.select_related("group").prefetch_related("gallery__picture__renditions")
    last, left = 0, MAX_ITEMS
    while left and (batch := list(rows.filter(pk__gt=last)[: min(BATCH, left)])):
        last, left = batch[-1].pk, left - len(batch)
        with override(language):
            text = _items(batch)
        yield text
    yield "</channel></rss>\n"


def _items(batch: list[Product]) -> str:
    groups = {row.pk: row.group.code for row in batch if row.group}
    products = price_products([detailed(row, available=row.available) for row in batch])
    return "".join(
        _item(priced, groups.get(priced.product.id, "")) for priced in products if priced.product.picture_urls
    )


def _item(priced: PricedProduct[DetailedProduct], group: str) -> str:
    product = priced.product
    offered = priced.at_best_offer()
    picture, *others = (urljoin(settings.SITE_URL, url) for url in product.picture_urls)
    is_out = offered.stock_type == SOLD_OUT
    elements = [
        ("g:id", product.sku),
        ("title", product.name[:MAX_TITLE]),
        ("description", (product.description or product.name)[:MAX_DESCRIPTION]),
        ("link", settings.SITE_URL + localised(f"/shop/shopdetails/{product.id}")),
        ("g:image_link", picture),
        *(("g:additional_image_link", url) for url in others[:MAX_PICTURES]),
        ("g:availability", "out_of_stock" if is_out else "in_stock"),
        ("g:price", f"{aud(priced.price)} AUD"),
        *([("g:sale_price", f"{aud(offered.price)} AUD")] if offered.price < priced.price else []),
        ("g:condition", "new"),
        ("g:brand", product.brand.name),
        *([("g:gtin", product.gtin)] if is_global(product.gtin) else [("g:identifier_exists", "no")]),
        *([("g:item_group_id", group)] if group else []),
        ("g:product_type", " > ".join(place.name for place in _places(product))),
        ("g:shipping_weight", f"{product.net_weight} g"),
    ]
    return f"<item>{''.join(_element(name, text) for name, text in elements)}</item>\n"


def _places(product: DetailedProduct) -> list[Category]:
    return [place for place in (product.category.parent, product.category) if place]


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(_FORBIDDEN.sub('', text))}</{name}>"
