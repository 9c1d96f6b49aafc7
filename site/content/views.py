"""The views of special areas, and of pages outside of the editors' tree."""

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from wagtail.models import Page, Site
from wagtail.url_routing import RouteResult
from wagtail.views import serve

from catalog.browse import listpage
from catalog.browse.cards import cards
from catalog.browse.rows import listed_rows
from catalog.rates.current import rate_now
from content.models import HomePage
from content.models.home import SLUG
from content.windows import all_areas, area_products, area_shown
from core.languages import CHINESE, localised, other_html_language, reader_language
from core.pages.public import public_page, read_only
from core.pictures.renditions import PAGE, picture_url
from core.snapshots import PageRows
from core.wire import positive_number

INFORMATION_PATH = "home/about-us/information"


@public_page()
def areas(request: HttpRequest) -> HttpResponse:
    """Show all special areas."""
    context = {
        "areas": [area.tile() for area in all_areas()],
        "crumbs": [(_("Special areas"), "")],
        "rate": rate_now(),
    }
    return render(request, "content/areas.html", context)


@public_page("page")
def area(request: HttpRequest, area_id: str) -> HttpResponse:
    """Show a page of a special area's products; raises Http404."""
    pk = positive_number(area_id)
    found = area_shown(pk) if pk else None
    if found is None:
        raise Http404
    number = listpage.page_number(request.GET)
    products = area_products(found)
    total = products.count()
    start = (number - 1) * listpage.PAGE_SIZE
    shown = products.values_list("pk", flat=True)[start : start + listpage.PAGE_SIZE]
    rate = rate_now()
    path = f"/areas/{found.pk}"
    context = {
        "area": found,
        "cards": cards(listed_rows(list(shown)), rate),
        "total": total,
        "first": start + 1,
        "last": min(start + listpage.PAGE_SIZE, total),
        "pager": listpage.pager(number, total, path=path),
        "crumbs": [(_("Special areas"), localised("/areas")), (found.name, "")],
        "other_lang": other_html_language(),
        "noindex": start >= total,
        "canonical_path": listpage.page_url(path, [], number),
        "share_picture": picture_url(found.image, PAGE),
        "rate": rate,
    }
    return render(request, "content/area.html", context)


@public_page()
def editors_page(request: HttpRequest, path: str) -> HttpResponse:
    """Serve a page of the editors' tree."""
    if path.strip("/") == SLUG and (home := _home_page()):
        # Wagtail uses this attribute instead of routing again.
        request._wagtail_route_for_request = RouteResult(home)  # type: ignore[attr-defined]
    response: HttpResponse = serve(request, path)
    return response


@public_page()
def information_in_chinese(request: HttpRequest) -> HttpResponse:
    """Serve the Chinese information page at its second URL (docs/product.md#pages)."""
    with translation.override(CHINESE):
        # For a private page, Wagtail asks for a password or login.
        response: HttpResponse = serve(request, INFORMATION_PATH)
        return response.render() if isinstance(response, TemplateResponse) else response


@public_page()
def download(request: HttpRequest) -> HttpResponse:
    """Show how to add the shop to a phone's home screen, with a QR code of its URL.

    See docs/product.md#pages.
    """
    address = settings.SITE_URL + localised("/home")
    code = segno.make(address, error="m").svg_inline(scale=6, border=2, omitsize=True, dark="#121f5e")
    context = {"address": address, "qr_code": SafeString(code), "rate": rate_now()}
    return render(request, "content/download.html", context)


@read_only
def without_slash(request: HttpRequest, path: str) -> HttpResponse:
    """Redirect a path that ends with a slash to the path without it.

    See docs/product.md#pages.
    """
    query = request.META.get("QUERY_STRING", "")
    there = localised("/" + path.strip("/"))
    return redirect(f"{there}?{query}" if query else there, permanent=True)


def _home_page() -> HomePage | None:
    """Return the home page in the reader's language; None if Wagtail must find it.

    The ids of home pages take three queries in SNAPSHOT_SECONDS; the page itself is read each time.
    """
    pk = _homes.get().get(reader_language())
    found: HomePage | None = HomePage.objects.live().filter(pk=pk).first() if pk else None
    return found


def _read_homes() -> dict[str, int]:
    """Return the ids of the home pages by language, below the roots of the only site."""
    sites = list(Site.objects.select_related("root_page")[:2])
    if len(sites) != 1:
        return {}
    roots = Page.objects.filter(translation_key=sites[0].root_page.translation_key)
    language_of = dict(roots.values_list("path", "locale__language_code"))
    homes = HomePage.objects.filter(slug=SLUG).values_list("path", "pk")
    return {
        language_of[above]: pk for path, pk in homes if (above := path[: -HomePage.steplen]) in language_of
    }


_homes = PageRows(_read_homes, Site, HomePage)
