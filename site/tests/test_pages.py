"""Rules for every page of the shop, in both languages."""

import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client, override_settings
from pytest_django import DjangoAssertNumQueries
from wagtail.images.models import Image
from wagtail.images.tests.utils import get_test_image_file

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.writing import writing_catalogue
from catalog.stock.tests.builders import stock_all
from core.pictures.renditions import make_renditions
from core.tests.pages import shown
from tests.test_addresses import CLOSED

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

SHELLS = tuple(path for path in CLOSED if path != "/offline")
GUARDED = tuple(path for path in SHELLS if "/account/" in path or "/payResult/" in path)
CHINESE = "/zh-hans"
SECTIONS = (
    "/home",
    "/categories",
    "/shop",
    "/promotions",
    "/home/bulk",
    "/areas",
    "/brand",
    "/home/cart",
    "/home/account/orders",
    "/home/account/accountdetails",
    "/home/account/logis",
    "/home/account/reorder",
    "/home/account/wallet",
    "/home/account/rewards",
    "/home/account/useraddress",
    "/home/account/password",
)
# On a phone the account is one section.
ACCOUNT = "/home/account/accountdetails"


def make_catalogue(count: int) -> list[Product]:
    """Make products with pictures and stock, spread over five categories."""
    picture = Image.objects.create(title="dish", file=get_test_image_file())
    make_renditions(picture)
    brands = [make_brand() for _ in range(3)]
    categories = [make_category(parent=make_category(picture=picture), picture=picture) for _ in range(5)]
    with writing_catalogue():
        products = [
            make_product(category=categories[number % 5], brand=brands[number % 3], picture=picture)
            for number in range(count)
        ]
    stock_all(products[:10], 50)
    return products


def pages_of(product: Product) -> list[str]:
    return ["/home", "/shop", f"/shop/shopdetails/{product.pk}", *SHELLS]


def both(path: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """A path in each language with the value of its lang attribute."""
    return (path, "en-AU"), (CHINESE + path, "zh-Hans")


@pytest.fixture
def product() -> Product:
    return make_catalogue(30)[0]


def test_language_switch_keeps_path_and_query(client: Client) -> None:
    assert 'href="/zh-hans/shop?page=1&amp;stockType=1"' in shown(client, "/shop?page=1&stockType=1")
    assert 'href="/shop?page=1&amp;stockType=1"' in shown(client, "/zh-hans/shop?page=1&stockType=1")


def test_pages_need_no_inline_script_or_style_and_each_registered_island_has_a_page(client: Client) -> None:
    base = Path(settings.BASE_DIR)
    registered = set(
        re.findall(r"'?([\w-]+)'?: \(\) =>", (base / "islands" / "registry.ts").read_text("utf-8"))
    )
    used, waits = set(), set()
    for template in (base / "templates").rglob("*.html"):
        used |= set(re.findall(r'{% island "([\w-]+)"', template.read_text("utf-8")))
    for path in (*pages_of(make_catalogue(1)[0]), "/offline"):
        html = shown(client, path)
        assert 'style="' not in html
        assert "<style" not in html
        assert not re.search(r"\son\w+=", html)
        for attributes in re.findall(r"<script\b([^>]*)>", html):
            assert "src=" in attributes or "application/ld+json" in attributes
        for name, props in re.findall(r'<shop-island name="([^"]+)"[^>]* props="([^"]*)"', html):
            used.add(name)
            json.loads(unescape(props))
        # It waits for its navigation if it has one.
        waits.add('id="navigation"' in html)
        assert ('href="#navigation"' in html) == ('id="navigation"' in html), path
    assert used == registered
    assert len(waits) == 2


@pytest.mark.slow
def test_every_link_links_to_a_page(client: Client, product: Product) -> None:
    seen: set[str] = set()
    for path in pages_of(product):
        for address, _lang in both(path):
            html = shown(client, address)
            found = re.findall(r'<a\b[^>]*\bhref="([^"]+)"', html) + re.findall(
                r'<form\b[^>]*\baction="([^"]+)"', html
            )
            for link in map(unescape, found):
                parts = urlsplit(link)
                if parts.scheme in ("tel", "mailto"):
                    continue
                if not parts.path:
                    assert f'id="{parts.fragment}"' in html, (address, link)
                    continue
                assert parts.path.startswith(CHINESE) == address.startswith(CHINESE) or "hreflang" in html
                seen.add(f"{parts.path}?{parts.query}" if parts.query else parts.path)
    assert len(seen) > 60
    for link in sorted(seen):
        assert client.get(link).status_code in (200, 302), link


def test_pages_that_need_script_show_it_and_guarded_ones_look_for_a_token_before_anything_is_painted(
    client: Client,
) -> None:
    for path in SHELLS:
        for (address, _lang), text in zip(
            both(path), ("This page needs JavaScript", "请在浏览器中启用"), strict=True
        ):
            html = shown(client, address)
            assert '<meta name="robots" content="noindex">' in html
            assert text in html
            head = html.split("</head>")[0]
            assert ("js/guard.js" in head) == (path in GUARDED), address
            if path in GUARDED:
                assert f'data-login="{address.removesuffix(path)}/home/login"' in head


def test_every_symbol_of_pages_and_islands_is_in_the_sprite() -> None:
    base = Path(settings.BASE_DIR)
    sprite = set(re.findall(r'<symbol id="([^"]+)"', (base / "static/img/icons.svg").read_text("utf-8")))
    islands = re.search(r"ICONS = \[(.+?)\]", (base / "islands/ui/icons.ts").read_text("utf-8"), re.S)
    assert islands
    used = set(re.findall(r"'([\w-]+)'", islands[1]))
    for template in (base / "templates").rglob("*.html"):
        used |= set(re.findall(r'{% icon "([\w-]+)" %}', template.read_text("utf-8")))
    assert len(used) > 30
    assert used <= sprite


def test_the_error_page_is_in_both_languages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.browse.views.rate_now", lambda: 1 / 0)
    client.raise_request_exception = False
    for address, text in (("/shop", "Server exception"), ("/zh-hans/shop", "服务器异常")):
        response = client.get(address)
        assert response.status_code == 500
        assert text in response.content.decode()
        assert "Traceback" not in response.content.decode()


# Most of the home page's read snapshots: of products, brands, slides, areas, the shop's settings. A product's
# page also reads freight rules, for search engines. In tests nothing is shared, in a shop snapshots are read
# every two seconds (`site/content/tests/test_home.py`).
@pytest.mark.parametrize("goods", [10, 490])
@pytest.mark.slow
def test_pages_take_the_same_queries_however_many_products(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, goods: int
) -> None:
    made = make_catalogue(goods)[0]
    pages = {
        "/home": 30,
        f"/shop?goodsTypeId={made.category_id}&brandName={made.brand.name_en}": 19,
        f"/shop/shopdetails/{made.pk}": 19,
    }
    for path, queries in pages.items():
        shown(client, path)
        with django_assert_num_queries(queries):
            shown(client, path)


@override_settings(STATICFILES_DIRS=[])
def test_pages_can_be_read_before_the_islands_are_built(client: Client) -> None:
    make_product(name_en="Honey")
    html = shown(client, "/shop")
    assert "Honey" in html
    assert 'type="module"' not in html
    assert 'href="/static/css/shop.css"' in html


def test_the_links_to_the_section_one_is_in_alone_are_active(client: Client) -> None:
    for section in SECTIONS:
        for path, _lang in both(section):
            links = re.findall(r'<a\b[^>]*\bhref="([^"]+)"([^>]*)>', shown(client, path))
            marked = [
                href for href, rest in links if 'class="active"' in rest and 'aria-current="page"' in rest
            ]
            halves = [href for href, rest in links if ("active" in rest) is not ("aria-current" in rest)]
            prefix = path.removesuffix(section)
            sections = {path, prefix + ACCOUNT} if "/account/" in section else {path}
            assert set(marked) == sections, path
            assert halves == [], path
