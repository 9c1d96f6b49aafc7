import time
from decimal import Decimal
from importlib import import_module

import pytest
from django.db import transaction

from commerce.invoices.tests.builders import make_seller
from commerce.orders.models import Order, OrderLine
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, make_stocked, wallet_of
from commerce.payments.models import Refund
from commerce.refunds.models import CreditNote, OrderRefund
from commerce.refunds.services import mark_of, refund_order
from commerce.refunds.services.credit_notes import make_credit_note
from commerce.refunds.tests.builders import make_staff, refund, wish
from commerce.refunds.worth import FreightPart, LineWish, price_refund
from commerce.shipments.services import ship_parcel
from commerce.shipments.tests.builders import make_carrier, make_paid_order
from core.errors import Err
from core.tests.races import SHOWS_RACES
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def whatever_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let staff refund whatever has happened since they looked."""
    monkeypatch.setattr(import_module("commerce.refunds.services.refund_order"), "mark_of", lambda _: "")


def press(order: Order, wished: LineWish, freight: FreightPart = FreightPart.none) -> None:
    refund_order(
        order=order,
        lines=[wished],
        freight=freight,
        to=Refund.To.wallet,
        staff=make_staff(),
        note="Sold out",
        seen="",
    )


@pytest.mark.usefixtures("whatever_was_seen")
def test_a_hundred_refunds_at_the_same_time_never_give_back_more_than_was_paid() -> None:
    order = make_paid_order(Buyer(), (make_stocked(10, price=Decimal("3.33"), gst_free=False), 6))
    line, before = order.lines.get(), wallet_of(order.customer)
    make_staff()

    def one(number: int) -> None:
        press(order, wish(line, 0, "0.37") if number % 4 else wish(line, 1), FreightPart.share)

    outcomes = concurrently(one, range(100))

    assert set(outcomes) <= {None, Err.refund_above_paid, Err.nothing_to_refund}
    order.refresh_from_db()
    line.refresh_from_db()
    assert line.refunded_amount <= line.in_money < line.refunded_amount + Decimal("0.37")
    assert wallet_of(order.customer) == before + line.refunded_amount + order.refunded_freight
    assert OrderRefund.objects.count() == outcomes.count(None)
    audit()


def test_one_refund_pressed_many_times_at_the_same_time_is_made_once() -> None:
    order = make_paid_order()
    line, seen = order.lines.get(), mark_of(order)
    make_staff()

    outcomes = concurrently(
        lambda _: refund(Order.objects.get(pk=order.pk), wish(line, 1), seen=seen), range(8)
    )

    assert outcomes.count(Err.order_moved) == 7
    assert OrderRefund.objects.count() == 1
    audit()


def test_control_without_lock_and_condition_postgresql_gives_a_line_back_twice() -> None:
    order = make_paid_order()
    given: list[Decimal] = []

    def give_back(_number: int) -> None:
        with transaction.atomic():
            lines = list(order.lines.all())
            priced = price_refund(
                order=order, lines=lines, wishes=[wish(lines[0], 2)], freight=FreightPart.none
            )
            time.sleep(0.05)
            OrderLine.objects.filter(pk=lines[0].pk).update(refunded_units=2, refunded_amount=priced.amount)
            given.append(priced.amount)

    outcomes = concurrently(give_back, range(4))
    assert (len(given) > 1) is SHOWS_RACES
    assert outcomes.count(Err.refund_above_paid) == 4 - len(given)


@pytest.mark.usefixtures("whatever_was_seen")
def test_a_parcel_and_a_refund_of_the_same_unit_at_the_same_time_leave_one_of_both() -> None:
    order, carrier = make_paid_order(Buyer(), (make_stocked(10), 1)), make_carrier()
    line = order.lines.get()
    make_staff()

    def one(number: int) -> object:
        if number % 2:
            return ship_parcel(order=order, carrier=carrier, tracking_no="KP1001")
        press(order, wish(line, 1))
        return None

    outcomes = concurrently(one, range(2))

    order.refresh_from_db()
    line.refresh_from_db()
    # What has left can be refunded all the same; what is refunded never leaves.
    was_sent = order.status == OrderStatus.shipped
    assert (order.status, line.unsent) in [(OrderStatus.shipped, 0), (OrderStatus.canceled, 1)]
    assert (Err.order_moved in outcomes) is not was_sent
    audit()


def test_many_who_make_a_credit_note_at_the_same_time_make_one() -> None:
    make_seller()
    order = make_paid_order()
    Order.objects.filter(pk=order.pk).update(invoice_due=False)
    made = refund(order)
    outcomes = concurrently(lambda _: make_credit_note(made.pk), range(4))
    assert sum(isinstance(outcome, CreditNote) for outcome in outcomes) == 1
    assert CreditNote.objects.count() == 1
