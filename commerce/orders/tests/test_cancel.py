from datetime import timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import Mock

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.tests.builders import make_product
from catalog.promotions.models import PromotionItem
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.models import Reservation, StockLevel
from catalog.stock.services import release
from catalog.stock.tests.builders import stock
from commerce.delivery.models import PickupSlot
from commerce.delivery.tests.builders import make_shop
from commerce.orders.models import Order
from commerce.orders.services import cancel, change_status, expire_due_orders, expire_orders, mark_paid
from commerce.orders.status import ChangeReason, OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    make_order,
    make_paid,
    make_pick_up,
    nothing_changes,
    ordered,
    promoted,
)
from core.tests.failing import failing_for
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


def pass_time(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(expires_at=timezone.now() - timedelta(seconds=1))


def reserved() -> int:
    return sum(StockLevel.objects.values_list("reserved", flat=True))


def test_canceling_releases_reservations_once(buyer: Buyer) -> None:
    order, other = make_order(buyer), make_order(buyer)
    assert buyer.send("PUT", f"/order/cancel/{order.order_no}")["result"] == 1
    order.refresh_from_db()
    assert order.status == OrderStatus.canceled
    assert [change.reason for change in order.history.all()] == ["placed", "customer"]
    assert reserved() == sum(line.amount for line in other.lines.all())
    with nothing_changes():
        answer = buyer.send("PUT", f"/order/cancel/{order.order_no}")
        assert answer["reason"] == "order_cancelled"


def test_canceling_a_pick_up_frees_its_hour(buyer: Buyer) -> None:
    order = make_pick_up(buyer)
    buyer.send("PUT", f"/order/cancel/{order.order_no}")
    assert PickupSlot.objects.get().booked == 0
    assert reserved() == 0


def test_a_paid_order_is_not_canceled(buyer: Buyer) -> None:
    order = make_paid(buyer)
    with nothing_changes():
        answer = buyer.send("PUT", f"/order/cancel/{order.order_no}")
        assert answer["reason"] == "paid_cannot_cancel"


def test_an_order_that_is_not_there_is_not_found(buyer: Buyer, subtests: pytest.Subtests) -> None:
    make_order(buyer)
    for number in ("S000000AAAAAAAA", "1", "%00", "x" * 300, "'", "%ED%A0%80", "老"):
        with subtests.test(number=number), nothing_changes():
            for method, path in [
                ("PUT", "/order/cancel/"),
                ("GET", "/order/detailed/"),
                ("GET", "/pay/result/"),
            ]:
                assert buyer.send(method, path + number)["reason"] == "order_not_found"


def test_orders_of_other_customers_are_answered_like_missing_ones(buyer: Buyer) -> None:
    order_no = make_order(Buyer()).order_no
    pay = {"orderNo": order_no, "payType": "5"}
    with nothing_changes():
        for method, path, body in [
            ("PUT", f"/order/cancel/{order_no}", None),
            ("GET", f"/order/detailed/{order_no}", None),
            ("GET", f"/pay/result/{order_no}", None),
            ("POST", "/order/pay", pay),
        ]:
            assert buyer.send(method, path, body)["reason"] == "order_not_found"
        assert buyer.send("POST", "/orderInfo")["result"]["list"] == []


def test_unpaid_orders_expire_and_release_their_reservations(buyer: Buyer) -> None:
    late, paid, waiting = make_order(buyer), make_paid(buyer), make_order(buyer)
    pass_time(late)
    pass_time(paid)

    assert expire_due_orders() == 1

    found = list(Order.objects.order_by("pk").values_list("status", flat=True))
    assert found == [OrderStatus.canceled, OrderStatus.paid, OrderStatus.unpaid]
    assert reserved() == 4
    assert not Reservation.objects.filter(reference=late.order_no, state="held").exists()
    assert late.history.latest("pk").reason == "expired"
    with nothing_changes():
        assert expire_due_orders() == 0
        assert not expire_orders(order_ids=[late.pk])
        assert not expire_orders(order_ids=[waiting.pk])


def test_orders_that_expire_together_take_as_few_statements_as_one(
    buyer: Buyer, django_assert_max_num_queries: DjangoAssertNumQueries, settings: Any
) -> None:
    settings.MAX_UNPAID_ORDERS = settings.MAX_UNPAID_ORDERS_A_DAY = 20
    first, *others = orders = [make_order(buyer) for _ in range(12)]
    pass_time(first)
    # Eight, and the two that begin and end the transaction inside the test's.
    with django_assert_max_num_queries(10):
        assert expire_orders(order_ids=[first.pk]) == 1
    for order in others:
        pass_time(order)
    # One more locks the stock of several products in the order of their keys.
    with django_assert_max_num_queries(11):
        assert expire_orders(order_ids=[order.pk for order in orders]) == 11
    assert reserved() == 0
    assert Order.objects.filter(history__reason="expired").count() == 12
    audit()


def test_orders_of_pick_ups_and_promotions_that_expire_together_give_back_what_each_of_them_took(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    shop, rice, tea = make_shop(), make_product(), make_product(price=Decimal("5.00"))
    stock(rice, 20, shop.location)
    stock(tea, 20, shop.location)
    promotions = [make_promotion((tea, "3.50")), make_promotion((rice, "0.50"), (tea, "3.00"))]
    for number, each in enumerate([Buyer() for _ in range(6)]):
        actions = promoted(promotions[number % 2], (tea, 1 + number % 3))
        assert each.pick_up(shop, (rice, 1), actionGoods=actions)["code"] == 0
    kept = Order.objects.earliest("pk")
    Order.objects.exclude(pk=kept.pk).update(expires_at=timezone.now())
    # Each kind of row is locked and written once, however many orders there are.
    with django_assert_max_num_queries(19):
        assert expire_due_orders() == 5
    assert PickupSlot.objects.get().booked == 1
    assert sum(PromotionItem.objects.values_list("taken", flat=True)) == 1
    assert reserved() == sum(kept.lines.values_list("amount", flat=True))
    audit()
    with nothing_changes():
        assert expire_due_orders() == 0


def test_a_status_change_that_is_not_allowed_is_an_error(buyer: Buyer) -> None:
    order = make_order(buyer)
    with nothing_changes(), pytest.raises(ValueError, match="does not move"):
        change_status(order=order, to=OrderStatus.completed, reason=ChangeReason.payment)


def test_a_status_change_from_a_past_status_does_nothing(buyer: Buyer) -> None:
    order = make_order(buyer)
    stale = Order.objects.get(pk=order.pk)
    assert change_status(order=order, to=OrderStatus.canceled, reason=ChangeReason.customer)
    assert order.status == OrderStatus.canceled
    with nothing_changes():
        assert not change_status(order=stale, to=OrderStatus.paid, reason=ChangeReason.payment)


def test_an_order_whose_cancellation_fails_stays_as_it_was(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_order(buyer)
    monkeypatch.setattr(cancel, "_release", Mock(side_effect=ZeroDivisionError))
    with nothing_changes(), pytest.raises(ZeroDivisionError):
        cancel.cancel_order(customer=buyer.customer, order_no=order.order_no)


def test_a_canceled_order_is_reopened_when_its_products_can_be_reserved_again(buyer: Buyer) -> None:
    shop, rice = make_shop(per_hour=1), make_product()
    stock(rice, 1, shop.location)
    order = ordered(buyer.pick_up(shop, (rice, 1)))
    buyer.send("PUT", f"/order/cancel/{order.order_no}")

    assert mark_paid(order=order, pay_type="5")

    order.refresh_from_db()
    assert (order.status, order.pay_type) == (OrderStatus.paid, "5")
    assert order.paid_at is not None
    assert (reserved(), PickupSlot.objects.get().booked) == (1, 1)
    assert order.history.latest("pk").reason == "late_payment"


def test_a_canceled_order_stays_canceled_when_something_is_sold_out(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    shop, rice = make_shop(per_hour=1), make_product()
    stock(rice, 5, shop.location)
    number = buyer.pick_up(shop, (rice, 3))["result"]["orderNo"]
    for missing in ("goods", "hour"):
        with subtests.test(missing=missing), rolled_back():
            order = Order.objects.get(order_no=number)
            buyer.send("PUT", f"/order/cancel/{number}")
            if missing == "goods":
                StockLevel.objects.update(reserved=5)
            else:
                PickupSlot.objects.update(booked=1)
            with nothing_changes():
                assert not mark_paid(order=order, pay_type="5")
            assert order.status == OrderStatus.canceled


def test_an_order_that_cannot_be_ended_stops_no_other(
    buyer: Buyer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = make_order(buyer), make_order(buyer)
    Order.objects.filter(pk=bad.pk).update(expires_at=timezone.now() - timedelta(hours=1))
    pass_time(good)
    monkeypatch.setattr(cancel, "release", failing_for(bad.order_no, release))
    assert expire_due_orders() == 1
    assert list(Order.objects.filter(status=OrderStatus.canceled)) == [good]
    assert reserved() == sum(line.amount for line in bad.lines.all())
    assert f"expire orders: row {bad.pk} failed" in caplog.messages
