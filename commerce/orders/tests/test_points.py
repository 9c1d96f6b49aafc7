"""What orders earn: once, at the customer's rate, and taken back in proportion."""

import time
from decimal import Decimal

import pytest
from django.conf import LazySettings
from django.db import transaction
from django.utils import timezone

from commerce.accounts.models import Customer, MemberLevel
from commerce.ledger.models import LedgerEntry
from commerce.ledger.points import post_points
from commerce.ledger.tests.builders import points_of
from commerce.orders.audit import differences as differences_of_orders
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import Move
from commerce.orders.points import book_due_points, pending_points, reverse_points
from commerce.orders.points_audit import BOOKED_WITHIN
from commerce.orders.points_audit import differences as differences_of_points
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    dispute,
    make_order,
    make_paid,
    make_stocked,
    nothing_changes,
    press,
)
from core.tests.races import SHOWS_RACES
from core.tests.threads import concurrently

Reason = LedgerEntry.Reason

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def paid(buyer: Buyer, price: str = "10.00") -> Order:
    return make_paid(buyer, (make_stocked(price=Decimal(price)), 1))


def completed(buyer: Buyer, price: str = "10.00") -> Order:
    """Make an order that was paid and received."""
    order = paid(buyer, price)
    press(order, Move.send_out, Move.deliver)
    return order


def entries(buyer: Buyer) -> list[tuple[str, int]]:
    rows = LedgerEntry.objects.filter(account__customer=buyer.customer, account__kind="points")
    return [(reason, int(amount)) for reason, amount in rows.order_by("pk").values_list("reason", "amount")]


def test_points_come_with_completion_whole_and_once(buyer: Buyer) -> None:
    order = paid(buyer, "19.99")
    assert (book_due_points(), points_of(buyer.customer), pending_points(buyer.customer)) == (0, 0, 19)
    done = completed(buyer, "0.99")
    assert book_due_points() == 1
    # What is worth less than a point earns none, and is not looked at again.
    assert (points_of(buyer.customer), Order.objects.get(pk=done.pk).points_booked_at is None) == (0, False)
    press(order, Move.send_out, Move.deliver)
    assert book_due_points() == 1
    with nothing_changes():
        assert book_due_points() == 0
    assert entries(buyer) == [(Reason.earned, 19)]
    assert pending_points(buyer.customer) == 0


def test_points_come_with_the_payment_if_so_configured(buyer: Buyer, settings: LazySettings) -> None:
    settings.POINTS_EARNED_AT = "payment"
    make_order(buyer)
    paid(buyer, "12.50")
    assert book_due_points() == 1
    assert entries(buyer) == [(Reason.earned, 12)]


def test_the_rate_is_that_of_the_level_when_the_order_was_made(buyer: Buyer) -> None:
    gold = MemberLevel.objects.get(pk=3)
    MemberLevel.objects.filter(pk=3).update(points_rate=Decimal("1.75"))
    Customer.objects.filter(pk=buyer.customer.pk).update(level=gold)
    completed(buyer, "10.00")
    MemberLevel.objects.filter(pk=3).update(points_rate=Decimal("9.00"))
    book_due_points()
    assert points_of(buyer.customer) == 17


def test_an_order_from_before_there_were_points_earns_none(buyer: Buyer) -> None:
    order = completed(buyer)
    Order.objects.filter(pk=order.pk).update(points_rate=0)
    assert book_due_points() == 0
    assert entries(buyer) == []


def test_refunds_take_points_back_in_proportion_and_each_once(buyer: Buyer) -> None:
    order = completed(buyer, "10.00")
    book_due_points()
    for reference, refunded, taken in (("R1", "2.50", 3), ("R1", "2.50", 0), ("R2", "2.99", 0)):
        back = reverse_points(
            order=order, reason=Reason.returned, reference=reference, goods_refunded=Decimal(refunded)
        )
        assert back == taken, reference
    # An older total that is reported late gives nothing back.
    assert reverse_points(order=order, reason=Reason.returned, reference="R0", goods_refunded=Decimal(1)) == 0
    assert reverse_points(order=order, reason=Reason.canceled) == 7
    assert entries(buyer) == [(Reason.earned, 10), (Reason.returned, -3), (Reason.canceled, -7)]
    order.refresh_from_db()
    assert (order.points_earned, order.goods_refunded) == (0, Decimal("10.00"))
    assert [*differences_of_orders(), *differences_of_points()] == []


def test_what_is_refunded_before_the_points_are_booked_never_earns_any(buyer: Buyer) -> None:
    order = completed(buyer, "10.00")
    assert reverse_points(order=order, reason=Reason.returned, reference="R1", goods_refunded=Decimal(4)) == 0
    book_due_points()
    assert entries(buyer) == [(Reason.earned, 6)]


def test_a_chargeback_takes_all_points_back_below_zero_and_once(buyer: Buyer) -> None:
    order = completed(buyer, "10.00")
    book_due_points()
    post_points(customer=buyer.customer, points=-8, reason=Reason.spent, order_no="S1")
    dispute(order)
    assert points_of(buyer.customer) == -8
    with nothing_changes():
        assert reverse_points(order=order, reason=Reason.chargeback) == 0
    # What is earned later pays the debt.
    completed(buyer, "5.00")
    book_due_points()
    assert entries(buyer) == [
        (Reason.earned, 10),
        (Reason.spent, -8),
        (Reason.chargeback, -10),
        (Reason.earned, 5),
    ]


def test_an_order_that_is_disputed_before_its_points_are_booked_earns_none(buyer: Buyer) -> None:
    order = paid(buyer)
    dispute(order)
    assert (book_due_points(), pending_points(buyer.customer), entries(buyer)) == (0, 0, [])
    audit()


def test_the_audit_names_points_that_are_wrong_missing_or_late(buyer: Buyer) -> None:
    good, wrong, late = completed(buyer), completed(buyer), paid(buyer)
    book_due_points()
    Order.objects.filter(pk=wrong.pk).update(points_earned=11)
    post_points(customer=buyer.customer, points=5, reason=Reason.earned, order_no="S0")
    press(late, Move.send_out, Move.deliver)
    OrderStatusChange.objects.filter(order=late).update(created_at=timezone.now() - 2 * BOOKED_WITHIN)
    found = {(each.rule, each.row) for each in differences_of_points()}
    assert found == {
        ("points-earned", f"order {wrong}"),
        ("points-of-an-order", "order S0"),
        ("points-booked", f"order {late}"),
    }
    assert good.order_no not in str(found)


@pytest.mark.django_db(transaction=True)
def test_concurrent_jobs_book_each_order_once(buyer: Buyer) -> None:
    for _ in range(5):
        completed(buyer)
    concurrently(lambda _number: book_due_points(), range(6))
    assert entries(buyer) == [(Reason.earned, 10)] * 5
    assert points_of(buyer.customer) == 50


@pytest.mark.django_db(transaction=True)
def test_control_without_the_condition_postgresql_books_an_order_twice(buyer: Buyer) -> None:
    order = completed(buyer)

    def book_without_condition(number: int) -> None:
        with transaction.atomic():
            if Order.objects.get(pk=order.pk).points_booked_at is None:
                time.sleep(0.1)
                Order.objects.filter(pk=order.pk).update(points_booked_at=timezone.now())
                # By a detail of its own the constraint takes the twin for another entry.
                post_points(
                    customer=buyer.customer,
                    points=10,
                    reason=Reason.earned,
                    order_no=order.order_no,
                    detail=str(number),
                )

    concurrently(book_without_condition, range(4))
    assert (points_of(buyer.customer) > 10) is SHOWS_RACES
