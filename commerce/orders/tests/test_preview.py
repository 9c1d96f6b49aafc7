"""The preview says what the order holds (docs/wire.md#orderpreview)."""

import json
import random
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import PriceTier, Product
from catalog.promotions.models import Promotion
from catalog.promotions.tests.builders import make_promotion, promote
from commerce.orders.models import Order, OrderLine
from commerce.orders.tests.builders import API, Answer, Buyer, audit, make_stocked, nothing_changes
from commerce.vouchers.models import Voucher
from commerce.vouchers.tests.builders import make_voucher
from core.money import CENT, aud

pytestmark = pytest.mark.django_db

PERTH = "Australia-WA-Perth-6000"


def preview(buyer: Buyer, **body: Any) -> Answer:
    return buyer.send("POST", "/order/preview", body)


def lines_of(*lines: tuple[Product, int]) -> list[dict[str, int]]:
    return [{"goodsId": product.pk, "goodsAmount": units} for product, units in lines]


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
            "missingForFree": None,
            "gst": 1.0 + answer.json()["result"]["goods"][1]["gst"],
            "payAmount": 25.4,
        },
    }
    assert [parcel["freight"] for parcel in answer.json()["result"]["parcels"]] == [12.4]


def test_freight_is_unknown_without_a_place_and_nothing_for_a_pick_up() -> None:
    buyer, rice = Buyer(), make_stocked(price=Decimal("5.00"))
    unknown = preview(buyer, orderGoods=lines_of((rice, 1)))["result"]
    assert (unknown["freight"], unknown["payAmount"], unknown["parcels"]) == (None, 5.0, [])
    pick_up = preview(buyer, orderGoods=lines_of((rice, 1)), shippingType="3")["result"]
    assert (pick_up["freight"], pick_up["payAmount"]) == (0.0, 5.0)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"orderGoods": []}, "goods_error"),
        ({"orderGoods": [{"goodsId": 999, "goodsAmount": 1}]}, "goods_error"),
        ({"address": "Atlantis-1"}, "address_error"),
        ({"shippingType": "1", "address": PERTH}, "choose_delivery"),
        ({"shippingType": "7"}, "choose_delivery"),
        ({"units": 11}, "stock_insufficient"),
        ({"units": 0}, "amount_below_one"),
        ({"voucherCode": "NOSUCH"}, "voucher_unknown"),
    ],
)
def test_a_preview_refuses_what_the_order_would_refuse(body: dict[str, Any], reason: str) -> None:
    buyer, rice = Buyer(), make_stocked()
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
    actions = [{"actionTypeId": promotion.pk, "goodsId": products[0].pk, "goodsAmount": 1}]
    body = {"actionGoods": actions, "voucherCode": voucher.code, "address": PERTH}
    preview(buyer, orderGoods=lines_of((products[1], 1)), **body)
    with django_assert_max_num_queries(16):
        result = preview(buyer, orderGoods=lines_of(*[(each, 1) for each in products[1:]]), **body)["result"]
    assert len(result["goods"]) == 30


class Baskets:
    """Random baskets from a small shop with every kind of price, promotion and voucher."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        cents = self.random.choices(range(1, 4_000), k=8)
        self.products = [
            make_stocked(10**6, price=Decimal(each) / 100, gst_free=bool(each % 2), is_bulk=not place % 3)
            for place, each in enumerate(cents)
        ]
        for product in self.products[::3]:
            PriceTier.objects.create(product=product, from_amount=6, price=product.price * 9 / 10 + CENT)
        self.promotions = [
            self._promotion(kind="price"),
            self._promotion(kind="percent", percent_off=self.random.randint(1, 90)),
            self._promotion(kind="buy_get", buy_units=2, free_units=1),
            self._promotion(kind="gift", gift_from=Decimal("20.00")),
            self._promotion(kind="bundle", bundle_price=Decimal("0.50")),
        ]
        unlimited = {"customer_limit": 0}
        self.vouchers = [
            make_voucher("3.00", **unlimited),
            make_voucher("7.77", self.products[0].brand, **unlimited),
            make_voucher("33.33", kind="percent", **unlimited),
        ]

    def _promotion(self, **kw: Any) -> Promotion:
        promotion = make_promotion(**kw)
        for place, product in enumerate(self.random.sample(self.products, 3)):
            is_gift = kw["kind"] == "gift" and place == 2
            price = str(max(aud(product.price / 2), CENT)) if kw["kind"] == "price" else None
            promote(promotion, product, price, quota=10**6, is_gift=is_gift, units=1 + place % 2)
        return promotion

    def body(self) -> dict[str, Any]:
        ordinary = self.random.sample(self.products, self.random.randint(0, 5))
        promotion: Promotion | None = self.random.choice([None, *self.promotions])
        promoted = promotion.items.filter(is_gift=False) if promotion else ()
        voucher: Voucher | None = self.random.choice([None, *self.vouchers])
        return {
            "orderGoods": lines_of(
                *[(each, self.random.randint(1, 9)) for each in ordinary or self.products[:1]]
            ),
            "actionGoods": [
                {
                    "actionTypeId": item.promotion_id,
                    "goodsId": item.product_id,
                    "goodsAmount": self.random.randint(1, 9),
                }
                for item in promoted
            ],
            **({"voucherCode": voucher.code} if voucher else {}),
        }


@pytest.mark.slow
def test_of_random_baskets_preview_and_order_agree_to_the_cent(settings: Any) -> None:
    settings.MAX_UNPAID_ORDERS = settings.MAX_UNPAID_ORDERS_A_DAY = settings.MAX_UNPAID_UNITS = 10**6
    settings.MAX_UNPAID_AMOUNT = Decimal(10**9)
    baskets = Baskets(seed=11)
    placed_orders = 0
    for _ in range(60):
        buyer, body = Buyer(), baskets.body()
        shown = preview(buyer, **body, shippingType="2", address=PERTH)
        placed = buyer.send("POST", "/order", buyer.body(**body))
        assert shown.get("reason") == placed.get("reason"), body
        if placed["code"]:
            continue
        placed_orders += 1
        result, order = shown["result"], Order.objects.get(order_no=placed["result"]["orderNo"])
        lines = list(OrderLine.objects.filter(order=order).order_by("pk"))
        assert [(line.product_id, line.amount, line.to_pay, line.gst) for line in lines] == [
            (
                line["goodsId"],
                line["goodsAmount"],
                Decimal(str(line["lineAmount"])),
                Decimal(str(line["gst"])),
            )
            for line in result["goods"]
        ]
        assert sum(line.to_pay for line in lines) == order.goods_amount == Decimal(str(result["orderAmount"]))
        assert sum(line.gst for line in lines) == Decimal(str(result["gst"]))
        assert order.pay_amount == order.goods_amount + order.freight == Decimal(str(result["payAmount"]))
    assert placed_orders > 40
    audit()
