"""The choosers in which an editor picks products, brands, categories and promotions."""

import re
from collections.abc import Callable

import pytest
from django.test import Client

from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.promotions.tests.builders import make_promotion
from content.models import SpecialArea
from content.tests.forms import url_of

pytestmark = pytest.mark.django_db


def found(editor: Client, chooser: str, word: str) -> list[str]:
    """The names that a chooser finds, in order."""
    page = editor.get(f"/admin/{chooser}/results/", {"q": word}).content.decode()
    return re.findall(r"data-chooser-modal-choice[^>]*>\s*(.+?)\s*</a>", page, re.S)


MAKERS: dict[str, Callable[..., object]] = {
    "goods_chooser": make_product,
    "brand_chooser": make_brand,
    "category_chooser": lambda **names: make_category(parent=make_category(), **names),
    "promotion_chooser": make_promotion,
}


def test_a_chooser_shows_all_before_a_search_and_finds_by_either_name_and_by_pinyin(
    editor: Client, subtests: pytest.Subtests
) -> None:
    for make in MAKERS.values():
        make(name_en="Choy Sum", name_zh="菜心")
        make(name_en="Honey", name_zh="蜂蜜")
    for chooser in MAKERS:
        with subtests.test(msg=chooser):
            for word in ("choy", "菜心", "caixin", "CHOY SUM"):
                assert found(editor, chooser, word) == ["Choy Sum"], word
            assert {"Choy Sum", "Honey"} <= set(found(editor, chooser, ""))
            assert "菜心" in editor.get(f"/admin/{chooser}/").json()["html"]
            assert found(editor, chooser, "zebra") == []


def test_categories_and_brands_are_found_by_the_middle_of_their_pinyin(editor: Client) -> None:
    names = {"name_en": "Snacks", "name_zh": "休闲零食"}
    make_category(**names)
    make_brand(**names)
    for chooser in ("category_chooser", "brand_chooser"):
        assert found(editor, chooser, "lingshi") == ["Snacks"]


def test_products_are_found_by_their_sku_and_the_best_match_is_first(editor: Client) -> None:
    make_product(name_en="Honey cake", sku="G010102", units_sold=900)
    make_product(name_en="Honey", sku="G090101")
    assert found(editor, "goods_chooser", "G010102") == ["Honey cake"]
    assert found(editor, "goods_chooser", "honey") == ["Honey", "Honey cake"]


def test_the_chooser_of_categories_shows_the_parent_of_each(editor: Client) -> None:
    make_category(name_en="Snacks", parent=make_category(name_en="Korea"))
    page = editor.get("/admin/category_chooser/results/", {"q": "snacks"}).content.decode()
    assert "Korea" in page


def test_a_chooser_is_closed_to_shoppers(client: Client) -> None:
    for chooser in MAKERS:
        assert client.get(f"/admin/{chooser}/").status_code == 302, chooser


def test_the_form_of_an_area_opens_each_chooser(editor: Client) -> None:
    page = editor.get(url_of(SpecialArea)).content.decode()
    for chooser in MAKERS:
        assert f"/admin/{chooser}/" in page


def test_what_is_chosen_of_several_is_in_the_order_of_ticking(editor: Client) -> None:
    ids = [make_product().pk for _ in range(3)]
    order = [ids[1], ids[2], ids[0]]
    answer = editor.get("/admin/goods_chooser/chosen-multiple/", [("id", str(pk)) for pk in order])
    assert [int(row["id"]) for row in answer.json()["result"]] == order
