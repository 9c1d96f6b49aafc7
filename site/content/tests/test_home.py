"""The home page and the demonstration's content."""

import re

import pytest
from django.test import Client
from wagtail.images.models import Image
from wagtail.images.tests.utils import get_test_image_file
from wagtail.models import Page

from catalog.goods.models import Category
from catalog.goods.tests.builders import make_category, make_product
from catalog.stock.tests.builders import stock
from content import demo
from content.models import HomePage, ShopSettings

pytestmark = pytest.mark.django_db


def make_demo_catalogue() -> None:
    """Make what the demonstration's home page refers to, with one picture for all."""
    picture = Image.objects.create(title="dish", file=get_test_image_file())
    wanted = {category for slide in demo.SLIDES for category in slide[4]} | {tile[4] for tile in demo.TILES}
    for pk in wanted:
        make_category(pk=pk, picture=picture)
    product = make_product(pk=demo.PICKED[0], name_en="Picked", category=Category.objects.get(pk=101))
    stock(product, 50)


def test_root_leads_home_in_each_language(client: Client) -> None:
    for start, home in (("/", "/home"), ("/zh-hans", "/zh-hans/home"), ("/zh-hans/", "/zh-hans/home")):
        response = client.get(start)
        assert (response.status_code, response["Location"]) == (302, home)


def test_home_shows_every_block_in_both_languages(client: Client) -> None:
    make_demo_catalogue()
    demo.load_demo_content()

    english, chinese = (client.get(path).content.decode() for path in ("/home", "/zh-hans/home"))

    for text in ("Hotpot night, from one basket", "Pick up in store", "Shop by category", "In-store pickup"):
        assert text in english
    for text in ("今晚打边炉，一篮搞定", "到店自提", "商品分类", "门店自提"):
        assert text in chinese
    assert re.search(r'href="/shop/shopdetails/\d+">Picked<', english)
    assert 'href="/zh-hans/shop?firstCategoryId=4"' in chinese
    assert '<html lang="en-AU"' in english
    assert '<html lang="zh-Hans"' in chinese
    assert "东碗超市" in chinese


def test_each_top_category_shows_its_best_sellers(client: Client) -> None:
    demo.load_demo_content()
    shelf = make_category(name_en="Noodles")
    below = make_category(parent=shelf)
    for sold in range(7):
        make_product(name_en=f"Sold {sold}", category=below, units_sold=sold)

    html = client.get("/home").content.decode()

    assert re.findall(r'card__name"><a href="[^"]+">([^<]+)', html) == [
        f"Sold {sold}" for sold in (6, 5, 4, 3, 2)
    ]
    assert "All Noodles" in html


def test_demo_content_without_pictures_has_no_hero() -> None:
    demo.load_demo_content()
    home = HomePage.objects.get(locale__language_code="en")
    assert [block.block_type for block in home.body] == ["category_rail", "category_showcase", "promises"]


def test_loading_again_overwrites_nothing() -> None:
    demo.load_demo_content()
    home = HomePage.objects.get(locale__language_code="zh-hans")
    home.title = "改过的标题"
    home.save_revision().publish()
    ShopSettings.objects.update(name_en="Renamed")
    pages = Page.objects.count()

    demo.load_demo_content()

    home.refresh_from_db()
    assert home.title == "改过的标题"
    assert ShopSettings.load().name_en == "Renamed"
    assert Page.objects.count() == pages


def test_demo_content_can_start_from_an_empty_tree(client: Client) -> None:
    Page.objects.all().delete()
    demo.load_demo_content()
    assert client.get("/home").status_code == 200
    assert client.get("/zh-hans/home").status_code == 200


def test_both_home_pages_are_translations_of_each_other() -> None:
    demo.load_demo_content()
    english = HomePage.objects.get(locale__language_code="en")
    assert [page.locale.language_code for page in english.get_translations()] == ["zh-hans"]
