"""toTrade refuses early what the order would refuse, and reserves nothing for it (docs/wire.md#totrade)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.tests.builders import stock
from commerce.delivery.tests.builders import make_shop
from commerce.orders.models import PromotionUse, Trade
from commerce.orders.services import trade
from commerce.orders.tests.baskets import lines_of
from commerce.orders.tests.builders import Answer, Buyer, make_stocked, nothing_changes, offer, promoted
from commerce.rate_limits.models import RateLimitCounter
from core.errors import Err
from core.tests.failing import refuse_as_busy
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def ordinary(*lines: tuple[Product, int]) -> Answer:
    return {"orderGoods": lines_of(*lines)}


def at_its_price(promotion: Promotion, *lines: tuple[Product, int]) -> Answer:
    return {"actionGoods": promoted(promotion, *lines)}


def beyond_the_stock_at_both_prices(_: Buyer) -> Answer:
    rice = make_stocked(3)
    return ordinary((rice, 2)) | at_its_price(offer(rice), (rice, 2))


def without_a_stock_level(_: Buyer) -> Answer:
    make_stocked()
    return ordinary((make_product(), 1))


def held_by_another_order(_: Buyer) -> Answer:
    rice = make_stocked(5)
    assert Buyer().order((rice, 4))["code"] == 0
    return ordinary((rice, 2))


def beyond_the_quota(_: Buyer) -> Answer:
    rice = make_stocked(50)
    promotion = offer(rice, quota=5)
    PromotionItem.objects.update(taken=3)
    return at_its_price(promotion, (rice, 3))


def beyond_the_customers_limit_in_a_promotion(_: Buyer) -> Answer:
    rice = make_stocked(50)
    return at_its_price(offer(rice, limit_amount=2), (rice, 3))


def beyond_what_is_left_of_the_customers_limit(buyer: Buyer) -> Answer:
    rice = make_stocked(50)
    promotion = offer(rice, limit_amount=3)
    assert buyer.order(**at_its_price(promotion, (rice, 2)))["code"] == 0
    assert PromotionUse.objects.get().amount == 2
    return at_its_price(promotion, (rice, 2))


def of_two_promotions(_: Buyer) -> Answer:
    rice, tea = make_stocked(), make_stocked()
    return {"actionGoods": promoted(offer(rice), (rice, 1)) + promoted(offer(tea), (tea, 1))}


def of_a_promotion_that_is_over(_: Buyer) -> Answer:
    rice = make_stocked()
    promotion = offer(rice)
    Promotion.objects.update(starts_at=timezone.now() - timedelta(days=2), ends_at=timezone.now())
    return at_its_price(promotion, (rice, 1))


def above_the_maximum_of_an_order(_: Buyer) -> Answer:
    return ordinary((make_stocked(100_000, price=Decimal("999999.99"), limit_amount=100_000), 100_000))


REFUSED: list[tuple[Callable[[Buyer], Answer], Err]] = [
    (lambda _: ordinary((make_stocked(5), 1), (make_stocked(2), 3)), Err.stock_insufficient),
    (beyond_the_stock_at_both_prices, Err.stock_insufficient),
    (lambda _: ordinary((make_stocked(0), 1)), Err.stock_insufficient),
    (without_a_stock_level, Err.stock_insufficient),
    (held_by_another_order, Err.stock_insufficient),
    (beyond_the_quota, Err.stock_insufficient),
    (beyond_the_customers_limit_in_a_promotion, Err.amount_above_limit),
    (beyond_what_is_left_of_the_customers_limit, Err.amount_above_limit),
    (lambda _: ordinary((make_stocked(50, limit_amount=4), 5)), Err.amount_above_limit),
    (lambda _: ordinary((make_stocked(50, min_amount=6), 5)), Err.amount_below_one),
    (of_two_promotions, Err.one_activity_only),
    (of_a_promotion_that_is_over, Err.parameter_error),
    (lambda _: at_its_price(offer(make_stocked()), (make_stocked(), 1)), Err.goods_error),
    (lambda _: ordinary((make_stocked(on_sale=False), 1)), Err.goods_off_shelf),
    (above_the_maximum_of_an_order, Err.amount_above_limit),
]


def test_what_the_order_would_refuse_is_refused_before_a_code_is_given(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    for row, (make_body, err) in enumerate(REFUSED):
        with subtests.test(row=row, err=err), rolled_back():
            products = make_body(buyer)
            order = buyer.body(orderGoods=None) | products
            with nothing_changes():
                early = buyer.send("POST", "/toTrade", products)
                late = buyer.send("POST", "/order", order)
            assert (early["code"], early["reason"], early["result"]) == (err.code, err.name, None)
            assert early == late
            assert early["msg"] == err.zh


def test_the_order_accepts_the_amounts_that_the_cart_accepts(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for amount in (1, 2, 5, 6, 7):
        for minimum, limit, units in ((1, 0, 6), (2, 5, 50), (2, 0, 6), (3, 6, 5)):
            with subtests.test(amount=amount, minimum=minimum, limit=limit, units=units), rolled_back():
                rice = make_stocked(
                    units, min_amount=minimum, limit_amount=limit, is_bulk=True, carton_size=4
                )
                wanted = {"goodsId": rice.pk, "goodsAmount": amount}
                [line] = buyer.send("PUT", "/shoppingCart", wanted)["result"]["list"]
                early = buyer.send("POST", "/toTrade", ordinary((rice, amount)))
                order = buyer.order((rice, amount))
                assert (early["code"] == 0) == (order["code"] == 0) == (line["goodsAmount"] == amount)


def test_all_remaining_units_are_given_a_code_and_nothing_is_reserved(buyer: Buyer) -> None:
    rice, tea = make_stocked(3), make_stocked(2)
    promotion = offer(tea, quota=2, limit_amount=2)
    products = ordinary((rice, 3)) | at_its_price(promotion, (tea, 2))
    with nothing_changes(but=[Trade]):
        codes = [buyer.send("POST", "/toTrade", products)["result"]["transactionCode"] for _ in range(2)]
    assert len(set(codes)) == Trade.objects.count() == 2
    assert buyer.order(code=codes[0], orderGoods=None, actionGoods=None)["code"] == 0


def test_one_customer_has_a_limited_number_of_codes_at_the_same_time(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trade, "PER_CUSTOMER", replace(trade.PER_CUSTOMER, maximum=2))
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        codes = [buyer.trade() for _ in range(2)]
        with nothing_changes():
            response = buyer.client.post("/api/v1/pc/toTrade", {}, "application/json")
        assert (response.status_code, response.json()["reason"]) == (429, "too_frequent")
        assert response.headers["Retry-After"] == str(2 * 3600)
        assert Buyer().trade() not in codes
        clock.move_to(start + timedelta(hours=2))
        assert buyer.trade()


def test_a_code_that_is_refused_as_busy_does_not_count_one_that_is_refused_does(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(trade, "new_secret", refuse_as_busy)
        answer = buyer.client.post("/api/v1/pc/toTrade", {}, "application/json")
    assert (answer.status_code, answer.json()["reason"]) == (429, "shop_busy")
    assert RateLimitCounter.objects.get().count == 0
    assert buyer.send("POST", "/toTrade", ordinary((make_stocked(1), 2)))["reason"] == "stock_insufficient"
    assert RateLimitCounter.objects.get().count == 1


def test_products_sold_out_after_the_code_are_refused_by_the_order(buyer: Buyer) -> None:
    rice = make_stocked(3)
    code = buyer.send("POST", "/toTrade", ordinary((rice, 3)))["result"]["transactionCode"]
    assert Buyer().order((rice, 1))["code"] == 0
    buyer.refused(Err.stock_insufficient, code=code, orderGoods=None)


def test_products_that_only_a_shop_has_are_given_a_code(buyer: Buyer) -> None:
    rice, shop = make_stocked(1), make_shop()
    stock(rice, 4, shop.location)
    code = buyer.send("POST", "/toTrade", ordinary((rice, 4)))["result"]["transactionCode"]
    assert buyer.pick_up(shop, code=code, orderGoods=None)["code"] == 0


def test_products_that_no_location_has_together_are_refused(buyer: Buyer) -> None:
    rice, tea, shop = make_stocked(1), make_stocked(5), make_shop()
    stock(rice, 5, shop.location)
    with nothing_changes():
        answer = buyer.send("POST", "/toTrade", ordinary((rice, 2), (tea, 2)))
    assert (answer["reason"], answer["result"]) == ("stock_insufficient", None)


def test_the_stock_of_a_shop_that_takes_no_orders_does_not_count(buyer: Buyer) -> None:
    rice, shop = make_stocked(1), make_shop(is_open=False)
    stock(rice, 5, shop.location)
    with nothing_changes():
        assert buyer.send("POST", "/toTrade", ordinary((rice, 2)))["reason"] == "stock_insufficient"


def test_checking_many_products_takes_no_more_queries_than_checking_few(
    buyer: Buyer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    products = [make_stocked() for _ in range(8)]
    promotion = make_promotion(*((product, "3.50") for product in products))
    few = ordinary((products[0], 1)) | at_its_price(promotion, (products[0], 1))
    many = ordinary(*((product, 1) for product in products))
    many |= at_its_price(promotion, *((product, 1) for product in products))
    for body in (few, many):
        with django_assert_num_queries(7):
            assert buyer.send("POST", "/toTrade", body)["code"] == 0
