"""The demonstration's pages, slides and areas over a catalogue that has what they refer to."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker
from wagtail.images.models import Image
from wagtail.images.tests.utils import get_test_image_file
from wagtail.models import Revision
from wagtail.rich_text import RichText

from catalog.goods.models import Category, Product, ProductTag, TaggedProduct
from catalog.goods.tests.builders import make_category, make_product
from catalog.stock.tests.builders import stock
from content import demo
from content.blocks import HomeBody
from content.demo import pages, windows
from content.models import CarouselSlide, HomePage, InformationPage, SlidePicture, SpecialArea
from core.tests.pages import html_of
from tests import databases

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("_demonstration")]


def make_demo_catalogue() -> None:
    """Make what the demonstration's home page refers to, with one picture for all."""
    picture = Image.objects.create(title="dish", file=get_test_image_file())
    wanted = {category for slide in windows.SLIDES for category in slide[4]} | {
        tile[4] for tile in pages.TILES
    }
    for pk in wanted | {701} | {look for _name, _text, look, _on_home, _goods in windows.AREAS}:
        make_category(pk=pk, picture=picture)
    category = Category.objects.get(pk=101)
    stock(make_product(pk=pages.PICKED[0], name_en="Picked", category=category), 50)
    make_product(pk=40501, name_en="Hotpot base", category=category)


@pytest.fixture(scope="module")
def _demonstration(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Start each test from the demonstration over its catalogue."""

    def fill() -> None:
        make_demo_catalogue()
        demo.load_demo_content()

    with django_db_blocker.unblock():
        name = databases.create_filled("_demo_catalogue", fill)
        before = databases.use(name)
    yield
    with django_db_blocker.unblock():
        databases.use(before)
        databases.drop(name)


def test_home_shows_every_block_in_both_languages(client: Client) -> None:
    english, chinese = (html_of(client.get(path)) for path in ("/home", "/zh-hans/home"))

    for text in ("Hotpot night, from one basket", "Pick up in store", "Shop by category", "In-store pickup"):
        assert text in english
    for text in ("今晚吃火锅，一篮搞定", "到店自提", "结算时选择门店与时间。", "商品分类", "付款前显示运费"):
        assert text in chinese
    assert re.search(r'href="/shop/shopdetails/\d+">Picked<', english)
    assert 'href="/zh-hans/shop?firstCategoryId=4"' in chinese
    assert '<html lang="en-AU"' in english
    assert '<html lang="zh-Hans"' in chinese
    assert "东碗超市" in chinese


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
    bodies = {page.locale.language_code: list(page.body.raw_data) for page in HomePage.objects.all()}
    kinds = [block["type"] for block in bodies["en"]]
    assert set(kinds) == set(HomeBody().child_blocks)
    assert [block["type"] for block in bodies["zh-hans"]] == kinds
    for code, body in bodies.items():
        for block in body:
            for text in texts_in(block["value"]):
                is_chinese = bool(re.search("[一-鿿]", text))
                assert is_chinese == (code == "zh-hans"), (code, block["type"], text)


def test_demo_windows_show_in_both_languages_what_they_show() -> None:
    pictures = SlidePicture.objects.all()
    assert pictures
    assert all(row.alt_en and row.alt_zh for row in pictures)
    assert set(SpecialArea.objects.values_list("rule", flat=True)) == {"category", "tag"}
    kinds = {block.block_type for page in InformationPage.objects.all() for block in page.body}
    assert kinds == set(InformationPage.body.field.stream_block.child_blocks)


def test_a_picture_of_a_page_to_read_is_notified_in_the_readers_language(client: Client) -> None:
    for prefix, text in (("", "Packs of instant noodles"), ("/zh-hans", "几款方便面")):
        page = html_of(client.get(f"{prefix}/home/about-us/information"))
        main = page[page.index("<main") : page.index("</main>")]
        assert re.findall(r'<img[^>]* alt="([^"]*)"', main) == [text]


def test_loading_again_leaves_the_blocks_slides_and_areas_that_an_editor_changed() -> None:
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
        windows = (CarouselSlide, SpecialArea, SlidePicture, ProductTag, TaggedProduct)
        rows = [list(model._base_manager.order_by("pk").values()) for model in windows]
        bodies = [list(page.body.raw_data) for page in HomePage.objects.order_by("pk")]
        return bodies, rows, Revision.objects.count()

    before = state()
    demo.load_demo_content()
    assert state() == before


def test_loading_again_leaves_pages_that_an_editor_moved_or_deleted() -> None:
    guide = InformationPage.objects.get(slug="page", locale__language_code="en")
    about = InformationPage.objects.get(slug="about-us", locale__language_code="en")
    about.get_children().last().delete()
    guide.move(about, pos="last-child")
    before = list(InformationPage.objects.order_by("path").values("path", "title"))
    demo.load_demo_content()
    assert list(InformationPage.objects.order_by("path").values("path", "title")) == before
