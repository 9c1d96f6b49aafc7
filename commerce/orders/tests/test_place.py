import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import Product, Storage
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import save_product, update_products
from catalog.promotions.tests.builders import make_promotion
from catalog.rates.models import ExchangeRate
from catalog.stock.models import Location, StockLevel
from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import make_address
from commerce.cart.models import CartItem
from commerce.delivery.models import FreightRule, PickupSlot
from commerce.delivery.shipping import ShippingType
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from commerce.orders.models import Order, Trade
from commerce.orders.requests import Basket, Delivery, OrderIntent, fingerprint
from commerce.orders.services import place, place_order
from commerce.orders.tests.builders import (
    ID_CARD,
    Answer,
    Buyer,
    assert_refused,
    audit,
    make_order,
    make_stocked,
    nothing_changes,
    ordered,
    promoted,
)
from core import clock
from core.errors import Err, ShopError
from core.pictures.renditions import picture_url
from core.tests.pictures import make_picture
from core.tests.queries import statements_of
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

# The rules of these tests name no days.
NO_DAYS = {"daysFrom": None, "daysTo": None}


def reserved() -> list[int]:
    return list(StockLevel.objects.order_by("pk").values_list("reserved", flat=True))


def test_an_order_is_priced_by_the_server_and_reserves_its_products(buyer: Buyer) -> None:
    rice = make_stocked(price=Decimal("12.35"), gst_free=False, net_weight=800)
    tea = make_stocked(price=Decimal("3.10"))
    lines = buyer.body((rice, 2), (tea, 3))
    lines["orderGoods"][0] |= {"memberPrice": 0.01, "price": 0.01}

    answer = buyer.send("POST", "/order", lines | {"payAmount": 0.01, "remark": "慢一点"})

    result = answer["result"]
    assert (result["orderAmount"], result["freight"], result["payAmount"]) == (34.0, 22.4, 56.4)
    assert reserved() == [2, 3]
    order = Order.objects.get(order_no=result["orderNo"])
    assert [(line.product_id, line.amount, line.line_total) for line in order.lines.all()] == [
        (rice.pk, 2, Decimal("24.70")),
        (tea.pk, 3, Decimal("9.30")),
    ]
    assert [line.gst for line in order.lines.all()] == [Decimal("2.25"), 0]
    assert order.remark == "慢一点"
    assert order.exchange_rate == 5
    audit()


def test_an_unpaid_order_expires_after_half_an_hour(buyer: Buyer) -> None:
    before = timezone.now()
    order = ordered(buyer.order((make_stocked(), 1)))
    assert order.expires_at is not None
    assert timedelta(0) <= order.expires_at - before - timedelta(minutes=30) < timedelta(seconds=20)


def test_ordered_amounts_are_removed_from_the_cart_and_the_rest_stays(buyer: Buyer) -> None:
    rice, tea, soap = make_stocked(), make_stocked(), make_stocked()
    for product, amount in [(rice, 5), (tea, 2), (soap, 1)]:
        CartItem.objects.create(customer=buyer.customer, product=product, amount=amount)

    buyer.order((rice, 2), (tea, 2))

    left = CartItem.objects.order_by("product_id").values_list("product_id", "amount")
    assert list(left) == [(rice.pk, 3), (soap.pk, 1)]


def test_a_product_named_twice_is_one_line(buyer: Buyer) -> None:
    rice = make_stocked()
    line = ordered(buyer.order((rice, 2), (rice, "3"))).lines.get()
    assert line.amount == 5


def test_an_orders_copies_are_unaffected_by_later_changes(buyer: Buyer) -> None:
    ExchangeRate.objects.create(rate=Decimal("4.6"), source="test", as_of=timezone.now())
    rice = make_stocked(name_zh="大米", name_en="Rice", price=Decimal("10.00"))
    order_no = buyer.order((rice, 1))["result"]["orderNo"]
    rice.name_en, rice.price = "Wild rice", Decimal("99.00")
    save_product(rice)
    buyer.address.delete()
    FreightRule.objects.update(first_price=1, free_from=1, country="Japan")

    detail = buyer.send("GET", f"/order/detailed/{order_no}")["result"]

    assert detail["goods"][0] | {"goodsId": 0} == {
        "goodsId": 0,
        "goodsName": "大米",
        "goodsEnglishName": "Rice",
        "goodsImgUrl": None,
        "goodsAmount": 1,
        "price": 10.0,
        "discount": 0.0,
        "lineAmount": 10.0,
        "actionTypeId": None,
        "isGift": False,
        "why": "正常价格",
        "whyEn": "Ordinary price",
        "refundedUnits": 0,
        "refundedAmount": 0.0,
    }
    assert detail["address"]["addressDetail"] == "1 Hay Street"
    assert detail["address"]["addType"] == 1
    assert detail["exchangeRate"] == 4.6
    reasons = {
        "reason": "常温，0.5 千克，寄往其他地区：首 1 千克 A$9.90",
        "reasonEn": "Room temperature, 0.5 kg to everywhere else: A$9.90 for the first 1 kg",
    }
    assert detail["parcels"] == [{"storage": "ambient", "weight": 500, "freight": 9.9} | reasons | NO_DAYS]


def test_parcels_of_older_orders_have_no_reasons(buyer: Buyer) -> None:
    order = make_order(buyer)
    parcel = {"storage": "ambient", "weight": 500, "freight": "9.90"}
    Order.objects.update(parcels=[parcel])
    [shown] = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]["parcels"]
    audit()
    assert shown == parcel | {"freight": 9.9, "reason": "", "reasonEn": ""} | NO_DAYS


def test_freight_is_free_from_what_the_products_cost_after_promotion(buyer: Buyer) -> None:
    FreightRule.objects.update(free_from=20, surcharge=2)
    rice = make_stocked(price=Decimal("10.00"))
    promotion = make_promotion((rice, "9.99"))
    assert buyer.order((rice, 2))["result"]["freight"] == 0
    both = buyer.order((rice, 1), actionGoods=promoted(promotion, (rice, 1)))["result"]
    assert (both["orderAmount"], both["freight"]) == (19.99, 11.9)
    audit()


def test_an_order_to_where_nothing_is_sent_is_refused_with_the_reason(buyer: Buyer) -> None:
    FreightRule.objects.update(excluded=True, why_en="Too far", why_zh="太远")
    answer = buyer.refused(Err.address_error, (make_stocked(), 1))
    assert (answer["why"], answer["whyEn"]) == ("太远", "Too far")


def test_an_orders_lines_have_their_own_copy_of_what_was_sold(buyer: Buyer) -> None:
    make_freight_rule(storage=Storage.frozen)
    rice = make_stocked(
        sku="RICE-1", pack="500 g", net_weight=520, storage=Storage.frozen, picture=make_picture()
    )
    order = make_order(buyer, (rice, 1))
    line = order.lines.get()
    assert (line.sku, line.pack, line.net_weight, line.storage) == ("RICE-1", "500 g", 520, Storage.frozen)
    assert line.picture_url == picture_url(rice.picture)


def test_an_orders_number_names_the_day_and_cannot_be_guessed(buyer: Buyer) -> None:
    assert re.fullmatch(r"S\d{6}[0-9A-Z]{8}", make_order(buyer).order_no)


def test_an_order_abroad_has_delivery_type_one(buyer: Buyer) -> None:
    address = make_address(buyer.customer, country_name="China", province_name="广东省")
    answer = buyer.order(
        (make_stocked(), 1), shippingType="1", deliveryAddressId=str(address.pk), idCard=ID_CARD
    )
    assert answer["code"] == 0


def test_a_pick_up_reserves_the_shops_stock_and_a_slot(buyer: Buyer) -> None:
    shop, rice = make_shop(per_hour=1), make_product()
    level = stock(rice, 4, shop.location)

    answer = buyer.pick_up(shop, (rice, 3))

    assert answer["result"]["freight"] == 0
    level.refresh_from_db()
    assert level.reserved == 3
    assert PickupSlot.objects.get().booked == 1
    detail = buyer.send("GET", f"/order/detailed/{answer['result']['orderNo']}")["result"]
    assert (detail["address"], detail["shop"]["shopId"]) == (None, shop.pk)
    booked = PickupSlot.objects.get()
    assert detail["shop"]["terminalDateTime"] == clock.to_wire(booked.starts_at)
    other = Buyer()
    code = other.trade()
    with nothing_changes():
        assert_refused(other.pick_up(shop, (rice, 1), code=code), Err.parameter_error)
    audit()


def test_the_same_code_and_order_give_the_same_answer(buyer: Buyer) -> None:
    rice, tea = make_stocked(), make_stocked()
    body = buyer.body((rice, 2), (tea, 1))
    first = buyer.send("POST", "/order", body)
    respelled = body | {
        "orderGoods": [
            {"goodsId": tea.pk, "goodsAmount": 1},
            {"goodsId": str(rice.pk), "goodsAmount": 1},
            {"goodsId": rice.pk, "goodsAmount": 1},
        ],
        "shippingType": "2",
    }
    with nothing_changes():
        assert buyer.send("POST", "/order", body) == first
        assert buyer.send("POST", "/order", respelled) == first


def test_the_same_code_gets_the_same_answer_when_products_are_sold_out_and_the_code_expired(
    buyer: Buyer,
) -> None:
    body = buyer.body((make_stocked(2), 2))
    first = buyer.send("POST", "/order", body)
    assert first["code"] == 0
    with nothing_changes():
        assert buyer.send("POST", "/order", body) == first
    update_products(Product.objects.all(), on_sale=False)
    Trade.objects.update(expires_at=timezone.now())
    assert buyer.send("POST", "/order", body) == first


def test_the_products_may_be_sent_with_the_code(buyer: Buyer) -> None:
    rice = make_stocked()
    products = {"orderGoods": [{"goodsId": rice.pk, "goodsAmount": 2}]}
    code = buyer.send("POST", "/toTrade", products)["result"]["transactionCode"]

    answer = buyer.order(code=code, orderGoods=[])

    assert answer["code"] == 0
    assert reserved() == [2]
    # It is the same order with or without the products named.
    assert buyer.order((rice, 2), code=code) == answer


def test_a_code_may_be_used_again_with_fewer_products_after_a_refusal(buyer: Buyer) -> None:
    rice, code = make_stocked(2), buyer.trade()
    assert_refused(buyer.order((rice, 3), code=code), Err.stock_insufficient)
    assert buyer.order((rice, 2), code=code)["code"] == 0


CASES: dict[str, tuple[Err, dict[str, Any]]] = {
    "no goods": (Err.goods_error, {"orderGoods": []}),
    "goods left out": (Err.goods_error, {"orderGoods": None}),
    "unknown good": (Err.goods_error, {"orderGoods": [{"goodsId": 10**9, "goodsAmount": 1}]}),
    "good that is no number": (Err.goods_error, {"orderGoods": [{"goodsId": "x", "goodsAmount": 1}]}),
    "good past all numbers": (Err.goods_error, {"orderGoods": [{"goodsId": 10**20, "goodsAmount": 1}]}),
    "amount left out": (Err.parameter_error, {"orderGoods": [{"goodsId": 1}]}),
    "goods that are no list": (Err.parameter_error, {"orderGoods": "1"}),
    "no way of delivery": (Err.choose_delivery, {"shippingType": None}),
    "empty way of delivery": (Err.choose_delivery, {"shippingType": ""}),
    "unknown way of delivery": (Err.choose_delivery, {"shippingType": 4}),
    "way abroad for an address at home": (Err.choose_delivery, {"shippingType": 1}),
    "no address": (Err.choose_consignee, {"deliveryAddressId": None}),
    "empty address": (Err.choose_consignee, {"deliveryAddressId": ""}),
    "unknown address": (Err.address_error, {"deliveryAddressId": 10**9}),
    "pick-up without a shop": (Err.parameter_error, {"shippingType": 3}),
    "pick-up without a time": (Err.parameter_error, {"shippingType": 3, "shopId": 1}),
    "pick-up at no real time": (
        Err.parameter_error,
        {"shippingType": 3, "shopId": 1, "terminalDateTime": "31/02/2027 10:00"},
    ),
    "pick-up before the calendar begins": (
        Err.parameter_error,
        {"shippingType": 3, "shopId": 1, "terminalDateTime": "01/01/0001 00:00"},
    ),
    "unknown shop": (
        Err.parameter_error,
        {"shippingType": 3, "shopId": 10**9, "terminalDateTime": "01/12/2026 10:00"},
    ),
    "unknown code": (Err.parameter_error, {"transactionCode": "unknown"}),
    "code left out": (Err.parameter_error, {"transactionCode": None}),
    "NUL in the remark": (Err.parameter_error, {"remark": "a\0b"}),
    "lone surrogate in the remark": (Err.parameter_error, {"remark": "\ud800"}),
    "endless remark": (Err.parameter_error, {"remark": "长" * 501}),
    "unknown promotion": (
        Err.parameter_error,
        {"actionGoods": [{"actionTypeId": 1, "goodsId": 1, "goodsAmount": 1}]},
    ),
    "two promotions": (
        Err.one_activity_only,
        {"actionGoods": [{"actionTypeId": n, "goodsId": 1, "goodsAmount": 1} for n in (1, 2)]},
    ),
}


def test_a_wrong_order_is_refused_and_changes_nothing(buyer: Buyer, subtests: pytest.Subtests) -> None:
    rice = make_stocked()
    CartItem.objects.create(customer=buyer.customer, product=rice, amount=3)
    for case, (err, wrong) in CASES.items():
        with subtests.test(case=case), rolled_back():
            buyer.refused(err, (rice, 1), **{"remark": "r"} | wrong)


def test_a_wrong_amount_is_refused_and_changes_nothing(buyer: Buyer, subtests: pytest.Subtests) -> None:
    rice = make_stocked(min_amount=2, limit_amount=5)
    for amount, err in (
        (0, Err.amount_below_one),
        (-1, Err.amount_below_zero),
        (1, Err.amount_below_one),
        (6, Err.amount_above_limit),
        (2**31, Err.parameter_error),
        (1.5, Err.parameter_error),
        (True, Err.parameter_error),
        ("٢", Err.parameter_error),
        ("", Err.parameter_error),
    ):
        with subtests.test(amount=amount, err=err), rolled_back():
            buyer.refused(err, (rice, amount))


def test_too_few_units_name_the_least_amount_also_in_the_preview(buyer: Buyer) -> None:
    rice = make_stocked(min_amount=6, name_en="Rice", name_zh="米")
    answer = buyer.refused(Err.amount_below_one, (rice, 5))
    why = ("米：每单至少 6 件。", "Rice: at least 6 in one order.")
    assert (answer["why"], answer["whyEn"]) == why
    assert answer["fields"] == {"orderGoods": "amount_below_one"}
    shown = buyer.send("POST", "/order/preview", buyer.body((rice, 5)))
    assert (shown["why"], shown["whyEn"]) == why


def test_limits_apply_to_the_sum_of_a_products_lines(buyer: Buyer) -> None:
    rice = make_stocked(limit_amount=5)
    buyer.refused(Err.amount_above_limit, (rice, 3), (rice, 3))


def test_missing_stock_is_refused_and_nothing_is_reserved(buyer: Buyer) -> None:
    rice, tea = make_stocked(5), make_stocked(1)
    CartItem.objects.create(customer=buyer.customer, product=rice, amount=3)
    buyer.refused(Err.stock_insufficient, (rice, 2), (tea, 2))


def test_a_product_without_stock_at_the_shop_releases_the_slot(buyer: Buyer) -> None:
    shop, rice, code = make_shop(), make_stocked(), buyer.trade()
    with nothing_changes():
        assert_refused(buyer.pick_up(shop, (rice, 1), code=code), Err.stock_insufficient)


def test_a_pick_up_where_something_is_missing_is_refused_with_the_stores_that_have_it(buyer: Buyer) -> None:
    rice = make_stocked()
    empty, full = make_shop(), make_shop(name_en="Northbridge", name_zh="北桥店")
    stock(rice, 5, full.location)
    code = buyer.trade()
    with nothing_changes():
        answer = buyer.pick_up(empty, (rice, 1), code=code)
    assert answer["whyEn"] == "These stores have all of it: Northbridge."
    assert answer["why"] == "以下门店有全部商品：北桥店。"
    with nothing_changes():
        answer = buyer.pick_up(empty, (rice, 6), code=code)
    assert (answer["whyEn"], answer["why"]) == ("No store has all of it.", "没有门店备齐全部商品。")
    listed = buyer.send("GET", f"/shops?goods={rice.pk}:1")["result"]
    assert [(shop["available"], shop["missing"]) for shop in listed] == [
        (False, [{"goodsId": rice.pk, "left": 0}]),
        (True, []),
    ]
    assert buyer.pick_up(full, (rice, 1), code=code)["code"] == 0


def test_a_shop_that_takes_no_orders_is_refused(buyer: Buyer) -> None:
    shop, rice, code = make_shop(is_open=False), make_product(), buyer.trade()
    stock(rice, 5, shop.location)
    with nothing_changes():
        assert_refused(buyer.pick_up(shop, (rice, 1), code=code), Err.parameter_error)


def test_a_region_without_delivery_is_refused(buyer: Buyer) -> None:
    FreightRule.objects.all().delete()
    make_freight_rule(country="China")
    buyer.refused(Err.address_error, (make_stocked(), 1))


def test_without_a_warehouse_nothing_can_be_delivered(buyer: Buyer) -> None:
    buyer.refused(Err.stock_insufficient, (make_product(), 1))
    assert not Location.objects.exists()


def test_an_expired_code_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    rice, code = make_stocked(), buyer.trade()
    for age in (timedelta(0), timedelta(seconds=1)):
        with subtests.test(age=age), rolled_back(), time_machine.travel(timezone.now(), tick=False):
            Trade.objects.update(expires_at=timezone.now() - age)
            buyer.refused(Err.order_timeout, (rice, 1), code=code)


def test_a_code_that_is_deleted_while_it_is_sent_has_expired(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def delete_first(*asked: Any) -> str:
        Trade.objects.all().delete()
        return fingerprint(*asked)

    body = buyer.body((make_stocked(), 1))
    monkeypatch.setattr(place, "fingerprint", delete_first)
    assert_refused(buyer.send("POST", "/order", body), Err.order_timeout)
    assert not Order.objects.exists()


def test_an_unknown_code_is_named_also_where_the_products_are_sold_out(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    # The customer has a code too, which was not sent.
    buyer.trade()
    for whose in ("unknown", "another customer's"):
        with subtests.test(whose=whose), rolled_back():
            code = Buyer().trade() if whose == "another customer's" else whose
            answer = buyer.refused(Err.parameter_error, (make_stocked(1), 2), code=code)
            assert answer["fields"] == {"transactionCode": "parameter_error"}


def test_what_is_sold_out_is_refused_without_waiting_for_others(buyer: Buyer) -> None:
    rice, code = make_stocked(1), buyer.trade()
    fulfilment = Delivery(ShippingType.domestic, buyer.address.pk)
    intent = OrderIntent(Basket.of([(rice.pk, 2)], []), fulfilment)

    def place_refused() -> None:
        with pytest.raises(ShopError, match="stock_insufficient"):
            place_order(customer=buyer.customer, code=code, intent=intent)

    assert {sql.split()[0] for sql in statements_of(place_refused)} == {"SELECT"}


def test_another_order_on_a_used_code_is_refused(buyer: Buyer) -> None:
    rice = make_stocked()
    body = buyer.body((rice, 1))
    buyer.send("POST", "/order", body)
    others: list[Answer] = [
        {"orderGoods": [{"goodsId": rice.pk, "goodsAmount": 2}]},
        {"remark": "x"},
        {"deliveryAddressId": make_address(buyer.customer).pk},
    ]
    with nothing_changes():
        for other in others:
            assert_refused(buyer.send("POST", "/order", body | other), Err.order_exists)


def test_codes_and_addresses_of_other_customers_are_answered_like_missing_ones(buyer: Buyer) -> None:
    rice, other = make_stocked(), Buyer()
    buyer.refused(Err.parameter_error, (rice, 1), code=other.trade())
    buyer.refused(Err.address_error, (rice, 1), deliveryAddressId=other.address.pk)


def test_a_body_that_is_no_object_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for path in ("/toTrade", "/order", "/orderInfo"):
        for body in ("{", "[]", "1", '"x"', "\ud800".encode("utf-8", "surrogatepass")):
            with subtests.test(path=path, body=body), nothing_changes():
                response = buyer.client.post(f"/api/v1/pc{path}", body, content_type="application/json")
                assert response.status_code == 200
                assert_refused(response.json(), Err.parameter_error)


def test_placing_an_order_takes_a_known_number_of_queries(
    buyer: Buyer, settings: LazySettings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # What processes share was read by an earlier order.
    settings.SNAPSHOT_SECONDS = 3600
    products = [make_stocked() for _ in range(8)]
    buyer.order((products[0], 1))
    for count in (1, 8):
        body = buyer.body(*[(product, 1) for product in products[:count]])
        # SQLite locks no rows of the stock.
        with django_assert_num_queries(19 if connection.vendor == "postgresql" else 18):
            buyer.send("POST", "/order", body)


def test_a_refused_order_names_the_field_that_is_wrong(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for case, fields in (
        ("unknown address", {"deliveryAddressId": "address_error"}),
        ("unknown shop", {"shopId": "parameter_error"}),
        ("unknown promotion", {"actionTypeId": "parameter_error"}),
        ("goods left out", {"orderGoods": "goods_error"}),
    ):
        with subtests.test(case=case, fields=fields), rolled_back():
            answer = buyer.send("POST", "/order", buyer.body((make_stocked(), 1), **CASES[case][1]))
            assert answer["fields"] == fields
