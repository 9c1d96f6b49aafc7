"""The lists of rows with two names find them by either name and by pinyin."""

from datetime import timedelta
from typing import Any

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
from content.tests.forms import url_of
from core.tests.pages import html_of
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


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


def test_each_list_finds_by_either_name_and_by_pinyin(editor: Client, subtests: pytest.Subtests) -> None:
    make_rows("Choy Sum", "菜心")
    make_rows("Honey", "蜂蜜")
    lists = [
        "goods",
        "stock_levels",
        "spec_groups",
        "brands",
        "categories",
        "promotions",
        "snippets/content/carouselslide",
        "snippets/content/specialarea",
    ]
    for name in lists:
        for word in ("choy", "菜心", "caixin", "CaiXin"):
            with subtests.test(name=name, word=word):
                html = html_of(editor.get(f"/admin/{name}/results/", {"q": word}))
                assert "Choy Sum" in html
                assert "Honey" not in html


def test_the_statuses_of_slides_and_areas_take_the_same_queries_however_many(
    editor: Client, subtests: pytest.Subtests
) -> None:
    def queries(model: Any) -> tuple[int, str]:
        with CaptureQueriesContext(connection) as queries:
            html = html_of(editor.get(url_of(model, "list_results")))
        return len(queries), html

    for model in (CarouselSlide, SpecialArea):
        with subtests.test(model=model), rolled_back():
            make_rows("Choy Sum", "菜心")
            row = model.objects.get()
            few, html = queries(model)
            assert ">scheduled<" not in html

            row.go_live_at = timezone.now() + timedelta(days=1)
            row.save_revision(changed=True).publish()
            make_rows("Honey", "蜂蜜")
            waiting = model.objects.last()
            assert waiting
            waiting.save_revision()
            waiting.get_workflow().start(waiting, User.objects.get())
            many, html = queries(model)
            assert ">scheduled<" in html
            assert ">live + waiting for approval<" in html
            assert many == few
