"""The page of the brands, read without script in both languages."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.browse.brands import POPULAR
from catalog.goods.models import Brand
from catalog.goods.sales import record_sales
from catalog.goods.tests.builders import make_brand, make_product
from core.tests.pages import shown
from core.tests.rows import rolled_back
from core.tests.screens import set_language

pytestmark = pytest.mark.django_db


def letters(html: str) -> dict[str, list[str]]:
    """The names under each letter, in order."""
    found = re.findall(r'<section class="initial".*?<h2[^>]*>(.)</h2>(.*?)</section>', html, re.S)
    return {
        letter: [unescape(name) for name in re.findall(r'<li><a href="[^"]+">([^<]+)', body)]
        for letter, body in found
    }


def popular(html: str) -> list[str]:
    return re.findall(r'<a class="brand" href="[^"]+"><b>([^<]+)', html)


@pytest.fixture(autouse=True)
def _brands() -> None:
    for english, chinese in (("Lee Kum Kee", "李锦记"), ("Lao Gan Ma", "老干妈"), ("Haitian", "海天")):
        make_product(brand=make_brand(name_en=english, name_zh=chinese))
    make_product(brand=make_brand(name_en="85°C", name_zh="85度C"))
    make_brand(name_en="Nothing On Sale", name_zh="空")


def test_english_readers_find_brands_under_the_initial_of_the_english_name(client: Client) -> None:
    html = shown(client, "/brand")
    assert letters(html) == {"H": ["Haitian"], "L": ["Lao Gan Ma", "Lee Kum Kee"], "#": ["85°C"]}
    assert list(letters(html)) == ["H", "L", "#"]
    assert '<small lang="zh-Hans">李锦记</small>' in html
    assert re.findall(r'<a href="#([^"]+)">(.)</a>', html) == [
        ("letter-H", "H"),
        ("letter-L", "L"),
        ("letter-other", "#"),
    ]
    assert "4 brands" in html


def test_chinese_readers_find_brands_under_the_initial_of_the_pinyin(client: Client) -> None:
    html = shown(client, "/zh-hans/brand")
    assert letters(html) == {"H": ["海天"], "L": ["老干妈", "李锦记"], "#": ["85度C"]}
    assert '<small lang="en-AU">Lee Kum Kee</small>' in html


def test_each_brand_links_to_its_products(client: Client) -> None:
    for prefix in ("", "/zh-hans"):
        html = shown(client, f"{prefix}/brand")
        target = f"{prefix}/shop?brandName=Lee+Kum+Kee"
        assert f'href="{target}"' in html
        assert len(re.findall(r'<article class="card', shown(client, target))) == 1


def test_popular_brands_come_first_and_pinned_ones_before_them(client: Client) -> None:
    make_product(brand=make_brand(name_en="Pinned", popular_place=1))
    seller = make_product(brand=make_brand(name_en="Seller"))
    record_sales(units_by_product={seller.pk: 3}, day=timezone.localdate())
    html = shown(client, "/brand")
    assert popular(html)[:2] == ["Pinned", "Seller"]
    for _ in range(POPULAR):
        make_product(brand=make_brand())
    assert len(popular(shown(client, "/brand"))) == POPULAR


def test_staff_pin_a_brand_in_its_form(staff: Client, subtests: pytest.Subtests) -> None:
    client = Client()
    for language, label in [("en", "Place among the popular brands"), ("zh-hans", "在热门品牌中的位置")]:
        with subtests.test(language=language, label=label), rolled_back():
            set_language(staff, language)
            url = reverse("brands:edit", args=[Brand.objects.get(name_en="Lao Gan Ma").pk])
            assert label in staff.get(url).content.decode()
            values = {"name_en": "Lao Gan Ma", "name_zh": "老干妈"}
            assert popular(shown(client, "/brand"))[0] != "Lao Gan Ma"
            assert staff.post(url, values | {"popular_place": "1"}).status_code == 302
            assert popular(shown(client, "/brand"))[0] == "Lao Gan Ma"
            assert staff.post(url, values | {"popular_place": "-1"}).status_code == 200
            assert staff.post(url, values | {"popular_place": ""}).status_code == 302
            assert popular(shown(client, "/brand"))[0] != "Lao Gan Ma"


def test_a_brand_is_found_by_either_name_and_by_its_pinyin(client: Client, subtests: pytest.Subtests) -> None:
    for word in ["lee", "KUM", "李锦", "李錦記", "lijin", "Li Jin"]:
        with subtests.test(word=word):
            html = shown(client, f"/brand?word={word}")
            assert letters(html) == {"L": ["Lee Kum Kee"]}
            assert popular(html) == []
            assert '<meta name="robots" content="noindex">' in html


def test_a_word_that_is_no_brand_links_to_the_product_search(client: Client) -> None:
    html = shown(client, "/brand?word=%3Cb%3Etofu")
    assert letters(html) == {}
    assert "<b>tofu" not in html
    assert 'href="/shop?word=%3Cb%3Etofu"' in html


def test_the_page_takes_as_many_queries_for_many_brands(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(30):
        make_product()
    # The first page makes the shop's settings.
    shown(client, "/brand")
    with django_assert_max_num_queries(7):
        shown(client, "/brand")
