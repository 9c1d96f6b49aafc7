"""The catalogue's pages (docs/product.md#pages); the home page is a Wagtail page of `content`."""

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from catalog.browse import brands as brandlist
from catalog.browse import listpage
from catalog.browse.bulk import bulk_cards
from catalog.browse.cards import cards, promotion_cards
from catalog.browse.categorypage import PATH as CATEGORIES_PATH
from catalog.browse.categorypage import category_page
from catalog.browse.choices import chips, named_categories, sort_choices
from catalog.browse.detail import product_context, sizes_context
from catalog.browse.facetpanel import FacetPanel, facet_panel
from catalog.browse.filters import Filters
from catalog.browse.listing import listing
from catalog.browse.merchant_feed import write_feed
from catalog.browse.page_cards import PageCards
from catalog.browse.promotion_bands import banded, bands, ids_of
from catalog.browse.promotions import named_items, products_of, running_promotion
from catalog.browse.showcases import Tile, category_tree
from catalog.promotions.models import Promotion
from catalog.rates.current import rate_now
from catalog.search.tasks import count_failed_search
from core.languages import CHINESE, ENGLISH, localised, other_html_language
from core.pages.public import public_page, read_only
from core.pictures.renditions import PAGE, picture_url
from core.wire import positive_number

BULK_PATH = "/home/bulk"
# The number of popular products on a list without products.
POPULAR = 8
# The number of recently viewed products that the browser stores.
MAX_CARDS = 20


@read_only
def to_home(request: HttpRequest) -> HttpResponse:
    """Redirect the root to the home page (docs/product.md#pages)."""
    return redirect(localised("/home"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render the 404 page in the reader's language, with the search field."""
    return render(request, "404.html", {"rate": rate_now()}, status=404)


@public_page(*listpage.PARAMETERS)
def shop(request: HttpRequest) -> HttpResponse:
    """Render the product list with facets, sorting and numbered pages (docs/product.md#pages)."""
    filters = listpage.filters_of(request.GET)
    number = listpage.page_number(request.GET)
    params = listpage.params_of(filters)
    found = listing(filters)
    if filters.word and found.counts.found.has_no_match:
        count_failed_search(filters.word)
    total = len(found)
    start = (number - 1) * listpage.PAGE_SIZE
    rate = rate_now()
    panel = facet_panel(filters, found.facets, listpage.price_faults(request.GET))
    heading, other_heading = _heading(filters, panel)
    canonical = [("brandName", panel.brand.name_en)] if panel.brand else listpage.canonical_params(filters)
    shown = cards(found.rows(start, start + listpage.PAGE_SIZE), rate)
    finds_nothing = bool(filters.word) and not any(found.counts.found.tiers)
    searched_instead = found.counts.found.searched_instead
    context = {
        "panel": panel,
        "filters": filters,
        "heading": heading,
        "other_heading": other_heading,
        "both_headings": f"{heading} {other_heading}".strip(),
        "instead": searched_instead,
        "unknown_diet": found.counts.found.unknown_diet,
        "named": named_categories(found.counts),
        "cards": shown,
        "total": total,
        "first": start + 1,
        "last": start + len(shown),
        "pager": listpage.pager(number, total, params),
        "sorts": sort_choices(filters),
        "chips": chips(filters, panel.names),
        "clear": listpage.shop_url(listpage.without(params, *listpage.NARROWING)),
        "word_alone": listpage.shop_url([("word", searched_instead or filters.word)]) if filters.word else "",
        "popular": cards(listing(Filters()).rows(0, POPULAR), rate) if finds_nothing else [],
        "tops": [] if shown else [Tile(top) for top, _children in category_tree()],
        "other_lang": other_html_language(),
        "crumbs": _list_crumbs(panel),
        "rate": rate,
        "noindex": not listpage.is_for_search_engines(filters) or not shown,
        "canonical_path": listpage.shop_url(canonical, number),
    }
    return render(request, "browse/shop.html", context)


@public_page("firstCategoryId", "goodsTypeId", "page")
def categories(request: HttpRequest) -> HttpResponse:
    """Render all groups of categories with the products of one (docs/product.md#categories)."""
    number = listpage.page_number(request.GET)
    rate = rate_now()
    page = category_page(request.GET)
    context = {"rate": rate, "noindex": page is None, "canonical_path": CATEGORIES_PATH}
    if page:
        total = len(page.found)
        start = (number - 1) * listpage.PAGE_SIZE
        shown = cards(page.found.rows(start, start + listpage.PAGE_SIZE), rate)
        context |= {
            "page": page,
            "heading": page.chosen.name,
            "other_heading": page.chosen.other_name,
            "other_lang": other_html_language(),
            "cards": shown,
            "total": total,
            "first": start + 1,
            "last": start + len(shown),
            "pager": listpage.pager(number, total, page.params, CATEGORIES_PATH),
            "whole_list": listpage.shop_url(page.params),
            # The list of the category is for search engines.
            "noindex": bool(request.GET),
        }
    return render(request, "browse/categories.html", context)


@public_page()
def category_menu(request: HttpRequest) -> HttpResponse:
    """Render the links to all categories alone, for the menu of the header."""
    tree = [(Tile(top), [Tile(child) for child in children]) for top, children in category_tree()]
    return render(request, "browse/category_menu.html", {"tree": tree})


def _heading(filters: Filters, panel: FacetPanel) -> tuple[str, str]:
    """Return the list's heading, and its name in the other language; empty if it has none."""
    place = panel.brand or panel.category
    if filters.word:
        return _("Results for “%(word)s”") % {"word": filters.word}, ""
    if place:
        return place.name, place.other_name
    if filters.promotion_id:
        return panel.names.get(("promotion", str(filters.promotion_id)), _("Promotion")), ""
    return (_("Bulk buying") if filters.bulk else _("All products")), ""


def _list_crumbs(panel: FacetPanel) -> list[tuple[str, str]]:
    if panel.brand:
        return [(_("Brands"), localised("/brand")), (panel.brand.name, "")]
    places = [panel.top] if panel.top else []
    if panel.category and panel.category != panel.top:
        places.append(panel.category)
    trail = [(_("Shop"), localised("/shop")), *((place.name, Tile(place).url) for place in places)]
    return [*trail[:-1], (trail[-1][0], "")]


@public_page("word")
def brands(request: HttpRequest) -> HttpResponse:
    """Render popular brands and all brands by initial, or those that match a word (docs/product.md#pages)."""
    word = listpage.word_of(request.GET)
    known = brandlist.all_brands()
    shown = brandlist.matching(known, word) if word else known
    context = {
        "word": word,
        "total": len(shown),
        "popular": [] if word else [brandlist.BrandTile(brand).logo for brand in brandlist.popular(known)],
        "letters": brandlist.by_initial(shown),
        "products_url": listpage.shop_url([("word", word)] if word else []),
        "crumbs": [(_("Brands"), "")],
        "noindex": bool(word),
        "rate": rate_now(),
    }
    return render(request, "browse/brands.html", context)


@read_only
def some_cards(request: HttpRequest) -> HttpResponse:
    """Render the cards of some products alone, in the requested order, without products not on sale.

    These are the browser's recently viewed products (docs/product.md#recently-viewed), so no cache has them.
    """
    numbers = map(positive_number, request.GET.get("ids", "").split(",", MAX_CARDS)[:MAX_CARDS])
    ids = list(dict.fromkeys(filter(None, numbers)))
    return render(request, "browse/cards.html", {"cards": PageCards(ids, rate_now()).of(ids)})


@require_safe
@cache_control(public=True, max_age=3600)
def merchant_feed(request: HttpRequest, language: str) -> StreamingHttpResponse:
    """Stream the products for Google Merchant Center (docs/production.md#product-feed).

    `language`: en or zh.
    """
    content = write_feed({"en": ENGLISH, "zh": CHINESE}[language])
    return StreamingHttpResponse(content, content_type="application/xml; charset=utf-8")


@public_page()
def product(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Render a product's page; raises Http404 if it is not on sale."""
    pk = positive_number(goods_id)
    context = product_context(pk) if pk else None
    if context is None:
        raise Http404
    return render(request, "browse/product.html", context)


@public_page()
def sizes(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Render the sizes of a product alone, for the dialog of its card; raises Http404 if there are none."""
    pk = positive_number(goods_id)
    context = sizes_context(pk) if pk else None
    if context is None:
        raise Http404
    return render(request, "browse/sizes.html", context)


@public_page("page")
def bulk(request: HttpRequest) -> HttpResponse:
    """Render the products of bulk buying with their price tiers."""
    number = listpage.page_number(request.GET)
    found = listing(Filters(bulk=True))
    total = len(found)
    start = (number - 1) * listpage.PAGE_SIZE
    rate = rate_now()
    context = {
        "cards": bulk_cards(found.rows(start, start + listpage.PAGE_SIZE), rate),
        "total": total,
        "first": start + 1,
        "last": min(start + listpage.PAGE_SIZE, total),
        "pager": listpage.pager(number, total, path=BULK_PATH),
        "crumbs": [(_("Bulk buying"), "")],
        "other_lang": other_html_language(),
        "noindex": bool(start) and start >= total,
        "canonical_path": listpage.page_url(BULK_PATH, [], number),
        "rate": rate,
    }
    return render(request, "browse/bulk.html", context)


@public_page()
def promotions(request: HttpRequest) -> HttpResponse:
    """Render the running promotions."""
    rate = rate_now()
    first = banded(Promotion.objects.running())
    context = {
        "bands": bands(first, PageCards(ids_of(first), rate)),
        "crumbs": [(_("Promotions"), "")],
        "other_lang": other_html_language(),
        "rate": rate,
    }
    return render(request, "promotions/promotions.html", context)


@public_page("page")
def promotion(request: HttpRequest, promotion_id: str) -> HttpResponse:
    """Render the products of a promotion; raises Http404 if it does not run."""
    pk = positive_number(promotion_id)
    found = running_promotion(pk) if pk else None
    if found is None:
        raise Http404
    rate = rate_now()
    number = listpage.page_number(request.GET)
    products = products_of(found)
    total = len(products)
    start = (number - 1) * listpage.PAGE_SIZE
    picture = picture_url(found.picture, PAGE)
    context = {
        "promotion": found,
        "named_items": named_items(found),
        "picture": picture,
        "share_picture": picture,
        "cards": promotion_cards(products[start : start + listpage.PAGE_SIZE], rate),
        "total": total,
        "first": start + 1,
        "last": min(start + listpage.PAGE_SIZE, total),
        "pager": listpage.pager(number, total, path=found.path),
        "crumbs": [(_("Promotions"), localised("/promotions")), (found.name, "")],
        "other_lang": other_html_language(),
        "noindex": start >= total,
        "canonical_path": listpage.page_url(found.path, [], number),
        "rate": rate,
    }
    return render(request, "promotions/promotion.html", context)
