"""The pages of promotions: what runs now, and the goods of one of them."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalog.browse import listpage
from catalog.browse.cards import Card
from catalog.browse.promotions import first_goods, goods_counts, goods_of, running, running_promotion
from catalog.goods.rates import rate_now
from catalog.promotions.models import Promotion
from core.languages import localised, other_html_language
from core.pictures import PAGE, picture_url
from core.publicpages import public_page
from core.wire import positive_number

# Goods that the list shows of each promotion.
SHOWN = 6


@dataclass(frozen=True)
class Band:
    """A promotion with the first of its goods and the number of all."""

    promotion: Promotion
    cards: list[Card]
    total: int


@public_page()
def promotions(request: HttpRequest) -> HttpResponse:
    """Show the promotions that run now."""
    context = {
        "bands": bands(running()),
        "crumbs": [(_("Promotions"), "")],
        "other_lang": other_html_language(),
        "rate": rate_now(),
    }
    return render(request, "promotions/promotions.html", context)


@public_page("page")
def promotion(request: HttpRequest, promotion_id: str) -> HttpResponse:
    """Show the goods of one promotion; raises Http404 for one that does not run."""
    pk = positive_number(promotion_id)
    found = running_promotion(pk) if pk else None
    if found is None:
        raise Http404
    rate = rate_now()
    number = listpage.page_number(request.GET)
    goods = goods_of(found)
    total = len(goods)
    start = (number - 1) * listpage.PAGE_SIZE
    picture = picture_url(found.picture, PAGE)
    context = {
        "promotion": found,
        "picture": picture,
        "share_picture": picture,
        "cards": [Card(product, rate, offer) for product, offer in goods[start : start + listpage.PAGE_SIZE]],
        "total": total,
        "first": start + 1,
        "last": min(start + listpage.PAGE_SIZE, total),
        "pager": listpage.Pager(number, -(-total // listpage.PAGE_SIZE), [], found.path),
        "crumbs": [(_("Promotions"), localised("/promotions")), (found.name, "")],
        "other_lang": other_html_language(),
        "noindex": start >= total,
        "canonical_path": listpage.page_url(found.path, [], number),
        "rate": rate,
    }
    return render(request, "promotions/promotion.html", context)


def bands(shown: list[Promotion]) -> list[Band]:
    """Make the bands of promotions; five queries, however many."""
    rate = rate_now()
    goods, totals = first_goods(shown, SHOWN), goods_counts(shown)
    return [
        Band(row, [Card(product, rate, offer) for product, offer in goods[row.pk]], totals[row.pk])
        for row in shown
    ]
