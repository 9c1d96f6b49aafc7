"""The calls for brands, categories with products, and suggestions."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import Category
from catalog.goods.sales import record_sales
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.stock.tests.builders import stock

pytestmark = pytest.mark.django_db


def call(client: Client, path: str, **query: str | int) -> Any:
    """Return what a call answers; a refusal fails."""
    answer = client.get(f"/api/v1/pc{path}", query)
    assert answer.status_code == 200
    envelope = answer.json()
    assert (envelope["code"], envelope["msg"]) == (0, ""), envelope
    return envelope["result"]


def refused(client: Client, path: str, **query: str | int) -> tuple[int, str]:
    """Return code and reason of a refusal."""
    answer = client.get(f"/api/v1/pc{path}", query)
    assert answer.status_code == 200
    envelope = answer.json()
    assert envelope["result"] is None
    return envelope["code"], envelope["reason"]


def brand_names(found: list[dict[str, Any]]) -> list[str]:
    return [brand["brandNameEn"] for brand in found]


@pytest.fixture
def categories() -> dict[str, Category]:
    """Two subcategories of one category, and another category; three brands sell there, a fourth does not."""
    top, other = make_category(), make_category()
    left, right = make_category(parent=top), make_category(parent=top)
    for name, category, on_sale in (
        ("Ming", left, True),
        ("Tang", right, True),
        ("Song", other, True),
        ("Qing", left, False),
    ):
        make_product(brand=make_brand(name_en=name, name_zh=f"{name}朝"), category=category, on_sale=on_sale)
    return {"top": top, "left": left, "other": other}


def test_brands_of_a_category_have_products_on_sale_there(
    client: Client, categories: dict[str, Category]
) -> None:
    assert brand_names(call(client, "/class/brand")) == ["Ming", "Song", "Tang"]
    assert brand_names(call(client, "/class/brand", type="", classId="")) == ["Ming", "Song", "Tang"]
    assert brand_names(call(client, "/class/brand", type=1, classId=categories["top"].pk)) == ["Ming", "Tang"]
    assert brand_names(call(client, "/class/brand", type=1, classId=categories["other"].pk)) == ["Song"]
    assert brand_names(call(client, "/class/brand", type="2", classId=categories["left"].pk)) == ["Ming"]


def test_a_brand_has_every_field_of_the_contract(client: Client) -> None:
    brand = make_product(brand=make_brand(name_en="Lee Kum Kee", name_zh="李锦记")).brand
    whole = {"brandId": brand.pk, "brandName": "李锦记", "brandNameEn": "Lee Kum Kee", "brandImgUrl": None}
    assert call(client, "/class/brand") == [whole]
    assert call(client, "/popularity/brand") == [whole]


def test_an_unknown_type_of_category_is_refused(
    client: Client, categories: dict[str, Category], subtests: pytest.Subtests
) -> None:
    for kind in ["0", "3", "x", "1.0", "true", "١"]:
        with subtests.test(kind=kind):
            found = refused(client, "/class/brand", type=kind, classId=categories["top"].pk)
            assert found == (1002, "parameter_error")


def test_a_type_without_a_category_is_refused(client: Client) -> None:
    assert refused(client, "/class/brand", type=1) == (1002, "parameter_error")
    assert refused(client, "/class/brand", type=2, classId="") == (1002, "parameter_error")


def test_an_unknown_category_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for class_id in ["0", "-1", "x", "1.5", "9" * 30, "١", "999999"]:
        with subtests.test(class_id=class_id):
            for kind in (1, 2):
                assert refused(client, "/class/brand", type=kind, classId=class_id) == (1002, "goods_error")


def test_a_category_of_the_other_level_is_refused(client: Client, categories: dict[str, Category]) -> None:
    assert refused(client, "/class/brand", type=1, classId=categories["left"].pk) == (1002, "goods_error")
    assert refused(client, "/class/brand", type=2, classId=categories["top"].pk) == (1002, "goods_error")


def test_brands_are_popular_by_pins_then_by_what_sold_lately(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = {
        name: make_product(brand=make_brand(name_en=name, popular_place=place), units_sold=ever)
        for name, place, ever in (
            ("Never sold", None, 0),
            ("Old hit", None, 900),
            ("Sells a little", None, 1),
            ("Sells well", None, 1),
            ("Pinned second", 2, 0),
            ("Pinned first", 1, 0),
        )
    }
    make_product(brand=make_brand(name_en="Pinned, gone", popular_place=0), on_sale=False)
    record_sales(units_by_product={made["Sells well"].pk: 5}, day=timezone.localdate())
    record_sales(units_by_product={made["Sells a little"].pk: 2}, day=timezone.localdate())

    with django_assert_num_queries(2):
        found = call(client, "/popularity/brand")

    pinned = ["Pinned first", "Pinned second"]
    assert brand_names(found) == [*pinned, "Sells well", "Sells a little", "Old hit", "Never sold"]


def test_categories_show_their_best_sellers(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    top = make_category(name_en="Noodles", name_zh="面")
    make_category(name_en="Empty")
    below = make_category(parent=top)
    for sold in range(8):
        stock(make_product(name_en=f"Sold {sold}", category=below, units_sold=sold), 5)
    make_product(name_en="Gone", category=below, units_sold=99, on_sale=False)
    make_product(name_en="On top", category=top, units_sold=5, price=Decimal("7.90"))

    with django_assert_max_num_queries(6):
        found = call(client, "/home/displayClassifyAndGoods")

    assert [{key: value for key, value in row.items() if key != "goods"} for row in found] == [
        {"classifyId": top.pk, "classifyName": "面", "classifyEnglishName": "Noodles", "classifyImgUrl": None}
    ]
    products = found[0]["goods"]
    shown = [row["goodsEnglishName"] for row in products]
    assert shown == ["Sold 7", "Sold 6", "Sold 5", "On top", "Sold 4", "Sold 3"]
    assert products[3]["memberPrice"] == 7.9
    listed = client.post("/api/v1/pc/goods/list", {"size": 100}, content_type="application/json").json()
    rows = {row["goodsId"]: row for row in listed["result"]["list"]}
    assert all(row == rows[row["goodsId"]] for row in products)
    assert (products[0]["goodsStockAmount"], products[3]["goodsStockAmount"]) == (5, 0)


def test_suggestions_hold_products_brands_and_categories(client: Client) -> None:
    category = make_category(name_en="Oyster things", name_zh="蚝类")
    brand = make_brand(name_en="Oyster King", name_zh="蚝王")
    sauce = make_product(
        name_en="Oyster Sauce",
        name_zh="蚝油",
        brand=brand,
        category=make_category(parent=category),
        price=Decimal("4.50"),
    )
    make_product(name_en="Oyster, gone", on_sale=False)
    make_brand(name_en="Oyster without goods")

    found = call(client, "/suggest", word="oyster")

    assert found == {
        "goods": [
            {
                "goodsId": sauce.pk,
                "goodsName": "蚝油",
                "goodsEnglishName": "Oyster Sauce",
                "goodsImgUrl": None,
                "memberPrice": 4.5,
            }
        ],
        "brands": [
            {"brandId": brand.pk, "brandName": "蚝王", "brandNameEn": "Oyster King", "brandImgUrl": None}
        ],
        "categories": [
            {
                "classifyId": category.pk,
                "classifyPid": 0,
                "classifyName": "蚝类",
                "classifyEnglishName": "Oyster things",
            }
        ],
    }


def test_nothing_is_suggested_for_a_word_without_meaning(client: Client, subtests: pytest.Subtests) -> None:
    make_product(name_en="Rice")
    for query in [{}, *({"word": word} for word in ("", "  ", "zzzzqqqq", "%_", "'\"\\"))]:
        with subtests.test(query=query):
            assert call(client, "/suggest", **query) == {"goods": [], "brands": [], "categories": []}


def test_an_impossible_word_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for word in ["a\x00b", "x" * 2001]:
        with subtests.test(word=word):
            assert refused(client, "/suggest", word=word) == (1002, "parameter_error")
