"""robots.txt, and the sitemaps of all pages in both languages (sitemaps.org).

Django's own sitemaps would read all products in both languages for each part.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from wagtail.models import Page

from catalog.browse.listing import Filters, facets
from catalog.browse.listpage import shop_url
from catalog.browse.promotions import running
from catalog.goods.models import Category
from catalog.goods.sellable import sellable_products
from content.models import SpecialArea
from content.privacy import public_pages
from core.languages import CHINESE, ENGLISH, HTML_LANGUAGE, in_language
from core.pages.public import read_only

# The products of one part; each has two URLs, and a part may contain 50,000.
PART = 10_000
# The maximum number of parts in an index.
MAX_PARTS = 50_000
XML = "application/xml; charset=utf-8"
LISTS = ("/shop", "/categories", "/brand", "/areas", "/promotions", "/home/bulk", "/delivery", "/download")
# Paths that search engines should skip.
CLOSED = ("/admin", "/api/", "/home/cart", "/home/account", "/home/createOrder", "/home/login", "/home/sign")
# Crawlers come a few times a day, and a part takes a moment to create.
_cached = cache_control(public=True, max_age=3600)
# The path and the last change, if known, of a page in each of its languages.
Versions = dict[str, tuple[str, datetime | None]]


@read_only
@_cached
def robots(request: HttpRequest) -> HttpResponse:
    """Serve robots.txt: the sitemap's URL and the paths to skip (RFC 9309)."""
    closed = [in_language(path, code) for path in CLOSED for code in (ENGLISH, CHINESE)]
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in dict.fromkeys(closed)),
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@read_only
@_cached
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the parts of the sitemap."""
    parts = -(-sellable_products().count() // PART)
    names = ["pages", *(f"goods-{number}" for number in range(1, parts + 1))]
    context = {"parts": [f"{settings.SITE_URL}/sitemap-{name}.xml" for name in names]}
    return render(request, "content/sitemap_index.xml", context, content_type=XML)


@read_only
@_cached
def pages(request: HttpRequest) -> HttpResponse:
    """List editors' pages, fixed lists, and the categories, brands, areas and promotions with products."""
    counts = facets(Filters())
    categories = Category.objects.filter(pk__in=counts.categories).values_list("pk", "parent_id")
    areas = SpecialArea.objects.shown().values_list("pk", "last_published_at")
    paths = [
        *LISTS,
        *(shop_url([("goodsTypeId" if parent else "firstCategoryId", str(pk))]) for pk, parent in categories),
        # Brands of the same name share a list.
        *dict.fromkeys(shop_url([("brandName", brand.name_en)]) for brand, _count in counts.brands),
        *(promotion.path for promotion in running()),
    ]
    listed = [_in_both(path) for path in paths]
    listed += [_in_both(f"/areas/{pk}", changed) for pk, changed in areas]
    return _part(request, [*_written(), *listed])


@read_only
@_cached
def products(request: HttpRequest, number: int) -> HttpResponse:
    """List the products of one part; raises Http404 for a part that does not exist."""
    if not 1 <= number <= MAX_PARTS:
        raise Http404
    rows = sellable_products().order_by("pk").values_list("pk", "updated_at")
    part = rows[(number - 1) * PART : number * PART]
    listed = [_in_both(f"/shop/shopdetails/{pk}", changed) for pk, changed in part]
    if not listed:
        raise Http404
    return _part(request, listed)


def _in_both(path: str, changed: datetime | None = None) -> Versions:
    return {code: (in_language(path, code), changed) for code in (ENGLISH, CHINESE)}


def _written() -> Iterable[Versions]:
    """Return the public pages of the editors' trees, each in its published languages."""
    found: dict[UUID, Versions] = defaultdict(dict)
    for page in public_pages(Page.objects.filter(depth__gt=2)).select_related("locale"):
        if path := page.get_url():
            found[page.translation_key][page.locale.language_code] = (path, page.last_published_at)
    return found.values()


def _part(request: HttpRequest, listed: Iterable[Versions]) -> HttpResponse:
    urls = []
    for versions in listed:
        there = {code: settings.SITE_URL + path for code, (path, _changed) in versions.items()}
        alternates = [(HTML_LANGUAGE[code], address) for code, address in there.items()]
        if ENGLISH in there:
            alternates.append(("x-default", there[ENGLISH]))
        urls += [(there[code], alternates, changed) for code, (_path, changed) in versions.items()]
    return render(request, "content/sitemap.xml", {"urls": urls}, content_type=XML)
