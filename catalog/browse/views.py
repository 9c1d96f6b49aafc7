"""The pages to browse: the list; one good has `detail`, home is a Wagtail page of `content`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from catalog.browse import brands as brandlist
from catalog.browse import listpage
from catalog.browse.cards import cards
from catalog.browse.choices import chips, sort_choices
from catalog.browse.facetpanel import FacetPanel, facet_panel
from catalog.browse.filters import Filters
from catalog.browse.listing import listing
from catalog.browse.shelves import Tile, category_tree
from catalog.goods.rates import rate_now
from catalog.search.tasks import tell_unfound
from core.languages import localised, other_html_language
from core.publicpages import public_page, read_only


@read_only
def to_home(request: HttpRequest) -> HttpResponse:
    """Lead from the root to the home page (SPEC 2)."""
    return redirect(localised("/home"))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say that a page does not exist, in the reader's language, with the search in reach."""
    return render(request, "404.html", {"rate": rate_now()}, status=404)


@public_page(*listpage.PARAMETERS)
def shop(request: HttpRequest) -> HttpResponse:
    """Show the goods list with facets, sorting and numbered pages (SPEC 2, `/shop`)."""
    filters = listpage.filters_of(request.GET)
    number = listpage.page_number(request.GET)
    params = listpage.params_of(filters)
    found = listing(filters)
    if filters.word and found.tally.found.is_missed:
        tell_unfound(filters.word)
    total = len(found)
    start = (number - 1) * listpage.PAGE_SIZE
    rate = rate_now()
    panel = facet_panel(filters, found.facets, listpage.price_faults(request.GET))
    heading, other_heading = _heading(filters, panel)
    shelf = [("brandName", panel.brand.name_en)] if panel.brand else listpage.shelf_of(filters)
    shown = cards(found[start : start + listpage.PAGE_SIZE], rate)
    instead = found.tally.found.instead
    context = {
        "panel": panel,
        "filters": filters,
        "heading": heading,
        "other_heading": other_heading,
        "both_headings": f"{heading} {other_heading}".strip(),
        "instead": instead,
        "cards": shown,
        "total": total,
        "first": start + 1,
        "last": start + len(shown),
        "pager": listpage.Pager(number, -(-total // listpage.PAGE_SIZE), params),
        "sorts": sort_choices(filters),
        "chips": chips(filters, panel.names),
        "clear": listpage.shop_url(listpage.without(params, *listpage.NARROWING)),
        "word_alone": listpage.shop_url([("word", instead or filters.word)]) if filters.word else "",
        "shelves": [] if shown else [Tile(top) for top, _children in category_tree()],
        "other_lang": other_html_language(),
        "crumbs": _list_crumbs(panel),
        "rate": rate,
        "noindex": not listpage.is_for_search_engines(filters) or not shown,
        "canonical_path": listpage.shop_url(shelf, number),
    }
    return render(request, "browse/shop.html", context)


def _heading(filters: Filters, panel: FacetPanel) -> tuple[str, str]:
    """Return what the list is called, and its name in the other language, empty where it has none."""
    place = panel.brand or panel.category
    if filters.word:
        return _("Results for “%(word)s”") % {"word": filters.word}, ""
    if place:
        return place.name, place.other_name
    if filters.promotion_id:
        return panel.names.get(("promotion", str(filters.promotion_id)), _("Promotion")), ""
    return (_("Bulk buying") if filters.bulk else _("All goods")), ""


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
    """Show the popular brands and all of them by initial, or those a word fits (SPEC 2, `/brand`)."""
    word = listpage.word_of(request.GET)
    known = brandlist.all_brands()
    shown = brandlist.matching(known, word) if word else known
    context = {
        "word": word,
        "total": len(shown),
        "popular": [] if word else [brandlist.BrandTile(brand) for brand in brandlist.popular(known)],
        "letters": brandlist.by_initial(shown),
        "goods_url": listpage.shop_url([("word", word)] if word else []),
        "crumbs": [(_("Brands"), "")],
        "noindex": bool(word),
        "rate": rate_now(),
    }
    return render(request, "browse/brands.html", context)
