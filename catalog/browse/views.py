"""The pages to browse: the list and one good. Home is a Wagtail page of `content`."""

from urllib.parse import urljoin

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from catalog.browse import listpage
from catalog.browse.cards import Card, cards
from catalog.browse.facetpanel import facet_panel
from catalog.browse.listing import Filters, listing
from catalog.browse.shelves import Tile
from catalog.goods.models import Category, Product, is_chinese
from catalog.goods.rates import rate_now
from catalog.promotions.pricing import member_price
from core.jsonld import json_ld
from core.languages import localised, other_html_language
from core.pictures import picture_url
from core.wire import positive_number

RELATED = 6
BIG_PICTURE = 640


def to_home(request: HttpRequest) -> HttpResponse:
    """Lead from the root to the home page (SPEC 2)."""
    return redirect(localised("/home"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that a page does not exist, in the reader's language, with the search in reach."""
    return render(request, "404.html", {"rate": rate_now()}, status=404)


def shop(request: HttpRequest) -> HttpResponse:
    """Show the goods list with facets, sorting and numbered pages (SPEC 2, `/shop`)."""
    filters = listpage.filters_of(request.GET)
    number = listpage.page_number(request.GET)
    params = listpage.params_of(filters)
    found = listing(filters)
    total = found.count()
    start = (number - 1) * listpage.PAGE_SIZE
    rate = rate_now()
    panel = facet_panel(filters)
    shelf = listpage.without(params, "word", "brandName", "stockType", "orderBy", "isAsc")
    context = {
        **panel,
        "filters": filters,
        "cards": cards(found[start : start + listpage.PAGE_SIZE], rate),
        "total": total,
        "first": start + 1,
        "last": min(start + listpage.PAGE_SIZE, total),
        "pager": listpage.Pager(number, -(-total // listpage.PAGE_SIZE), params),
        "sorts": listpage.sort_choices(filters),
        "chips": listpage.chips(filters, panel["brand_labels"]),
        "clear": listpage.shop_url(listpage.without(params, "word", "brandName", "stockType")),
        "other_lang": other_html_language(),
        "first_page": listpage.shop_url(params),
        "crumbs": _list_crumbs(panel["top"], panel["category"]),
        "rate": rate,
        "noindex": not listpage.is_for_search_engines(filters) or start >= total,
        "canonical_path": listpage.shop_url(shelf, number),
    }
    return render(request, "browse/shop.html", context)


def _list_crumbs(top: Category | None, category: Category | None) -> list[tuple[str, str]]:
    shelves = [place for place in (top, category if category != top else None) if place]
    trail = [(_("Shop"), localised("/shop")), *((place.name, Tile(place).url) for place in shelves)]
    return [*trail[:-1], (trail[-1][0], "")]


def goods(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Show one good with price, facts, variants and what goes well with it (SPEC 2, shopdetails)."""
    on_sale = listing(Filters())
    number = positive_number(goods_id)
    product = on_sale.filter(pk=number).first() if number else None
    if product is None:
        raise Http404
    rate = rate_now()
    card = Card(product, rate)
    variants = on_sale.filter(group=product.group_id).order_by("net_weight", "pk") if product.group_id else []
    related = on_sale.filter(category=product.category_id).exclude(pk=product.pk)[:RELATED]
    shelves = [place for place in (product.category.parent, product.category) if place]
    context = {
        "card": card,
        "goods": product,
        "picture": picture_url(product.picture, BIG_PICTURE),
        "spec_name": _spec_name(product),
        "variants": cards(variants, rate),
        "brand_url": listpage.shop_url([("brandName", product.brand.name_en)]),
        "related": cards(related, rate),
        "crumbs": [(_("Shop"), localised("/shop")), *((place.name, Tile(place).url) for place in shelves)],
        "json_ld": _product_ld(card, picture_url(product.picture, BIG_PICTURE)),
        "rate": rate,
    }
    return render(request, "browse/goods.html", context)


def _spec_name(product: Product) -> str:
    group = product.group
    return (group.name_zh if is_chinese() else group.name_en) if group else ""


def _product_ld(card: Card, picture: str | None) -> str:
    product = card.product
    return json_ld(
        {
            "@type": "Product",
            "name": product.name,
            "alternateName": product.other_name,
            "sku": product.sku,
            "description": product.description,
            "brand": {"@type": "Brand", "name": product.brand.name},
            **({"image": urljoin(settings.SITE_URL, picture)} if picture else {}),
            "offers": {
                "@type": "Offer",
                "url": settings.SITE_URL + card.url,
                "price": str(member_price(product)),
                "priceCurrency": "AUD",
                "availability": "https://schema.org/" + ("OutOfStock" if card.is_out else "InStock"),
            },
        }
    )
