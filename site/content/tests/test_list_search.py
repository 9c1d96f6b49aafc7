"""The lists of rows with two names find them by either name and by pinyin."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalog.goods.models import ProductGroup
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.tests.builders import stock
from content.models import CarouselSlide, SpecialArea
from content.tests.builders import make_area, make_slide
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("editor", "editor@example.com"))
    return client


def make_rows(name_en: str, name_zh: str) -> None:
    names = {"name_en": name_en, "name_zh": name_zh}
    product = make_product(**names)
    stock(product, 3)
    ProductGroup.objects.create(code=product.sku, **names)
    make_brand(**names)
    make_category(**names)
    make_promotion(**names)
    make_area(product, **names)
    make_slide(title_en=name_en, title_zh=name_zh)


@pytest.mark.parametrize("word", ["choy", "菜心", "caixin", "CaiXin"])
def test_each_list_finds_by_either_name_and_by_pinyin(editor: Client, word: str) -> None:
    make_rows("Choy Sum", "菜心")
    make_rows("Honey", "蜂蜜")
    lists = [
        "/admin/goods/results/",
        "/admin/stock_levels/results/",
        "/admin/spec_groups/results/",
        "/admin/brands/results/",
        "/admin/categories/results/",
        "/admin/promotions/results/",
        "/admin/snippets/content/carouselslide/results/",
        "/admin/snippets/content/specialarea/results/",
    ]
    for path in lists:
        html = html_of(editor.get(path, {"q": word}))
        assert "Choy Sum" in html, path
        assert "Honey" not in html, path


@pytest.mark.parametrize("kind", ["carouselslide", "specialarea"])
def test_the_statuses_of_slides_and_areas_take_the_same_queries_however_many(
    editor: Client, kind: str
) -> None:
    def queries() -> tuple[int, str]:
        with CaptureQueriesContext(connection) as queries:
            html = html_of(editor.get(f"/admin/snippets/content/{kind}/results/"))
        return len(queries), html

    make_rows("Choy Sum", "菜心")
    row = CarouselSlide.objects.get() if kind == "carouselslide" else SpecialArea.objects.get()
    few, html = queries()
    assert ">scheduled<" not in html

    row.go_live_at = timezone.now() + timedelta(days=1)
    row.save_revision(changed=True).publish()
    make_rows("Honey", "蜂蜜")
    waiting = CarouselSlide.objects.last() if kind == "carouselslide" else SpecialArea.objects.last()
    assert waiting
    waiting.save_revision()
    waiting.get_workflow().start(waiting, User.objects.get())
    many, html = queries()
    assert ">scheduled<" in html
    assert ">live + waiting for approval<" in html
    assert many == few
