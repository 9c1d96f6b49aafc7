"""The page of one good: price, variants, gallery, facts, and what goes well with it (SPEC 2, shopdetails)."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from wagtail.images.models import AbstractImage

from catalog.browse import listpage
from catalog.browse.cards import Card, card_of, cards
from catalog.browse.listing import ADVANCE, IN_STOCK, SOLD_OUT, on_shelves, stock_type
from catalog.browse.out import GALLERY
from catalog.browse.shelves import Tile
from catalog.goods.models import Allergen, Product, is_chinese
from catalog.goods.rates import rate_now
from core.jsonld import json_ld
from core.languages import localised
from core.money import aud
from core.pictures import PAGE, picture_url
from core.publicpages import public_page
from core.wire import positive_number

RELATED = 6
_AVAILABILITY = {SOLD_OUT: "OutOfStock", ADVANCE: "LimitedAvailability", IN_STOCK: "InStock"}


@dataclass(frozen=True)
class Picture:
    """One picture of the gallery, with the address of its largest size."""

    image: AbstractImage
    url: str


@public_page()
def goods(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Show one good; raises Http404 for one that is not on sale."""
    product = _found(goods_id)
    rate = rate_now()
    card = card_of(product, rate)
    gallery = [
        Picture(image, url)
        for image in (product.picture, *(row.picture for row in product.gallery.all()))
        if image and (url := picture_url(image, PAGE))
    ]
    shelves = [place for place in (product.category.parent, product.category) if place]
    context = {
        "card": card,
        "goods": product,
        "gallery": gallery,
        "spec_name": _spec_name(product),
        "variants": cards(_variants(product), rate),
        "allergens": [label for code, label in Allergen.choices if code in product.allergens],
        "brand_url": listpage.shop_url([("brandName", product.brand.name_en)]),
        "related": cards(_related(product), rate),
        "crumbs": [(_("Shop"), localised("/shop")), *((place.name, Tile(place).url) for place in shelves)],
        "json_ld": _product_ld(card, [picture.url for picture in gallery]),
        "share_picture": gallery[0].url if gallery else "",
        "rate": rate,
    }
    return render(request, "browse/goods.html", context)


def _found(goods_id: str) -> Product:
    number = positive_number(goods_id)
    on_sale = on_shelves().select_related("group").prefetch_related(GALLERY)
    product = on_sale.filter(pk=number).first() if number else None
    if product is None:
        raise Http404
    return product


def _variants(product: Product) -> "QuerySet[Product] | list[Product]":
    if product.group_id is None:
        return []
    return on_shelves().filter(group=product.group_id).order_by("net_weight", "pk")


def _related(product: Product) -> QuerySet[Product]:
    others = on_shelves().filter(category=product.category_id, sold_out=False).exclude(pk=product.pk)
    if product.group_id is not None:
        others = others.exclude(group=product.group_id)
    return others[:RELATED]


def _spec_name(product: Product) -> str:
    group = product.group
    return (group.name_zh if is_chinese() else group.name_en) if group else ""


def _product_ld(card: Card, pictures: list[str]) -> str:
    product = card.product
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
            "availability": f"https://schema.org/{_AVAILABILITY[stock_type(product)]}",
        },
    }
    if card.offer:
        facts["offers"]["priceValidUntil"] = card.offer.ends_at.isoformat()
    if product.description:
        facts["description"] = product.description
    if pictures:
        facts["image"] = [urljoin(settings.SITE_URL, picture) for picture in pictures]
    if product.group:
        facts["inProductGroupWithID"] = product.group.code
    return json_ld(facts)
