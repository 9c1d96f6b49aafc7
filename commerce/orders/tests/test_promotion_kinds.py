"""What each kind of promotion does to an order (docs/product.md#promotions)."""

from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from catalog.goods.models import Product, Storage
from catalog.goods.writing import save_product
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.models import StockLevel
from catalog.stock.tests.builders import make_location, stock
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from commerce.orders.models import Order, OrderLine, PromotionUse
from commerce.orders.services import cancel_order, mark_paid
from commerce.orders.tests.builders import (
    Answer,
    Buyer,
    audit,
    make_stocked,
    nothing_changes,
    ordered,
    promoted,
)
from commerce.orders.tests.shoppers import Shopper
from commerce.vouchers.tests.builders import make_voucher
from core.errors import Err
from core.money import aud
from core.tests.queries import statements_of
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db


def make_gift(bought: Product, given: Product, **kw: Any) -> PromotionItem:
    """Make a promotion that gives a product to customers who spend 10.00 on another."""
    promotion = make_promotion(kind="gift", gift_from=Decimal("10.00"), name_en="Cups", name_zh="杯")
    promote(promotion, bought)
    return promote(promotion, given, is_gift=True, **kw)


def bought(buyer: Buyer, promotion: Promotion, *lines: tuple[Product, int], **kw: Any) -> Answer:
    """Order products in a promotion; returns the order's details after comparing them with the preview."""
    preview = buyer.send("POST", "/order/preview", {"actionGoods": promoted(promotion, *lines)})["result"]
    answer = buyer.order(actionGoods=promoted(promotion, *lines), **kw)
    assert answer["code"] == 0, answer
    detail: Answer = buyer.send("GET", f"/order/detailed/{answer['result']['orderNo']}")["result"]
    shared = ("goodsId", "goodsAmount", "price", "discount", "lineAmount", "isGift", "why", "whyEn")
    of_order, of_preview = (
        [[line[key] for key in shared] for line in each["goods"]] for each in (detail, preview)
    )
    assert of_order == of_preview
    assert [detail[key] for key in ("orderAmount", "discount", "gst")] == [
        preview[key] for key in ("orderAmount", "discount", "gst")
    ]
    audit()
    return detail


def test_per_cent_off_is_rounded_to_the_cent_for_each_unit(buyer: Buyer) -> None:
    rice = make_stocked(price=Decimal("4.99"))
    promotion = make_promotion(kind="percent", percent_off=15, name_en="Tea week", name_zh="茶周")
    promote(promotion, rice)
    detail = bought(buyer, promotion, (rice, 3))
    # 4.99 less 15 per cent is 4.2415.
    assert (detail["goods"][0]["price"], detail["orderAmount"]) == (4.24, 12.72)
    assert detail["goods"][0]["whyEn"] == "Tea week: 15% off"
    assert detail["goods"][0]["why"] == "茶周：优惠 15%"


def test_of_each_three_one_is_free(buyer: Buyer, subtests: pytest.Subtests) -> None:
    rice = make_stocked(price=Decimal("5.00"))
    promotion = make_promotion(kind="buy_get", buy_units=2, free_units=1, name_en="Three", name_zh="三件")
    promote(promotion, rice)
    for units, free in ((1, 0), (2, 0), (3, 1), (5, 1), (6, 2)):
        with subtests.test(units=units, free=free), rolled_back():
            [line] = bought(buyer, promotion, (rice, units))["goods"]
            found = (line["price"], line["discount"], line["lineAmount"])
            assert found == (5.0, 5.0 * free, 5.0 * (units - free))
            expected = "Three: Buy 2, get 1 free" if free else "Ordinary price"
            assert line["whyEn"] == expected
            assert PromotionItem.objects.get().taken == units


def test_a_bundle_saves_what_its_products_cost_more_alone_to_the_cent(buyer: Buyer) -> None:
    rice, tea, egg = (make_stocked(price=Decimal(price)) for price in ("3.33", "3.33", "3.35"))
    promotion = make_promotion(kind="bundle", bundle_price=Decimal("10.00"))
    promote(promotion, rice)
    promote(promotion, tea)
    promote(promotion, egg, units=2)
    alone = bought(buyer, promotion, (rice, 2), (tea, 1))
    assert (alone["discount"], alone["orderAmount"]) == (0.0, 9.99)
    # 3.33 + 3.33 + 2 × 3.35 are 13.36; a second rice is outside the bundle.
    detail = bought(buyer, promotion, (rice, 2), (tea, 1), (egg, 2))
    assert [line["discount"] for line in detail["goods"]] == [0.84, 0.84, 1.68]
    assert detail["orderAmount"] == 13.33


def test_gifts_that_an_order_cannot_hold_are_left_out(buyer: Buyer) -> None:
    rice, tea = make_stocked(price=Decimal("5.00")), make_stocked(price=Decimal("6.00"))
    dear = make_stocked(price=Decimal("9999999999.99") - Decimal("10.99"))
    cup = make_stocked(price=Decimal("2.00"))
    promotion = make_promotion(kind="gift", gift_from=Decimal("5.00"))
    promote(promotion, rice)
    gifts = [promote(promotion, product, is_gift=True) for product in (dear, cup)]

    # What the customer buys outside the promotion counts too: 5.00 and 6.00 leave a cent too little.
    body = {
        "orderGoods": [{"goodsId": tea.pk, "goodsAmount": 1}],
        "actionGoods": promoted(promotion, (rice, 1)),
    }
    preview = buyer.send("POST", "/order/preview", body)["result"]
    trade = buyer.send("POST", "/toTrade", body)
    assert trade["code"] == 0
    answer = buyer.order((tea, 1), actionGoods=body["actionGoods"])
    detail = buyer.send("GET", f"/order/detailed/{answer['result']['orderNo']}")["result"]

    for each in (preview, detail):
        assert [line["goodsId"] for line in each["goods"]] == [tea.pk, rice.pk, cup.pk]
        assert (each["orderAmount"], each["discount"]) == (11.0, 2.0)
    assert [PromotionItem.objects.get(pk=gift.pk).taken for gift in gifts] == [0, 1]
    # Without the tea there is room for both.
    assert [line["goodsId"] for line in bought(buyer, promotion, (rice, 1))["goods"]] == [
        product.pk for product in (rice, dear, cup)
    ]


def test_the_gift_comes_with_the_amount_and_is_taken_from_stock_and_quota(buyer: Buyer) -> None:
    rice, cup = make_stocked(price=Decimal("5.00")), make_stocked(4, price=Decimal("2.00"), name_en="Cup")
    gift = make_gift(rice, cup, quota=2, limit_amount=1)
    promotion = gift.promotion
    [below] = bought(buyer, promotion, (rice, 1))["goods"]
    assert below["goodsId"] == rice.pk

    detail = bought(buyer, promotion, (rice, 2))

    assert [(line["goodsId"], line["discount"], line["lineAmount"]) for line in detail["goods"]] == [
        (rice.pk, 0.0, 10.0),
        (cup.pk, 2.0, 0.0),
    ]
    assert detail["goods"][1]["whyEn"] == "Cups: Free gift when you spend A$10.00"
    gift.refresh_from_db()
    assert (gift.taken, StockLevel.objects.get(product=cup).reserved) == (1, 1)
    # One for each customer: the second order has none, and is not refused.
    assert len(bought(buyer, promotion, (rice, 2))["goods"]) == 1
    # Canceled and paid late, it takes its gift again.
    order = Order.objects.get(order_no=detail["orderNo"])
    cancel_order(customer=buyer.customer, order_no=order.order_no)
    gift.refresh_from_db()
    assert (gift.taken, StockLevel.objects.get(product=cup).reserved) == (0, 0)
    order.refresh_from_db()
    assert mark_paid(order=order, pay_type="0")
    gift.refresh_from_db()
    assert (gift.taken, StockLevel.objects.get(product=cup).reserved) == (1, 1)
    assert PromotionUse.objects.get(item=gift).amount == 1


def test_no_order_is_refused_for_want_of_a_gift(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for lack in ("stock", "quota", "sale"):
        with subtests.test(lack=lack), rolled_back():
            rice, cup = make_stocked(price=Decimal("5.00")), make_stocked(1 if lack == "stock" else 4)
            if lack == "sale":
                cup.on_sale = False
                save_product(cup)
            gift = make_gift(rice, cup, units=2, quota=1 if lack == "quota" else 9)
            assert len(bought(buyer, gift.promotion, (rice, 2))["goods"]) == 1


def test_a_pick_up_in_a_shop_without_the_gift_goes_on_without_it(buyer: Buyer) -> None:
    rice, cup = make_stocked(price=Decimal("5.00")), make_stocked(4)
    shop = make_shop(location=make_location())
    stock(rice, 5, location=shop.location)
    promotion = make_gift(rice, cup).promotion
    order = ordered(buyer.pick_up(shop, actionGoods=promoted(promotion, (rice, 2))))
    assert [line.product_id for line in order.lines.all()] == [rice.pk]
    audit()


def test_promotion_gift_and_voucher_take_few_statements_more(buyer: Buyer) -> None:
    rice, tea, cup = make_stocked(price=Decimal("20.00")), make_stocked(), make_stocked()
    promotion = make_gift(rice, cup).promotion
    voucher = make_voucher("1.00", rice.brand)
    everything: dict[str, Any] = {"actionGoods": promoted(promotion, (rice, 1)), "voucherCode": voucher.code}
    counts = []
    for more in ({}, everything):
        order = partial(buyer.order, (tea, 1), (rice, 1), code=buyer.trade(), **more)
        statements = statements_of(order)
        counts.append(len([each for each in statements if "SAVEPOINT" not in each]))
    assert Order.objects.count() == 2
    # Seven of the promotion, five of the voucher, two that count its code as a guess until it proved right,
    # and one of the customer's unpaid order.
    assert counts[1] - counts[0] <= 7 + 5 + 2 + 1


def test_a_gift_that_cannot_be_sent_to_an_address_is_left_out(buyer: Buyer) -> None:
    rice, ice = make_stocked(price=Decimal("5.00")), make_stocked(storage="frozen")
    promotion = make_gift(rice, ice).promotion
    goods = {"actionGoods": promoted(promotion, (rice, 2))}
    address = {"shippingType": "2", "address": "Australia-WA-Perth-6000"}
    preview = buyer.send("POST", "/order/preview", goods | address)["result"]
    answer = buyer.order(**goods)["result"]
    assert [line["goodsId"] for line in preview["goods"]] == [rice.pk]
    assert list(Order.objects.get().lines.values_list("product", flat=True)) == [rice.pk]
    assert answer["payAmount"] == preview["payAmount"]


def test_a_gift_does_not_count_as_units_that_are_ordered_without_being_paid(buyer: Buyer) -> None:
    rice, cup = make_stocked(price=Decimal("5.00")), make_stocked(limit_amount=2)
    promotion = make_gift(rice, cup, units=2).promotion
    for _ in range(2):
        assert len(bought(buyer, promotion, (rice, 2))["goods"]) == 2
    with nothing_changes():
        assert buyer.send("POST", "/toTrade", {"orderGoods": [{"goodsId": cup.pk, "goodsAmount": 1}]})["code"]


@pytest.mark.django_db(transaction=True)
def test_concurrent_buyers_all_get_orders_and_the_first_get_the_gifts() -> None:
    rice, cup = make_stocked(100, price=Decimal("5.00")), make_stocked(100)
    gift = make_gift(rice, cup, quota=3)
    products = promoted(gift.promotion, (rice, 2))
    shoppers = [Shopper() for _ in range(12)]
    assert concurrently(lambda shopper: shopper.buy(actionGoods=products), shoppers) == ["ok"] * 12
    gift.refresh_from_db()
    assert (gift.taken, OrderLine.objects.filter(product=cup).count()) == (3, 3)
    audit()


def test_per_cent_off_a_cent_leave_a_cent_to_pay(buyer: Buyer) -> None:
    crumb, shop = make_stocked(price=Decimal("0.01")), make_shop(location=make_location())
    stock(crumb, 5, location=shop.location)
    promotion = make_promotion(kind="percent", percent_off=90)
    promote(promotion, crumb)
    assert bought(buyer, promotion, (crumb, 1))["orderAmount"] == 0.01
    picked_up = buyer.pick_up(shop, actionGoods=promoted(promotion, (crumb, 2)))
    assert picked_up["result"]["payAmount"] == 0.02


def test_what_no_order_can_hold_before_its_discount_is_refused(buyer: Buyer) -> None:
    gold = make_stocked(price=Decimal("9999999999.99"))
    promotion = make_promotion(kind="bundle", bundle_price=Decimal("1.00"))
    promote(promotion, gold, units=2)
    goods = {"actionGoods": promoted(promotion, (gold, 2))}
    with nothing_changes():
        assert buyer.send("POST", "/order/preview", goods)["reason"] == "amount_above_limit"
    buyer.refused(Err.amount_above_limit, **goods)


def test_a_gift_cannot_be_ordered_alone(buyer: Buyer) -> None:
    cup = make_stocked()
    promotion = make_promotion(kind="gift", gift_from=Decimal("10.00"))
    promote(promotion, cup, is_gift=True)
    buyer.refused(Err.goods_error, actionGoods=promoted(promotion, (cup, 1)))


def test_a_placed_order_keeps_its_prices_reasons_and_discounts(buyer: Buyer) -> None:
    rice = make_stocked(price=Decimal("5.00"))
    promotion = make_promotion(kind="buy_get", buy_units=2, free_units=1)
    promote(promotion, rice)
    before = bought(buyer, promotion, (rice, 3))
    Promotion.objects.update(name_en="Other", kind="percent", percent_off=50, is_active=False)
    rice.price, rice.name_en = Decimal("99.00"), "Wild rice"
    save_product(rice)
    assert buyer.send("GET", f"/order/detailed/{before['orderNo']}")["result"] == before


def test_a_gift_adds_no_freight_and_its_own_storage_travels_in_a_parcel_without_a_price(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    make_freight_rule(storage=Storage.chilled, first_price=Decimal("9.90"))
    rice = make_stocked(price=Decimal("5.00"), net_weight=5_000)
    for storage, weight in ((Storage.ambient, 20_000), (Storage.chilled, 500)):
        with subtests.test(storage=storage), rolled_back():
            gift = make_gift(rice, make_stocked(storage=storage, net_weight=weight))
            bought = {"actionGoods": promoted(gift.promotion, (rice, 4))}
            plain = buyer.send("POST", "/order/preview", preview_of(rice, 4))["result"]
            shown = buyer.send("POST", "/order/preview", preview_of() | bought)["result"]
            order = ordered(buyer.order(**bought))
            assert shown["goods"][-1]["isGift"]
            assert shown["giftsLeftOut"] == []
            assert (shown["freight"], shown["payAmount"]) == (plain["freight"], plain["payAmount"])
            assert (order.freight, order.lines.filter(is_gift=True).count()) == (
                aud(Decimal(str(plain["freight"]))),
                1,
            )
            alone = shown["parcels"][len(plain["parcels"]) :]
            assert [parcel["freight"] for parcel in alone] == [0] * (storage == Storage.chilled)
            for parcel in alone:
                assert parcel["reasonEn"] == "Chilled, 0.5 kg: gift, sent free of charge"
                assert parcel["reason"] == "冷藏，0.5 公斤：赠品，免运费"
            audit()


def test_a_gift_that_cannot_be_sent_there_is_left_out_and_named(buyer: Buyer) -> None:
    rice, tofu = make_stocked(price=Decimal("5.00")), make_stocked(storage=Storage.chilled, name_en="Tofu")
    gift = make_gift(rice, tofu)
    bought = {"actionGoods": promoted(gift.promotion, (rice, 4))}
    shown = buyer.send("POST", "/order/preview", preview_of() | bought)["result"]
    assert [(each["goodsId"], each["goodsEnglishName"]) for each in shown["giftsLeftOut"]] == [
        (tofu.pk, "Tofu")
    ]
    assert ordered(buyer.order(**bought)).lines.count() == len(shown["goods"]) == 1


def preview_of(*line: Any) -> dict[str, Any]:
    """Ask for a preview of units of a product, sent to Perth."""
    goods = [{"goodsId": line[0].pk, "goodsAmount": line[1]}] if line else []
    return {"orderGoods": goods, "actionGoods": [], "shippingType": 2, "address": "Australia-WA-Perth-6000"}
