"""Actions that end an order, undone by the member of staff who pressed them."""

from datetime import timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.stock.models import Reservation, StockLevel, StockMovement
from catalog.stock.services import set_counted
from commerce.accounts.services.closing import close_account
from commerce.orders.models import Order
from commerce.orders.moves import UNDO_FOR, Move
from commerce.orders.points import book_due_points
from commerce.orders.services import complete_due_orders, receive_order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, audit, dispute, make_stocked, press, refuses
from commerce.shipments.models import ParcelState
from commerce.shipments.services import ASKED_EACH, event_of, record_events, undo_move, undo_of
from commerce.shipments.tests.builders import (
    end,
    make_followed,
    make_handed_over,
    make_paid_order,
    make_paid_pick_up,
    make_shipment,
    send_units,
    undo,
)
from core.errors import Err
from core.tests.rows import rolled_back

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def stock() -> tuple[int, int, int]:
    """Return the units on hand, reserved, and moved for orders."""
    [(on_hand, reserved)] = StockLevel.objects.values_list("on_hand", "reserved")
    moved = StockMovement.objects.filter(reason__in=["shipped", "undone"]).values_list("units", flat=True)
    return on_hand, reserved, sum(moved)


def test_an_undone_hand_over_holds_the_units_again_and_happens_again(li: User) -> None:
    order = make_handed_over(li)
    assert stock() == (4, 0, -1)
    assert undo(order, li).move == Move.hand_over
    order.refresh_from_db()
    assert (order.status, order.complete_at, stock()) == (OrderStatus.ready, None, (5, 1, 0))
    assert list(Reservation.objects.values_list("state", "units")) == [("held", 1)]
    # The ledger only grows.
    moved = StockMovement.objects.filter(reference=order.order_no).order_by("pk")
    assert list(moved.values_list("reason", "units")) == [("shipped", -1), ("undone", 1)]
    last = order.history.latest("pk")
    assert (last.from_status, last.to_status, last.reason, last.staff) == (7, 100, "undone", li)
    audit()
    end(order, Move.hand_over, li)
    assert stock() == (4, 0, -1)
    audit()


def test_an_undone_delivery_completes_as_it_would_have(li: User, subtests: pytest.Subtests) -> None:
    order = make_paid_order()
    for way in ("parcel", "van", "came back"):
        with subtests.test(way=way), rolled_back(), time_machine.travel(timezone.now()) as clock:
            if way == "van":
                press(order, Move.pack, Move.send_out)
            else:
                make_shipment(order)
            if way == "came back":
                end(order, Move.record_return, li)
            order.refresh_from_db()
            status, complete_at = order.status, order.complete_at
            clock.shift(timedelta(minutes=5))
            end(order, Move.deliver, li)
            assert undo(order, li).to == status
            order.refresh_from_db()
            before = complete_at or timezone.now()
            assert (order.status, order.complete_at is None) == (status, complete_at is None)
            assert abs((order.complete_at or before) - before) < timedelta(seconds=1)
            audit()
            clock.shift(timedelta(days=14))
            assert complete_due_orders() == (0 if complete_at is None else 1)


def test_an_undone_return_puts_the_parcels_that_it_marked_on_their_way_again(li: User) -> None:
    order = make_paid_order()
    earlier = make_followed(order)
    end(order, Move.record_return, li)
    press(order, Move.pack)
    sent = make_followed(order, "EA000000002AU")
    before = list(order.shipments.values_list("pk", "came_back_at", "state"))
    end(order, Move.record_return, li)
    assert not order.shipments.filter(came_back_at=None)
    undo(order, li)
    order.refresh_from_db()
    assert (order.status, order.complete_at is None) == (OrderStatus.shipped, False)
    assert list(order.shipments.values_list("pk", "came_back_at", "state")) == before
    for parcel in (earlier, sent):
        parcel.refresh_from_db()
    assert (earlier.came_back_at is None, earlier.next_check_at) == (False, None)
    assert sent.next_check_at is not None
    assert timedelta() < sent.next_check_at - timezone.now() <= ASKED_EACH
    audit()


def test_a_return_is_undone_from_each_status(li: User, subtests: pytest.Subtests) -> None:
    sent, collected = make_paid_order(None, (make_stocked(9), 2)), make_paid_pick_up()
    for status in (OrderStatus.shipped, OrderStatus.partly_shipped, OrderStatus.out_for_delivery):
        with subtests.test(status=status.name), rolled_back():
            if status == OrderStatus.out_for_delivery:
                press(sent, Move.send_out)
            else:
                send_units(sent, *([1] if status == OrderStatus.partly_shipped else [1, 1]))
            sent.refresh_from_db()
            assert sent.status == status
            is_completing = sent.complete_at is not None
            end(sent, Move.record_return, li)
            assert undo(sent, li).to == status
            sent.refresh_from_db()
            assert (sent.status, sent.complete_at is not None) == (status, is_completing)
            assert not sent.shipments.exclude(came_back_at=None)
            audit()
    press(collected, Move.prepare)
    end(collected, Move.record_return, li)
    undo(collected, li)
    collected.refresh_from_db()
    assert collected.status == OrderStatus.ready
    audit()


def test_a_parcel_that_arrived_before_the_rest_came_back_stays_where_it_is(li: User) -> None:
    order = make_paid_order(None, (make_stocked(9), 2))
    there, not_there = send_units(order, 1, 1)
    record_events(shipment=there, events=[event_of(timezone.now(), ParcelState.delivered, "", "")])
    end(order, Move.record_return, li)
    undo(order, li)
    states = dict(order.shipments.values_list("pk", "state"))
    assert states == {there.pk: ParcelState.delivered, not_there.pk: ParcelState.pending}
    assert not order.shipments.exclude(came_back_at=None)
    audit()


def test_only_the_same_person_undoes_an_action_and_only_for_fifteen_minutes(li: User) -> None:
    order, wang = make_handed_over(li), User.objects.create(username="wang")
    order.refresh_from_db()
    change = order.history.latest("pk")
    shown = undo_of(order, li)
    assert shown is not None
    assert (shown.change, shown.until) == (change, change.created_at + timedelta(minutes=15))
    assert undo_of(order, wang) is None
    with refuses(Err.undo_by_other):
        undo(order, wang)
    with time_machine.travel(change.created_at + UNDO_FOR, tick=False):
        assert undo_of(order, li) is None
        with refuses(Err.undo_over):
            undo(order, li)
    with time_machine.travel(change.created_at + UNDO_FOR - timedelta(seconds=1), tick=False):
        assert undo_of(order, li)
        undo(order, li)


def test_only_the_last_action_is_undone_and_once(li: User) -> None:
    order = make_handed_over(li)
    change = order.history.latest("pk")
    undo(order, li)
    order.refresh_from_db()
    assert undo_of(order, li) is None
    with refuses(Err.order_moved):
        undo_move(order=order, staff=li, change_id=change.pk)
    with refuses(Err.order_moved):
        undo(order, li)
    # A page that still shows the first action does not undo the second one.
    end(order, Move.hand_over, li)
    with refuses(Err.order_moved):
        undo_move(order=order, staff=li, change_id=change.pk)
    undo(order, li)
    end(order, Move.record_return, li)
    press(order, Move.pack)
    with refuses(Err.order_moved):
        undo(order, li)


def test_what_staff_did_not_end_is_not_undone(li: User) -> None:
    order = make_paid_order()
    with refuses(Err.order_moved):
        undo(order, li)
    make_shipment(order)
    with refuses(Err.order_moved):
        undo(order, li)
    receive_order(customer=order.customer, order_no=order.order_no)
    with refuses(Err.order_moved):
        undo(order, li)


def test_an_action_is_not_undone_once_the_payment_is_disputed(li: User) -> None:
    order = make_handed_over(li)
    dispute(order)
    with refuses(Err.undo_disputed):
        undo(order, li)


def test_a_hand_over_is_not_undone_once_its_products_were_counted(li: User) -> None:
    order = make_handed_over(li)
    level = StockLevel.objects.get()
    set_counted(location=level.location, units_by_product={level.product_id: 5})
    with refuses(Err.undo_counted):
        undo(order, li)
    audit()


def test_a_stocktake_before_a_hand_over_does_not_matter(li: User) -> None:
    order = make_paid_pick_up()
    level = StockLevel.objects.get()
    set_counted(location=level.location, units_by_product={level.product_id: 9})
    press(order, Move.prepare)
    end(order, Move.hand_over, li)
    undo(order, li)
    assert stock()[:2] == (9, 1)
    audit()


def test_an_order_of_a_deleted_account_is_not_opened_again(li: User) -> None:
    order = make_handed_over(li)
    close_account(customer=order.customer)
    with refuses(Err.undo_without_account):
        undo(order, li)


def test_points_wait_until_a_completion_cannot_be_undone(buyer: Buyer, li: User) -> None:
    order = make_handed_over(li, make_paid_pick_up(buyer))
    assert book_due_points() == 0
    undo(order, li)
    change = end(order, Move.hand_over, li)
    with time_machine.travel(change.created_at + UNDO_FOR - timedelta(seconds=1), tick=False):
        assert book_due_points() == 0
    with time_machine.travel(change.created_at + UNDO_FOR, tick=False):
        assert book_due_points() == 1
    # A host whose clock lags behind the one that booked the points.
    with refuses(Err.undo_over):
        undo(order, li)


def test_points_of_a_payment_neither_wait_nor_keep_an_action_from_being_undone(
    buyer: Buyer, li: User, settings: LazySettings
) -> None:
    settings.POINTS_EARNED_AT = "payment"
    order = make_handed_over(li, make_paid_pick_up(buyer))
    assert book_due_points() == 1
    undo(order, li)
    earned = Order.objects.values_list("points_earned", flat=True).get(pk=order.pk)
    assert earned > 0
    audit()
