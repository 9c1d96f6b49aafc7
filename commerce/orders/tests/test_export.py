"""What may be sent abroad, how much of it, and its tax (docs/freight.md#export)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any, cast

import pytest

from catalog.goods.listed import CartProduct
from catalog.goods.models import Product
from catalog.goods.tests.builders import make_category
from commerce.delivery.exports import Exported, Limit, split
from commerce.delivery.models import ExportLimit, FreightRule
from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order, Trade
from commerce.orders.tests.agreement import disagreements
from commerce.orders.tests.baskets import lines_of
from commerce.orders.tests.builders import Answer, Buyer, BuyerInChina, make_stocked, nothing_changes
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

ADDRESS = "China-上海市-浦东新区-200120"


def ask(buyer: BuyerInChina, *lines: tuple[Product, int]) -> tuple[Answer, Answer, Answer]:
    """Ask for the same products by freight call, preview and order."""
    body = buyer.body(*lines)
    goods = {"orderGoods": body["orderGoods"], "shippingType": 1, "address": ADDRESS}
    return (
        buyer.send("POST", "/common/freight", goods),
        buyer.send("POST", "/order/preview", goods),
        buyer.send("POST", "/order", body),
    )


def limit(**fields: Any) -> ExportLimit:
    """Make a limit for China."""
    return ExportLimit.objects.create(country="China", **fields)


def test_what_is_chilled_frozen_or_kept_back_is_refused_by_its_names() -> None:
    buyer, rice = BuyerInChina(), make_stocked()
    chilled = make_stocked(storage="chilled", name_en="Tofu", name_zh="豆腐")
    fresh = make_stocked(no_export=True, name_en="Ginger", name_zh="鲜姜")
    with nothing_changes(but=[Trade]):
        answers = ask(buyer, (rice, 1), (chilled, 1), (fresh, 2))
    for answer in answers:
        assert (answer["reason"], answer["fields"]) == ("not_exported", {"orderGoods": "not_exported"})
        assert (answer["whyEn"], answer["why"]) == (
            "Not sent abroad: Tofu, Ginger. Please remove these products from the order.",
            "以下商品不寄往海外：豆腐、鲜姜。请从订单中移除。",
        )


def test_within_australia_everything_goes() -> None:
    limit(max_units=1)
    goods = lines_of((make_stocked(no_export=True), 3))
    body = {"orderGoods": goods, "shippingType": 2, "address": "Australia-WA-Perth-6000"}
    assert BuyerInChina().send("POST", "/order/preview", body)["code"] == 0


def test_too_many_units_are_refused_with_a_way_to_split_them() -> None:
    formula = make_category(name_en="Milk Formula", name_zh="奶粉")
    limit(category=formula, max_units=3, why_en="For personal use.", why_zh="限个人自用。")
    milk = make_stocked(category=make_category(parent=formula), name_en="Milk", name_zh="牛奶粉")
    buyer, rice = BuyerInChina(), make_stocked(name_en="Rice")
    with nothing_changes(but=[Trade]):
        answers = ask(buyer, (rice, 5), (milk, 7))
    for answer in answers:
        assert answer["reason"] == "export_limit"
        assert answer["whyEn"] == (
            "China, Milk Formula: an order may have at most 3 units; this one has 7. For personal use. "
            "Please split it into 3 orders, for instance: 1) Rice × 5, Milk × 3; 2) Milk × 3; 3) Milk × 1"
        )
        assert "奶粉：每个订单最多 3 件，本单有 7 件。限个人自用。请分成 3 个订单" in answer["why"]
    assert {answer["code"] for answer in ask(buyer, (milk, 3))} == {0}


def test_too_high_a_value_is_refused_but_for_a_single_unit() -> None:
    limit(max_value=Decimal(100))
    buyer, dear = BuyerInChina(), make_stocked(price=Decimal(120))
    assert {answer["code"] for answer in ask(buyer, (dear, 1))} == {0}
    with nothing_changes(but=[Trade]):
        for answer in ask(buyer, (dear, 2)):
            assert answer["reason"] == "export_limit"
            assert "an order may be worth at most A$100.00; this one is worth A$240.00." in answer["whyEn"]


def test_a_limit_holds_from_its_first_day_to_its_last(subtests: pytest.Subtests) -> None:
    today = date.today()
    for first, last, code in ((None, -1, 0), (1, None, 0), (0, 0, 1), (None, None, 1)):
        with subtests.test(first=first, last=last, code=code), rolled_back():
            days = {
                "valid_from": None if first is None else today + timedelta(days=first),
                "valid_until": None if last is None else today + timedelta(days=last),
            }
            limit(max_units=1, **days)
            assert {answer["code"] for answer in ask(BuyerInChina(), (make_stocked(), 2))} == {code}


def test_what_is_exported_is_free_of_tax_at_the_same_price() -> None:
    buyer, product = BuyerInChina(), make_stocked(price=Decimal(11), gst_free=False)
    _, preview, placed = ask(buyer, (product, 2))
    order = Order.objects.get(order_no=placed["result"]["orderNo"])
    assert order.goods_amount == 22
    assert [line.gst for line in order.lines.all()] == [0]
    assert (preview["result"]["gst"], preview["result"]["freightGst"]) == (0, 0)
    assert order.freight_gst == 0
    details = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert disagreements(preview["result"], details) == []


ADDRESSEE = {"contacts": "Mei Lin", "contactPhone": "+61 400 123 456", "addressDetail": "1 Taylors Road"}
NORFOLK: dict[str, dict[str, str]] = {
    "a post code of New South Wales": {
        "countryName": "Australia",
        "provinceName": "NSW",
        "areaName": "Norfolk Island",
        "zipCode": "2899",
    },
    "a place of New South Wales": {
        "countryName": "Australia",
        "provinceName": "NSW",
        "cityName": "Norfolk Island",
        "zipCode": "",
    },
    "a country": {"countryName": "Norfolk Island", "cityName": "Kingston", "zipCode": "2899"},
}


@pytest.mark.parametrize("entered", NORFOLK)
def test_an_external_territory_is_an_export_however_its_address_is_entered(entered: str) -> None:
    buyer, product = Buyer(), make_stocked(price=Decimal("9.99"), gst_free=False)
    FreightRule.objects.create(
        country="Norfolk Island",
        storage="ambient",
        first_grams=22_000,
        first_price=40,
        step_grams=1000,
        step_price=1,
    )
    place = {"provinceName": "", "cityName": "", "areaName": ""} | NORFOLK[entered]
    order_type = 2 if place["countryName"] == "Australia" else 1
    made = buyer.send("POST", "/setting/deliveryAddress", {**ADDRESSEE, **place})
    parts = [place[name] for name in ("countryName", "provinceName", "cityName", "areaName", "zipCode")]
    text = "-".join(filter(None, parts))
    goods = {"orderGoods": lines_of((product, 3)), "shippingType": order_type, "address": text}
    preview = buyer.send("POST", "/order/preview", goods)["result"]
    assert (preview["gst"], preview["freightGst"], preview["freight"]) == (0, 0, 40)
    assert buyer.send("POST", "/common/freight", goods)["result"]["freight"] == 40
    body = buyer.body((product, 3)) | {
        "shippingType": order_type,
        "deliveryAddressId": made["result"]["addressId"],
    }
    placed = buyer.send("POST", "/order", body)
    order = Order.objects.get(order_no=placed["result"]["orderNo"])
    assert (order.freight, order.freight_gst) == (Decimal(40), Decimal(0))
    assert [line.gst for line in order.lines.all()] == [0]
    assert order.shipping_type == ShippingType.abroad
    details = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert disagreements(preview, details) == []
    # Its limits are those of the territory, and products that stay in Australia are not sent there.
    ExportLimit.objects.create(country="Norfolk Island", max_units=2)
    assert buyer.send("POST", "/order/preview", goods)["reason"] == "export_limit"
    chilled = {**goods, "orderGoods": lines_of((make_stocked(storage="chilled"), 1))}
    assert buyer.send("POST", "/order/preview", chilled)["reason"] == "not_exported"


def item(pk: int, units: int, value: int, *categories: int) -> Exported:
    """Make units of a product that was never stored."""
    product = cast("CartProduct", Product(pk=pk))
    return Exported(product, units, Decimal(value), frozenset(categories))


def test_a_split_keeps_to_every_limit_and_loses_nothing() -> None:
    items = [item(1, 7, 70, 10), item(2, 4, 200), item(3, 1, 500), item(4, 3, 100)]
    limits = [Limit(None, None, Decimal(120)), Limit(10, 3, None)]
    parts = split(items, limits)
    for part in parts:
        inside = [
            Exported(
                each.product, part[each.product.id], each.unit_value * part[each.product.id], each.categories
            )
            for each in items
            if each.product.id in part
        ]
        assert all(limit.is_kept(inside) for limit in limits)
    found = {each.product.id: sum(part.get(each.product.id, 0) for part in parts) for each in items}
    assert found == {1: 7, 2: 4, 3: 1, 4: 3}


def test_a_unit_that_is_dearer_than_the_limit_of_its_category_goes_alone() -> None:
    items = [item(1, 1, 500, 10), item(2, 5, 50)]
    assert split(items, [Limit(10, None, Decimal(120))]) == [{1: 1}, {2: 5}]
