"""The favourites pages: the customer's own lists, which an island fills, and a shared list."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from catalog.browse.listpage import PAGE_SIZE, page_number, page_url, pager
from catalog.browse.page_cards import PageCards
from catalog.browse.shell import shell
from catalog.rates.current import rate_now
from commerce.favourites.reading import products_on_sale, shared_list
from commerce.favourites.serializers import share_path
from core.pages.public import read_only


@read_only
def favourites(request: HttpRequest) -> HttpResponse:
    """Show the customer's favourites and lists."""
    return shell(request, "favourites/favourites.html", page="favourites", heading=_("Favourites"))


@never_cache  # A link that has ended must not be cached.
@read_only
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show a shared list without its customer's name; raises Http404 if the link has ended."""
    row = shared_list(token)
    if row is None:
        raise Http404
    ids = products_on_sale(row)
    number = page_number(request.GET)
    start = (number - 1) * PAGE_SIZE
    rate = rate_now()
    path = share_path(token)
    shown = ids[start : start + PAGE_SIZE]
    heading = row.share_title or _("A shared list")
    context = {
        "heading": heading,
        "crumbs": [(heading, "")],
        "cards": PageCards(shown, rate).of(shown),
        "total": len(ids),
        "first": start + 1,
        "last": start + len(shown),
        "pager": pager(number, len(ids), path=path),
        "noindex": True,
        "canonical_path": page_url(path, [], number),
        "rate": rate,
    }
    return render(request, "favourites/shared.html", context)
