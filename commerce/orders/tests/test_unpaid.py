"""What one customer may hold without paying (docs/guarantees/orders.md#unpaid-orders)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from catalog.promotions.tests.builders import make_promotion
from commerce.orders.models import Order
from commerce.orders.services import cancel_order, mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    assert_refused,
    audit,
    make_stocked,
    nothing_changes,
    promoted,
)
from core.errors import Err
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def newest(buyer: Buyer) -> Order:
    order = buyer.customer.orders.first()
    assert order is not None
    return order


def test_one_order_more_than_may_be_unpaid_is_refused_until_one_is_canceled_or_paid(
    buyer: Buyer, settings: Any
) -> None:
    settings.MAX_UNPAID_ORDERS = 2
    rice = make_stocked()
    assert [buyer.order((rice, 1))["code"] for _ in range(2)] == [0, 0]
    body = buyer.body((rice, 1))
    with nothing_changes():
        assert_refused(buyer.send("POST", "/order", body), Err.too_many_unpaid)
        early = buyer.send("POST", "/toTrade", {"orderGoods": body["orderGoods"]})
        assert_refused(early, Err.too_many_unpaid)
    assert Buyer().order((rice, 1))["code"] == 0

    cancel_order(customer=buyer.customer, order_no=newest(buyer).order_no)
    # The code of the refused order is still good.
    assert buyer.send("POST", "/order", body)["code"] == 0
    audit()

    assert mark_paid(order=newest(buyer), pay_type="5")
    assert buyer.order((rice, 1))["code"] == 0


def test_unpaid_orders_together_hold_no_more_units_of_a_product_than_one_order_may(
    buyer: Buyer, settings: Any, subtests: pytest.Subtests
) -> None:
    settings.MAX_UNPAID_UNITS = 6
    for limit_amount, most in ((0, 6), (8, 8), (3, 3)):
        with subtests.test(limit_amount=limit_amount, most=most), rolled_back():
            rice, tea = make_stocked(50, limit_amount=limit_amount), make_stocked(50)
            buyer.refused(Err.amount_above_limit, (rice, most + 1))
            assert Buyer().order((rice, most))["code"] == 0
            assert buyer.order((rice, most - 1), (tea, 6))["code"] == 0
            buyer.refused(Err.too_many_unpaid, (rice, 2))
            assert buyer.order((rice, 1))["code"] == 0


def test_units_at_a_promotions_price_count_too(buyer: Buyer, settings: Any) -> None:
    settings.MAX_UNPAID_UNITS = 6
    rice = make_stocked(50)
    promotion = make_promotion((rice, "1.00"))
    assert buyer.order(actionGoods=promoted(promotion, (rice, 4)))["code"] == 0
    buyer.refused(Err.too_many_unpaid, (rice, 3))


def test_the_cart_offers_no_more_than_an_order_may_have(buyer: Buyer, settings: Any) -> None:
    settings.MAX_UNPAID_UNITS = 6
    rice = make_stocked(50)
    answer = buyer.send("PUT", "/shoppingCart", {"goodsId": rice.pk, "goodsAmount": 7})
    assert answer["reason"] == "amount_above_limit"
    assert answer["result"]["list"][0]["goodsAmount"] == 6


def test_unpaid_orders_come_to_a_limited_amount(buyer: Buyer, settings: Any) -> None:
    settings.MAX_UNPAID_AMOUNT = 100
    rice = make_stocked(50, price=Decimal("20.00"))
    buyer.refused(Err.amount_above_limit, (rice, 6))
    assert Buyer().order((rice, 5))["code"] == 0
    assert buyer.order((rice, 3))["code"] == 0
    buyer.refused(Err.too_many_unpaid, (rice, 3))
    assert buyer.order((rice, 2))["code"] == 0


def test_what_was_canceled_no_longer_counts_towards_the_amount(buyer: Buyer, settings: Any) -> None:
    settings.MAX_UNPAID_AMOUNT = 100
    rice = make_stocked(50, price=Decimal("20.00"))
    assert buyer.order((rice, 3))["code"] == 0
    cancel_order(customer=buyer.customer, order_no=newest(buyer).order_no)
    assert buyer.order((rice, 5))["code"] == 0


def test_an_unpaid_order_of_the_day_before_does_not_count_for_this_day(buyer: Buyer, settings: Any) -> None:
    settings.MAX_UNPAID_ORDERS_A_DAY = 1
    rice = make_stocked()
    assert buyer.order((rice, 1))["code"] == 0
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        # No job has cancelled the first order.
        assert buyer.order((rice, 1))["code"] == 0


def test_after_the_daily_limit_of_unpaid_orders_the_customer_waits_until_the_first_is_a_day_old(
    buyer: Buyer, settings: Any
) -> None:
    settings.MAX_UNPAID_ORDERS_A_DAY = 3
    rice = make_stocked()
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        for _ in range(3):
            assert buyer.order((rice, 1))["code"] == 0
            cancel_order(customer=buyer.customer, order_no=newest(buyer).order_no)
            clock.shift(timedelta(hours=1))
        buyer.refused(Err.too_many_unpaid_today, (rice, 1))
        assert Buyer().order((rice, 1))["code"] == 0
        clock.move_to(start + timedelta(days=1))
        assert buyer.order((rice, 1))["code"] == 0


def test_paid_orders_do_not_count_as_unpaid_ones_of_the_day(buyer: Buyer, settings: Any) -> None:
    settings.MAX_UNPAID_ORDERS_A_DAY = 1
    rice = make_stocked()
    for _ in range(3):
        assert buyer.order((rice, 1))["code"] == 0
        assert mark_paid(order=newest(buyer), pay_type="5")
    assert buyer.customer.orders.filter(status=OrderStatus.paid).count() == 3
