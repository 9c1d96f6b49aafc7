"""The home page and the demonstration's content."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from wagtail.images.models import Image
from wagtail.images.tests.utils import get_test_image_file
from wagtail.models import Page, Revision
from wagtail.rich_text import RichText

from catalog.goods.models import Category, GoodsTag, Product, TaggedGood
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.stock.tests.builders import stock
from content import demo
from content.blocks import HomeBody
from content.demo import pages, windows
from content.models import (
    CarouselSlide,
    HomePage,
    InformationPage,
    ShopSettings,
    SlidePicture,
    SpecialArea,
)

pytestmark = pytest.mark.django_db


def make_demo_catalogue() -> None:
    """Make what the demonstration's home page refers to, with one picture for all."""
    picture = Image.objects.create(title="dish", file=get_test_image_file())
    wanted = {category for slide in windows.SLIDES for category in slide[4]} | {
        tile[4] for tile in pages.TILES
    }
    for pk in wanted | {701} | {look for _name, _text, look, _on_home, _goods in windows.AREAS}:
        make_category(pk=pk, picture=picture)
    product = make_product(pk=pages.PICKED[0], name_en="Picked", category=Category.objects.get(pk=101))
    stock(product, 50)
    make_product(pk=40501, name_en="Hotpot base")


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
    for text in ("今晚打边炉，一篮搞定", "到店自提", "结算时选择门店与时间。", "商品分类", "付款前显示运费"):
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
    assert [block.block_type for block in home.body] == [
        "category_rail",
        "promotion",
        "special_areas",
        "category_showcase",
        "popular_brands",
        "promises",
        "text",
    ]


def texts_in(value: Any) -> Iterator[str]:
    """Yield what a reader reads of a block's stored value."""
    match value:
        case dict():
            for name, part in value.items():
                if name not in ("type", "id", "path", "tone", "symbol"):
                    yield from texts_in(part)
        case list():
            for part in value:
                yield from texts_in(part)
        case str() if value:
            yield re.sub(r"<[^>]+>", "", value)


def test_demo_content_fills_every_block_in_both_languages() -> None:
    make_demo_catalogue()
    demo.load_demo_content()
    bodies = {page.locale.language_code: list(page.body.raw_data) for page in HomePage.objects.all()}
    kinds = [block["type"] for block in bodies["en"]]
    assert set(kinds) == set(HomeBody().child_blocks)
    assert [block["type"] for block in bodies["zh-hans"]] == kinds
    for code, body in bodies.items():
        for block in body:
            for text in texts_in(block["value"]):
                is_chinese = bool(re.search("[一-鿿]", text))
                assert is_chinese == (code == "zh-hans"), (code, block["type"], text)


def test_demo_windows_say_in_both_languages_what_they_show() -> None:
    make_demo_catalogue()
    demo.load_demo_content()
    pictures = SlidePicture.objects.all()
    assert pictures
    assert all(row.alt_en and row.alt_zh for row in pictures)
    assert set(SpecialArea.objects.values_list("rule", flat=True)) == {"category", "tag"}
    kinds = {block.block_type for page in InformationPage.objects.all() for block in page.body}
    assert kinds == set(InformationPage.body.field.stream_block.child_blocks)


def test_a_picture_of_a_page_to_read_is_told_in_the_readers_language(client: Client) -> None:
    make_demo_catalogue()
    demo.load_demo_content()
    for prefix, told in (("", "A steaming bowl of noodles"), ("/zh-hans", "一碗热气腾腾的面")):
        page = client.get(f"{prefix}/home/about-us/information").content.decode()
        main = page[page.index("<main") : page.index("</main>")]
        assert re.findall(r'<img[^>]* alt="([^"]*)"', main) == [told]


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


def test_loading_again_leaves_the_blocks_slides_and_areas_that_an_editor_changed() -> None:
    make_demo_catalogue()
    demo.load_demo_content()
    home = HomePage.objects.get(locale__language_code="en")
    del home.body[0]
    home.body.append(("text", RichText("<p>Our own words</p>")))
    home.save_revision().publish()
    slide, area = CarouselSlide.objects.all()[0], SpecialArea.objects.get(rule="tag")
    CarouselSlide.objects.exclude(pk=slide.pk).delete()
    slide.title_en, area.name_zh = "Our own slide", "自己的专区"
    for row in (slide, area):
        row.save_revision().publish()
    Product.objects.get(tags__name="hotpot 火锅").tags.clear()

    def state() -> tuple[Any, ...]:
        windows = (CarouselSlide, SpecialArea, SlidePicture, GoodsTag, TaggedGood)
        rows = [list(model._base_manager.order_by("pk").values()) for model in windows]
        bodies = [list(page.body.raw_data) for page in HomePage.objects.order_by("pk")]
        return bodies, rows, Revision.objects.count()

    before = state()
    demo.load_demo_content()
    assert state() == before


def test_popular_brands_follow_the_sales_and_the_editors_pins(client: Client) -> None:
    demo.load_demo_content()
    sold, pinned, quiet = (
        make_brand(name_en="Sold", name_zh="畅销"),
        make_brand(name_en="Pinned", name_zh="置顶", popular_place=1),
        make_brand(name_en="Quiet", name_zh="冷门"),
    )
    for brand, units in ((sold, 9), (pinned, 0), (quiet, 1)):
        make_product(brand=brand, units_sold=units)
    make_brand(name_en="Without goods")
    for prefix, heading, names in (
        ("", "Popular brands", ["Pinned", "Sold", "Quiet"]),
        ("/zh-hans", "热门品牌", ["置顶", "畅销", "冷门"]),
    ):
        html = client.get(f"{prefix}/home").content.decode()
        assert f">{heading}</h2>" in html
        found = re.findall(r'class="brand" href="([^"]+)".*?<b>(.+?)</b>', html)
        assert [name for _path, name in found] == names
        assert found[0][0] == f"{prefix}/shop?brandName=Pinned"


def test_links_in_a_text_follow_the_readers_language(client: Client) -> None:
    demo.load_demo_content()
    delivery = InformationPage.objects.get(slug="delivery", locale__language_code="en")
    html = (
        '<p><a href="/shop?firstCategoryId=4&amp;page=2">shop</a> <a href="/zh-hans/brand">brands</a>'
        f' <a id="{delivery.pk}" linktype="page">delivery</a> <a href="https://example.org/a">web</a>'
        ' <a href="/media/x.pdf">file</a> <a href="javascript:alert(1)">bad</a></p>'
    )
    for page in HomePage.objects.all():
        page.body = [("text", RichText(html))]
        page.save_revision().publish()
    for prefix in ("", "/zh-hans"):
        shown = client.get(f"{prefix}/home").content.decode()
        for link in (
            f'<a href="{prefix}/shop?firstCategoryId=4&amp;page=2">shop</a>',
            f'<a href="{prefix}/brand">brands</a>',
            f'<a href="{prefix}/home/about-us/delivery">delivery</a>',
            '<a href="https://example.org/a">web</a>',
            '<a href="/media/x.pdf">file</a>',
            "<a>bad</a>",
        ):
            assert link in shown


def test_demo_content_can_start_from_an_empty_tree(client: Client) -> None:
    Page.objects.all().delete()
    demo.load_demo_content()
    assert client.get("/home").status_code == 200
    assert client.get("/zh-hans/home").status_code == 200


def test_both_home_pages_are_translations_of_each_other() -> None:
    demo.load_demo_content()
    english = HomePage.objects.get(locale__language_code="en")
    assert [page.locale.language_code for page in english.get_translations()] == ["zh-hans"]


def test_home_tells_search_engines_who_runs_the_shop_and_how_to_search(client: Client) -> None:
    demo.load_demo_content()
    for prefix, name in (("", "Eastbowl"), ("/zh-hans", "东碗超市")):
        html = client.get(f"{prefix}/home").content.decode()
        found = re.search(r'<script type="application/ld\+json">(.*?)</script>', html)
        assert found
        organization, website = json.loads(found[1])["@graph"]
        assert (organization["@type"], organization["name"]) == ("Organization", name)
        target = website["potentialAction"]["target"]["urlTemplate"]
        assert target == f"http://localhost:8000{prefix}/shop?word={{search_term_string}}"
