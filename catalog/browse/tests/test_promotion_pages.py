"""The pages of promotions and of bulk buying."""

import json
import re
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import PriceTier, Product
from catalog.goods.tests.builders import make_product
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.tests.builders import stock
from core.tests.pages import html_of

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)
LANGUAGES = {"en": "", "zh": "/zh-hans"}


def make_stocked(units: int = 100, **kw: Any) -> Product:
    product = make_product(**{"price": Decimal("5.00"), "pack": "500 g"} | kw)
    stock(product, units)
    return product


def shown(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return html_of(response)


def product_data_of(page: str) -> list[dict[str, Any]]:
    return [json.loads(unescape(text)) for text in re.findall(r'<article[^>]* data-product="([^"]*)"', page)]


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["Hotpot week", "Save $1.50", "Only 12 of 50 left", "At most 4 per customer"]),
        ("zh", ["火锅周", "立省 $1.50", "仅剩 12 / 50 件", "每人限购 4 件"]),
    ],
)
def test_a_promotion_shows_price_saving_quota_share_and_end(
    client: Client, language: str, texts: list[str]
) -> None:
    promotion = make_promotion(name_en="Hotpot week", name_zh="火锅周")
    promote(promotion, make_stocked(), "3.50", quota=50, taken=38, limit_amount=4)
    for path in ("/promotions", f"/promotions/{promotion.pk}"):
        page = shown(client, LANGUAGES[language] + path)
        for text in [*texts, "<small>A$</small>3.50", "$5.00</s>", "0.70", "<progress"]:
            assert text in page
        assert f'datetime="{promotion.ends_at.isoformat()}"' in page


def test_cards_put_products_into_the_cart_of_their_promotion_on_every_page(client: Client) -> None:
    rice = make_stocked()
    promotion = make_promotion((rice, "3.50"))
    for path in ("/promotions", f"/promotions/{promotion.pk}", "/shop"):
        products = product_data_of(shown(client, path))
        assert [row["goodsId"] for row in products] == [rice.pk]
        assert (products[0]["memberPrice"], products[0]["goodsStockAmount"]) == (3.5, 50)
        assert products[0]["action"]["goodsActionTypeId"] == promotion.pk
    page = shown(client, f"/shop/shopdetails/{rice.pk}")
    assert "<small>A$</small>3.50" in page
    assert f'href="/promotions/{promotion.pk}"' in page


def test_a_promotion_is_removed_from_every_page_at_its_end(client: Client) -> None:
    rice = make_stocked()
    end = timezone.now() + timedelta(hours=1)
    promotion = make_promotion((rice, "3.50"), name_en="Hotpot week", ends_at=end)
    paths = ("/promotions", "/shop", f"/shop/shopdetails/{rice.pk}")
    with time_machine.travel(end - MOMENT, tick=False):
        assert all("3.50" in shown(client, path) for path in paths)
        assert client.get(f"/promotions/{promotion.pk}").status_code == 200
    with time_machine.travel(end, tick=False):
        assert not any("3.50" in shown(client, path) for path in paths)
        assert client.get(f"/promotions/{promotion.pk}").status_code == 404


def test_without_promotions_the_page_says_so_and_an_unknown_one_is_not_found(client: Client) -> None:
    assert "No promotion is running just now." in shown(client, "/promotions")
    for wrong in ("0", "x", "9" * 30, "1"):
        assert client.get(f"/promotions/{wrong}").status_code == 404


def test_the_list_of_promotions_takes_the_same_queries_however_many(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(4):
        make_promotion(*((make_stocked(), "3.50") for _ in range(3)))
    shown(client, "/home/bulk")
    # Six of them read the snapshot of all products, which a shop reads every two seconds.
    with django_assert_max_num_queries(16):
        shown(client, "/promotions")


def make_bulk(**kw: Any) -> Product:
    product = make_stocked(is_bulk=True, carton_size=12, **kw)
    for amount, price in [(12, "4.50"), (30, "4.00")]:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    return product


def test_the_cart_knows_what_many_cost_in_a_promotion(client: Client) -> None:
    rice, tea = make_bulk(), make_stocked()
    promotion = make_promotion((rice, "4.20"), (tea, "3.50"))
    page = shown(client, f"/promotions/{promotion.pk}")
    assert {row["goodsId"]: row["priceTiers"] for row in product_data_of(page)} == {
        rice.pk: [{"fromAmount": 1, "price": 4.2}, {"fromAmount": 30, "price": 4}],
        tea.pk: [],
    }


def test_bulk_products_show_their_carton_and_the_price_of_every_amount(client: Client) -> None:
    rice = make_bulk(min_amount=20)
    make_stocked()
    page = shown(client, "/home/bulk")
    cells = [
        re.sub(r"\s+", " ", re.sub("<[^>]+>", "", cell)).strip()
        for cell in re.findall("<t[hd].*?</t[hd]>", page)
    ]
    assert cells == [
        *("Cartons", "Price of one", "Unit price"),
        *("from 2 24 units", "$4.50", "$0.90 / 100 g"),
        *("from 3 36 units", "$4.00", "$0.80 / 100 g"),
    ]
    assert "Carton of 12 × 500 g" in page
    assert "at least 2 cartons (24 units)" in page
    products = product_data_of(page)
    assert [(row["goodsId"], row["cartonSize"]) for row in products] == [(rice.pk, 12)]
    assert products[0]["priceTiers"][1] == {"fromAmount": 12, "price": 4.5}


def test_less_than_the_minimum_of_cartons_is_sold_out(client: Client) -> None:
    make_bulk(units=23, min_amount=20)
    page = shown(client, "/zh-hans/home/bulk")
    assert "售罄" in page
    assert "加 2 箱" not in page
