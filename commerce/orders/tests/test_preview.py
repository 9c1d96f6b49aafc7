"""The preview shows the same lines and sums as the order (docs/wire.md#orderpreview)."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalog.promotions.tests.builders import make_promotion
from commerce.orders.models import OrderLine
from commerce.orders.tests.agreement import disagreements
from commerce.orders.tests.baskets import Baskets, lines_of
from commerce.orders.tests.builders import (
    API,
    Answer,
    Buyer,
    audit,
    make_stocked,
    nothing_changes,
    promoted,
)
from commerce.vouchers.tests.builders import make_voucher
from core.money import CENT
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

PERTH = "Australia-WA-Perth-6000"


def preview(buyer: Buyer, **body: Any) -> Answer:
    return buyer.send("POST", "/order/preview", body)


def test_a_guest_sees_prices_reasons_parcels_and_the_whole_sum(client: Client) -> None:
    rice, tea = make_stocked(price=Decimal("5.50"), gst_free=False), make_stocked(price=Decimal("2.00"))
    Buyer()  # makes the freight rule
    body = {"orderGoods": lines_of((rice, 2), (tea, 1)), "shippingType": "2", "address": PERTH}
    with nothing_changes():
        answer = client.post(f"{API}/order/preview", json.dumps(body), content_type="application/json")
    assert answer.json() == {
        "code": 0,
        "msg": "",
        "result": {
            "goods": [
                {
                    "goodsId": rice.pk,
                    "goodsName": rice.name_zh,
                    "goodsEnglishName": rice.name_en,
                    "goodsImgUrl": None,
                    "goodsAmount": 2,
                    "price": 5.5,
                    "discount": 0.0,
                    "lineAmount": 11.0,
                    "gst": 1.0,
                    "actionTypeId": None,
                    "isGift": False,
                    "why": "正常价格",
                    "whyEn": "Ordinary price",
                },
                answer.json()["result"]["goods"][1],
            ],
            "orderAmount": 13.0,
            "discount": 0.0,
            "freight": 12.4,
            "parcels": answer.json()["result"]["parcels"],
            "freeFrom": [],
            "missingForFree": None,
            "gst": 1.0 + answer.json()["result"]["goods"][1]["gst"],
            "freightGst": 0.95,
            "points": 0,
            "pointsAmount": 0.0,
            "pointsUsable": 0,
            "payAmount": 25.4,
            "giftsLeftOut": [],
            "withoutVoucher": None,
        },
    }
    assert [parcel["freight"] for parcel in answer.json()["result"]["parcels"]] == [12.4]


def test_freight_is_taxed_as_far_as_what_is_sent_is(subtests: pytest.Subtests) -> None:
    buyer = Buyer()
    for rice_is_free, tea_is_free, tax in (
        (False, False, 0.9),
        (True, True, 0.0),
        (False, True, 0.68),
        (True, False, 0.23),
    ):
        with subtests.test(rice_is_free=rice_is_free, tea_is_free=tea_is_free, tax=tax), rolled_back():
            rice = make_stocked(price=Decimal("7.50"), gst_free=rice_is_free, net_weight=100)
            tea = make_stocked(price=Decimal("2.50"), gst_free=tea_is_free, net_weight=100)
            lines = lines_of((rice, 1), (tea, 1))
            shown = preview(buyer, orderGoods=lines, shippingType="2", address=PERTH)["result"]
            assert (shown["freight"], shown["freightGst"]) == (9.9, tax)
            number = buyer.order((rice, 1), (tea, 1))["result"]["orderNo"]
            assert buyer.send("GET", f"/order/detailed/{number}")["result"]["freightGst"] == tax


def test_freight_is_unknown_without_a_place_and_nothing_for_a_pick_up() -> None:
    buyer, rice = Buyer(), make_stocked(price=Decimal("5.00"))
    unknown = preview(buyer, orderGoods=lines_of((rice, 1)))["result"]
    assert (unknown["freight"], unknown["payAmount"], unknown["parcels"]) == (None, 5.0, [])
    pick_up = preview(buyer, orderGoods=lines_of((rice, 1)), shippingType="3")["result"]
    assert (pick_up["freight"], pick_up["payAmount"]) == (0.0, 5.0)


def test_a_preview_refuses_what_the_order_would_refuse(subtests: pytest.Subtests) -> None:
    buyer, rice = Buyer(), make_stocked()
    for body, reason in (
        ({"orderGoods": []}, "goods_error"),
        ({"orderGoods": [{"goodsId": 999, "goodsAmount": 1}]}, "goods_error"),
        ({"address": "Atlantis-1"}, "address_error"),
        ({"shippingType": "1", "address": PERTH}, "choose_delivery"),
        ({"shippingType": "7"}, "choose_delivery"),
        ({"units": 11}, "stock_insufficient"),
        ({"units": 0}, "amount_below_one"),
        ({"voucherCode": "NOSUCH"}, "voucher_unknown"),
    ):
        with subtests.test(body=body, reason=reason), rolled_back():
            goods = {"orderGoods": [{"goodsId": rice.pk, "goodsAmount": body.pop("units", 1)}]}
            with nothing_changes():
                assert preview(buyer, **goods | body)["reason"] == reason


def test_a_guest_logs_in_before_using_a_voucher(client: Client) -> None:
    body = {"orderGoods": lines_of((make_stocked(), 1)), "voucherCode": make_voucher().code}
    answer = client.post(f"{API}/order/preview", json.dumps(body), content_type="application/json")
    assert (answer.status_code, answer.json()["reason"]) == (401, "login_required")


def test_thirty_products_need_as_many_queries_as_one(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    buyer = Buyer()
    products = [make_stocked(is_bulk=True) for _ in range(30)]
    voucher = make_voucher("1.00", products[0].brand)
    promotion = make_promotion((products[0], "1.00"))
    actions = promoted(promotion, (products[0], 1))
    body = {"actionGoods": actions, "voucherCode": voucher.code, "address": PERTH}
    preview(buyer, orderGoods=lines_of((products[1], 1)), **body)
    with django_assert_max_num_queries(14):
        result = preview(buyer, orderGoods=lines_of(*[(each, 1) for each in products[1:]]), **body)["result"]
    assert len(result["goods"]) == 30


@pytest.mark.slow
def test_of_random_baskets_preview_and_order_agree_to_the_cent(settings: Any) -> None:
    settings.MAX_UNPAID_AMOUNT = Decimal(10**9)
    baskets = Baskets(seed=11)
    placed_orders = 0
    for _ in range(30):
        buyer, body = Buyer(), baskets.body()
        shown = preview(buyer, **body, shippingType="2", address=PERTH)
        placed = buyer.send("POST", "/order", buyer.body(**body))
        assert shown.get("reason") == placed.get("reason"), body
        if placed["code"]:
            continue
        placed_orders += 1
        detail = buyer.send("GET", f"/order/detailed/{placed['result']['orderNo']}")
        assert disagreements(shown["result"], detail["result"]) == [], body
    assert placed_orders > 20
    audit()


def test_an_order_that_costs_otherwise_than_its_preview_disagrees() -> None:
    buyer, rice = Buyer(), make_stocked(price=Decimal("5.00"), gst_free=False)
    shown = preview(buyer, orderGoods=lines_of((rice, 2)), shippingType="2", address=PERTH)["result"]
    number = buyer.order((rice, 2))["result"]["orderNo"]
    OrderLine.objects.update(discount=CENT)
    detail = buyer.send("GET", f"/order/detailed/{number}")["result"]
    found = disagreements(shown, detail)
    assert found == ["discount of a line", "lineAmount of a line", "lines of the order"]
