"""The context of the product page: price, variants, gallery, facts and other products.

See docs/product.md#pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from wagtail.images.models import AbstractImage

from catalog.browse import listpage
from catalog.browse.cards import card_of, cards
from catalog.browse.listing import listable_products
from catalog.browse.paging import SHOP_ORDER
from catalog.browse.rows import listed_rows
from catalog.browse.showcases import Tile
from catalog.browse.structured_data import product_ld
from catalog.goods.listed import detailed
from catalog.goods.models import Allergen, Diet, Product, is_chinese
from catalog.goods.nutrition import panel_rows
from catalog.goods.pairs import bought_together
from catalog.goods.sellable import sellable_products
from catalog.promotions.offers import all_offers
from catalog.rates.current import rate_now
from core.languages import localised
from core.pictures.renditions import PAGE, picture_url

# The number of similar products, and of products that are bought together.
SHOWN = 6


@dataclass(frozen=True)
class Picture:
    """A picture of the gallery, with the URL of its largest size."""

    image: AbstractImage
    url: str


def product_context(pk: int) -> dict[str, Any] | None:
    """Return the context of a product's page; None if the product is not on sale."""
    on_sale = listable_products().select_related("group").prefetch_related("gallery__picture__renditions")
    row = on_sale.filter(pk=pk).first()
    if row is None:
        return None
    product = detailed(row, available=row.available)
    rate = rate_now()
    card = card_of(product, rate)
    gallery = _gallery(row)
    variants = cards(listed_rows(_variants(row)), rate)
    together = bought_together(pk, SHOWN)
    others = cards(listed_rows([*together, *_similar(row, together)]), rate)
    places = [place for place in (product.category.parent, product.category) if place]
    return {
        "card": card,
        "other_offers": [offer for offer in all_offers(pk) if offer != card.offer],
        "product": product,
        "gallery": gallery,
        "spec_name": _spec_name(row),
        "variants": variants,
        "allergens": [label for code, label in Allergen.choices if code in product.allergens],
        "may_contain": [label for code, label in Allergen.choices if code in product.may_contain],
        "diets": [label for code, label in Diet.choices if code in product.dietary_filters],
        "nutrition": panel_rows(product.nutrition) if product.nutrition else [],
        "brand_url": listpage.shop_url([("brandName", product.brand.name_en)]),
        "together": [card for card in others if card.product.id in together],
        "similar": [card for card in others if card.product.id not in together],
        "crumbs": [(_("Shop"), localised("/shop")), *((place.name, Tile(place).url) for place in places)],
        "json_ld": product_ld(product, card, row.group, variants),
        "share_picture": gallery[0].url if gallery else "",
        "rate": rate,
    }


def sizes_context(pk: int) -> dict[str, Any] | None:
    """Return the context of the variants of a product alone; None if it is not on sale or has none."""
    row = sellable_products().select_related("group").filter(pk=pk, group__isnull=False).first()
    if row is None:
        return None
    return {
        "name": row.name,
        "spec_name": _spec_name(row),
        "variants": cards(listed_rows(_variants(row)), rate_now()),
    }


def _gallery(product: Product) -> list[Picture]:
    images = [product.picture, *(row.picture for row in product.gallery.all())]
    return [Picture(image, url) for image in images if image and (url := picture_url(image, PAGE))]


def _variants(product: Product) -> list[int]:
    if product.group_id is None:
        return []
    variants = sellable_products().filter(group=product.group_id).order_by("net_weight", "pk")
    return list(variants.values_list("pk", flat=True))


def _similar(product: Product, together: Sequence[int]) -> list[int]:
    others = sellable_products().filter(category=product.category_id, sold_out=False)
    others = others.exclude(pk__in=[product.pk, *together])
    if product.group_id is not None:
        others = others.exclude(group=product.group_id)
    return list(others.order_by(*SHOP_ORDER).values_list("pk", flat=True)[:SHOWN])


def _spec_name(product: Product) -> str:
    group = product.group
    return (group.name_zh if is_chinese() else group.name_en) if group else ""
