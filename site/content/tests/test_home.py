"""The home page, and what the demonstration makes of an empty catalogue."""

import json
import re

import pytest
from django.conf import LazySettings
from django.test import Client
from pytest_django import DjangoAssertNumQueries
from wagtail.models import Locale, Page, PageViewRestriction, Site
from wagtail.rich_text import RichText

from catalog.browse.showcases import WHOLE_SHOWCASES
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from content import demo
from content.models import HomePage, InformationPage, ShopSettings, SlidePicture
from content.tests.builders import make_area, make_slide
from core.tests.pages import html_of, names_on_cards
from core.tests.pictures import make_picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]


def test_each_top_category_shows_its_best_sellers(client: Client) -> None:
    top = make_category(name_en="Noodles")
    below = make_category(parent=top)
    for sold in range(7):
        make_product(name_en=f"Sold {sold}", category=below, units_sold=sold)

    html = html_of(client.get("/home"))

    assert names_on_cards(html) == [f"Sold {sold}" for sold in (6, 5, 4, 3, 2)]
    assert "All Noodles" in html


def test_only_the_first_categories_have_their_cards_from_the_start(client: Client) -> None:
    products = [
        make_product(name_en=f"Best {place}", category=make_category(parent=make_category(sort=place)))
        for place in range(WHOLE_SHOWCASES + 2)
    ]
    html = html_of(client.get("/home"))

    names = names_on_cards(html)
    assert names == [f"Best {place}" for place in range(WHOLE_SHOWCASES)]
    later = re.findall(r'name="later-cards" hydrate="use" props="\{&quot;ids&quot;: \[(\d+)\]\}"', html)
    assert later == [str(product.pk) for product in products[WHOLE_SHOWCASES:]]
    assert html.count('class="show__lead') == WHOLE_SHOWCASES + 2


def test_demo_content_without_pictures_has_no_hero() -> None:
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


def test_loading_again_overwrites_nothing() -> None:
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


def test_popular_brands_follow_the_sales_and_the_editors_pins(client: Client) -> None:
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
        html = html_of(client.get(f"{prefix}/home"))
        assert f">{heading}</h2>" in html
        found = re.findall(r'class="brand" href="([^"]+)".*?<b>(.+?)</b>', html)
        assert [name for _path, name in found] == names
        assert found[0][0] == f"{prefix}/shop?brandName=Pinned"


def test_links_in_a_text_follow_the_readers_language(client: Client) -> None:
    delivery = InformationPage.objects.get(slug="delivery", locale__language_code="en")
    html = (
        '<p><a href="/shop?firstCategoryId=4&amp;page=2">shop</a> <a href="/zh-hans/brand">brands</a>'
        f' <a id="{delivery.pk}" linktype="page">delivery</a> <a href="https://example.org/a">web</a>'
        ' <a href="/media/x.pdf">file</a> <a href="javascript:alert(1)">bad</a></p>'
    )
    for page in HomePage.objects.all():
        page.body = [("text", RichText(html))]
        page.save()
    for prefix in ("", "/zh-hans"):
        shown = html_of(client.get(f"{prefix}/home"))
        for link in (
            f'<a href="{prefix}/shop?firstCategoryId=4&amp;page=2">shop</a>',
            f'<a href="{prefix}/brand">brands</a>',
            f'<a href="{prefix}/home/about-us/delivery">delivery</a>',
            '<a href="https://example.org/a">web</a>',
            '<a href="/media/x.pdf">file</a>',
            "<a>bad</a>",
        ):
            assert link in shown


def test_a_pictures_alternative_text_is_in_the_readers_language(client: Client) -> None:
    home = HomePage.objects.get(locale__language_code="en")
    slide = make_slide()
    SlidePicture.objects.create(
        slide=slide, picture=make_picture(), alt_en="Steam", decorative=True, sort_order=1
    )
    for page in (home, *home.get_translations()):
        tiles = [
            {
                "title": "Tile",
                "text": "",
                "link": {"label": "Go", "path": "/shop"},
                "picture": {"image": make_picture().pk, "alt_text": alt, "decorative": not alt},
                "tone": "mint",
            }
            for alt in ("", {"en": "A basket", "zh-hans": "篮子"}[page.locale.language_code])
        ]
        page = page.specific
        page.body = json.dumps([{"type": "hero", "value": {"carousel": 4, "tiles": tiles}}])
        page.save_revision().publish()
    for path, texts in (
        ("/home", ["A dish", "", "", "A basket"]),
        ("/zh-hans/home", ["一道菜", "", "", "篮子"]),
    ):
        html = html_of(client.get(path))
        main = html[html.index("<main") : html.index("</main>")]
        assert re.findall(r'<img[^>]* alt="([^"]*)"', main) == texts


def test_demo_content_can_start_from_an_empty_tree(client: Client) -> None:
    Page.objects.all().delete()
    demo.load_demo_content()
    assert client.get("/home").status_code == 200
    assert client.get("/zh-hans/home").status_code == 200


def test_both_home_pages_are_translations_of_each_other() -> None:
    english = HomePage.objects.get(locale__language_code="en")
    assert [page.locale.language_code for page in english.get_translations()] == ["zh-hans"]


def test_a_home_page_takes_few_queries_while_the_snapshots_are_fresh(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, settings: LazySettings
) -> None:
    settings.SNAPSHOT_SECONDS = 60
    top = make_category(name_en="Noodles")
    products = [make_product(category=make_category(parent=top)) for _ in range(3)]
    make_promotion((products[0], "1.00"))
    make_slide()
    make_area(products[1])
    for path in ("/home", "/zh-hans/home"):
        client.get(path)
        # The page; in three, who may read it or its translations; the running promotion, and its items; the
        # products of all blocks.
        # Pictures would be one more.
        with django_assert_num_queries(7):
            client.get(path)


def test_a_home_page_that_is_not_live_or_not_public_is_not_shown(client: Client) -> None:
    english, chinese = (HomePage.objects.get(locale__language_code=code) for code in ("en", "zh-hans"))
    english.unpublish()
    PageViewRestriction.objects.create(page=chinese, restriction_type=PageViewRestriction.LOGIN)
    assert client.get("/home").status_code == 404
    assert client.get("/zh-hans/home")["Location"].startswith("/admin/login/")


def test_with_several_sites_wagtail_finds_the_home_page(client: Client, settings: LazySettings) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "other.example"]
    root = Page.objects.get(depth=1).add_child(
        instance=Page(title="Other", slug="other", locale=Locale.objects.get(language_code="en"))
    )
    root.add_child(instance=HomePage(title="Another home"))
    Site.objects.create(hostname="other.example", root_page=root)
    assert "Another home" not in html_of(client.get("/home"))
    assert "Another home" in html_of(client.get("/home", headers={"Host": "other.example"}))
