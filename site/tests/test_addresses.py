"""What every URL of the shop answers, in both languages (docs/product.md#pages)."""

import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from django.conf import settings
from django.test import Client

from catalog.goods.tests.builders import make_product
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.tests.builders import stock
from content.models import InformationPage
from content.tests.builders import make_area, make_slide
from tests.combinations import choose
from tests.reading import PageReader, read_page

# The metadata of pages in markup; `test_pages.py` renders them on either database.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

# Prefix, lang attribute, Content-Language, and what the Open Graph protocol calls it.
LANGUAGES = (("", "en-AU", "en", "en_AU"), ("/zh-hans", "zh-Hans", "zh-hans", "zh_CN"))
# Redirects, and where they lead.
LEADS = {
    "/": "/home",
    "/home/sign": "/home/login#register",
    "/home/account": "/home/account/accountdetails",
    "/home/createOrder": "/home/createOrder/delivery",
}
# Pages that search engines may show.
OPEN = (
    "/home",
    "/page",
    "/shop",
    "/shop?firstCategoryId={top}",
    "/shop?goodsTypeId={category}",
    "/shop?brandName={brand}",
    "/shop/shopdetails/{goods}",
    "/brand",
    "/categories",
    "/areas",
    "/areas/{area}",
    "/promotions",
    "/promotions/{promotion}",
    "/home/bulk",
    "/home/about-us",
    "/home/about-us/information",
    "/home/about-us/delivery",
    "/home/about-us/payment",
    "/home/about-us/help",
    "/home/privacyPolicy",
    "/home/terms",
    "/home/returns",
    "/home/contact",
    "/download",
)
# Pages that only the customer may see.
CLOSED = (
    "/home/login",
    "/home/cart",
    "/home/createOrder/delivery",
    "/home/createOrder/payType",
    "/home/account/accountdetails",
    "/home/account/orders",
    "/home/account/orderdetails/1001",
    "/home/account/useraddress",
    "/home/account/favourites",
    "/home/account/wallet",
    "/home/account/password",
    "/home/payResult/1001",
    "/offline",
)
MISSING = (
    "/nothing",
    "/home/nothing",
    "/home/account/nothing",
    "/shop/nothing",
    "/shop/shopdetails/999999999",
    "/shop/shopdetails/word",
    "/areas/999999999",
    "/promotions/999999999",
    "/areas/word",
    "/shop?page=0",
)


@dataclass(frozen=True)
class Shown:
    """The objects that the table's URLs name."""

    goods: int
    category: int
    top: int
    brand: str
    area: int
    promotion: int

    def path(self, pattern: str) -> str:
        """Fill in a URL of the table."""
        return pattern.format(**vars(self))


@pytest.fixture
def shown() -> Shown:
    product = make_product(
        description_en="Fragrant rice.", description_zh="香米。", is_bulk=True, carton_size=6
    )
    stock(product, 50)
    make_slide()
    promotion = make_promotion((product, "3.25"))
    return Shown(
        goods=product.pk,
        category=product.category_id,
        top=product.top_category_id,
        brand=quote(product.brand.name_en, safe="").replace("%20", "+"),
        area=make_area(product).pk,
        promotion=promotion.pk,
    )


def both(shown: Shown, pattern: str) -> list[tuple[str, PageReader]]:
    """Read a page in English and in Chinese; each with its URL."""
    client = Client()
    addresses = [prefix + shown.path(pattern) for prefix, *_ in LANGUAGES]
    return [(address, read_page(client, address)) for address in addresses]


def check_language_and_addresses(shown: Shown, pattern: str, pages: list[tuple[str, PageReader]]) -> None:
    english, chinese = (settings.SITE_URL + prefix + shown.path(pattern) for prefix, *_ in LANGUAGES)
    for (address, page), (_prefix, lang, _code, _locale) in zip(pages, LANGUAGES, strict=True):
        assert page.lang == lang, address
        assert page.canonical == settings.SITE_URL + address
        assert page.alternates == {"en-AU": english, "zh-Hans": chinese, "x-default": english}, address
        assert len(page.h1) == 1, address
        assert '<a class="skip" href="#main">' in page.html, address
        assert re.fullmatch(r"\S.* · \S.*", page.title), address
        assert ("noindex" in page.meta.get("robots", "")) == (pattern in CLOSED), address


def check_sharing(pages: list[tuple[str, PageReader]]) -> None:
    for (address, page), (_p, _l, _c, locale) in zip(pages, LANGUAGES, strict=True):
        assert page.title == f"{page.meta['og:title']} · {page.meta['og:site_name']}", address
        assert page.meta["og:description"] == page.meta["description"]
        assert page.meta["og:url"] == page.canonical
        assert page.meta["og:type"] in ("website", "article", "product")
        assert page.meta["og:image"].startswith(settings.SITE_URL + "/")
        assert {page.meta["og:locale"], page.meta["og:locale:alternate"]} == {"en_AU", "zh_CN"}
        assert page.meta["og:locale"] == locale


def test_pages_name_their_language_their_url_their_translation_and_what_is_shared(shown: Shown) -> None:
    titles: Counter[str] = Counter()
    descriptions: Counter[str] = Counter()
    for pattern in (*OPEN, *CLOSED):
        pages = both(shown, pattern)
        check_language_and_addresses(shown, pattern, pages)
        check_sharing(pages)
        (_, english), (_, chinese) = pages
        assert english.title != chinese.title
        assert english.meta["description"] != chinese.meta["description"]
        if pattern in CLOSED:
            continue
        for address, page in pages:
            assert 8 <= len(page.meta["description"]) <= 160, address
            titles[page.title] += 1
            descriptions[page.meta["description"]] += 1
    assert [title for title, times in titles.items() if times > 1] == []
    assert [text for text, times in descriptions.items() if times > 1] == []


def test_a_page_with_a_picture_is_shared_with_it(client: Client, shown: Shown) -> None:
    area = read_page(client, f"/areas/{shown.area}").meta["og:image"]
    assert area.startswith(f"{settings.SITE_URL}/media/")
    assert client.get(area.removeprefix(settings.SITE_URL)).status_code == 200
    shop = read_page(client, "/shop").meta["og:image"]
    assert shop == f"{settings.SITE_URL}/static/img/icon-512.png"


def test_a_trailing_slash_redirects_to_the_url_without_it(client: Client, shown: Shown) -> None:
    for pattern in (*OPEN, *CLOSED, *(path for path in LEADS if path != "/")):
        if "?" in pattern:
            continue
        for prefix, *_ in LANGUAGES:
            address = prefix + shown.path(pattern)
            for query in ("", "?page=2&word=%E8%8F%9C"):
                slashed = client.get(f"{address}/{query}")
                assert (slashed.status_code, slashed["Location"]) == (301, f"{address}{query}")


def test_some_urls_redirect_in_the_readers_language(client: Client, shown: Shown) -> None:
    for path, target in LEADS.items():
        for prefix, *_ in LANGUAGES:
            for address in {prefix + path, (prefix + path).rstrip("/") or "/"}:
                response = client.get(address)
                assert (response.status_code, response["Location"]) == (302, prefix + target), address


def test_the_second_url_of_the_chinese_information_page(
    client: Client, shown: Shown, subtests: pytest.Subtests
) -> None:
    for prefix in ["", "/zh-hans"]:
        with subtests.test(prefix=prefix):
            page = read_page(client, f"{prefix}/home/about-us/information-zh")
            english = f"{settings.SITE_URL}/home/about-us/information"
            chinese = f"{settings.SITE_URL}/zh-hans/home/about-us/information"
            assert (page.lang, page.h1) == ("zh-Hans", ["关于东碗"])
            assert page.canonical == page.meta["og:url"] == chinese
            assert page.alternates == {"en-AU": english, "zh-Hans": chinese, "x-default": english}


def test_the_not_found_page_is_in_the_readers_language(client: Client, shown: Shown) -> None:
    for path in MISSING:
        for (prefix, lang, code, _locale), heading in zip(
            LANGUAGES, ("Page not found", "页面不存在"), strict=True
        ):
            response = client.get(prefix + path)
            page = PageReader(response.content.decode())
            assert (response.status_code, page.lang, page.h1) == (404, lang, [heading]), path
            assert response["Content-Language"] == code
            assert page.meta["robots"] == "noindex"
            assert 'name="word"' in page.html


def test_pages_refuse_methods_that_write(shown: Shown) -> None:
    client = Client(enforce_csrf_checks=True)
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for pattern in (*OPEN, *CLOSED, *LEADS):
            for prefix, *_ in choose(method + pattern, LANGUAGES):
                response = client.generic(method, prefix + shown.path(pattern))
                assert (response.status_code, response["Allow"]) == (405, "GET, HEAD"), (method, pattern)


def test_head_answers_as_get_does(client: Client, shown: Shown) -> None:
    for pattern in (*OPEN, *CLOSED):
        for prefix, *_ in choose(pattern, LANGUAGES):
            response = client.head(prefix + shown.path(pattern))
            assert (response.status_code, response.content) == (200, b"")


def test_an_untranslated_page_names_no_translation(client: Client, shown: Shown) -> None:
    path = "/home/about-us/delivery"
    InformationPage.objects.get(locale__language_code="zh-hans", slug="delivery").unpublish()
    page = read_page(client, path)
    assert page.canonical == settings.SITE_URL + path
    assert page.alternates == {}
    assert "og:locale:alternate" not in page.meta
    assert client.get("/zh-hans" + path).status_code == 404
    sitemap = client.get("/sitemap-pages.xml").content.decode()
    assert f"<loc>{settings.SITE_URL}{path}</loc>" in sitemap
    assert f"{settings.SITE_URL}/zh-hans{path}" not in sitemap


def test_both_names_of_a_brand_are_one_page(client: Client, shown: Shown) -> None:
    product = make_product()
    for name in (product.brand.name_en, product.brand.name_zh):
        page = read_page(client, f"/shop?brandName={quote(name)}")
        assert page.canonical.endswith("/shop?brandName=" + product.brand.name_en.replace(" ", "+"))
