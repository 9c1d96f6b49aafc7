"""Every status of an order, reached as real orders reach it."""

from datetime import timedelta
from itertools import product
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.stock.models import Reservation, StockLevel, StockMovement
from commerce.orders.models import Order, OrderLine
from commerce.orders.moves import RULES, Move, moves_of
from commerce.orders.services import change_status, complete_due_orders, move_order
from commerce.orders.status import TRANSITIONS, ChangeReason, OrderStatus
from commerce.orders.tests.builders import (
    Buyer,
    audit,
    dispute,
    make_order,
    make_stocked,
    nothing_changes,
    refuses,
)
from commerce.shipments.audit import differences
from commerce.shipments.models import ParcelState, Shipment
from commerce.shipments.services import (
    cancel_unshipped,
    event_of,
    record_events,
    record_return,
    units_left,
)
from commerce.shipments.tests.builders import (
    make_carrier,
    make_paid_order,
    make_paid_pick_up,
    make_partly_shipped,
    make_shipment,
    send_units,
)
from core.errors import Err, ShopError
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _carrier() -> None:
    make_carrier()


def _note_of(move: Move) -> dict[str, str]:
    """Return the note without which a move is refused."""
    return {"note": "Tea or coffee?"} if move in {Move.ask, Move.cancel_unshipped} else {}


def press(order: Order, *moves: Move, **kw: Any) -> None:
    """Press the buttons of staff, one after the other."""
    for move in moves:
        order.refresh_from_db()
        seen = OrderStatus(order.status)
        if move == Move.record_return:
            kw.pop("pickup_code", None)
            record_return(order=order, seen=seen, **kw)
        elif move == Move.cancel_unshipped:
            kw.pop("pickup_code", None)
            cancel_unshipped(order=order, seen=seen, **_note_of(move) | kw)
        else:
            move_order(order=order, move=move, seen=seen, **_note_of(move) | kw)


def shown(buyer: Buyer, order: Order) -> tuple[int, str]:
    """Return what the customer sees of an order's status."""
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    return detail["orderStatus"], detail["statusLabel"]


def units() -> tuple[int, int, int]:
    """Return the units on hand, reserved, and moved for orders."""
    [(on_hand, reserved)] = StockLevel.objects.values_list("on_hand", "reserved")
    moved = StockMovement.objects.filter(reason="shipped").values_list("units", flat=True)
    return on_hand, reserved, sum(moved)


def test_an_order_that_staff_work_on_is_shown_as_paid(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_paid_order(buyer)
    for moves, code in (
        ((), 2),
        ((Move.review,), 0),
        ((Move.review, Move.resume), 2),
        ((Move.review, Move.hold), 8),
        ((Move.pick,), 3),
        ((Move.pick, Move.ask), 5),
        ((Move.pick, Move.ask, Move.pick), 3),
        ((Move.await_stock,), 51),
        ((Move.await_stock, Move.pick), 3),
        ((Move.pick, Move.pack), 4),
        ((Move.pick, Move.hold), 8),
        ((Move.hold, Move.resume), 2),
    ):
        with subtests.test(moves=moves, code=code), rolled_back():
            press(order, *moves)
            assert shown(buyer, order) == (code, "Paid")
            assert units() == (10, 2, 0)
            audit()


def test_an_order_goes_with_its_carrier_and_is_received(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    press(order, Move.pick, Move.pack)
    make_shipment(order)
    assert shown(buyer, order) == (6, "Unreceived")
    assert units() == (8, 0, -2)
    assert buyer.send("PUT", f"/order/receive/{order.order_no}")["result"] == 1
    assert shown(buyer, order) == (7, "Completed")
    audit()
    with nothing_changes():
        assert buyer.send("PUT", f"/order/receive/{order.order_no}")["result"] == 1


def test_an_order_in_two_parcels_is_partly_shipped_until_the_last_one(buyer: Buyer) -> None:
    order = make_paid_order(buyer, (make_stocked(10), 3))
    line = order.lines.get()
    [first] = send_units(order, 2)
    assert shown(buyer, order) == (106, "Unreceived")
    assert units() == (8, 1, -2)
    assert order.complete_at is None
    audit()
    last = make_shipment(order, "KP0002")
    assert shown(buyer, order) == (6, "Unreceived")
    assert units() == (7, 0, -3)
    assert [first.parcel_no, last.parcel_no] == [f"{order.order_no}-P1", f"{order.order_no}-P2"]
    assert list(last.lines.values_list("line", "units")) == [(line.pk, 1)]
    audit()


def test_a_rest_that_cannot_come_is_closed_and_the_order_completes(buyer: Buyer) -> None:
    order, staff = make_partly_shipped(buyer), User.objects.create(username="li")
    assert Move.cancel_unshipped in moves_of(order)
    press(order, Move.cancel_unshipped, staff=staff, note="Tea refunded, 4.49")
    assert (shown(buyer, order), units()) == ((6, "Unreceived"), (8, 0, -2))
    assert (order.lines.get().unsent, units_left(order)) == (1, {})
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert detail["history"][-1]["reason"] == "rest_closed"
    change = order.history.latest("pk")
    assert (change.staff, change.note) == (staff, "Tea refunded, 4.49")
    audit()
    order.refresh_from_db()
    assert order.complete_at is not None
    with time_machine.travel(order.complete_at, tick=False):
        assert complete_due_orders() == 1
    assert shown(buyer, order) == (7, "Completed")


def test_an_order_whose_rest_is_sent_or_closed_while_a_parcel_comes_back_waits_for_staff(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = make_partly_shipped(buyer)
    news(order.shipments.get(), ParcelState.returned)
    for is_closed in (False, True):
        with subtests.test(is_closed=is_closed), rolled_back():
            if is_closed:
                press(order, Move.cancel_unshipped)
            else:
                make_shipment(order, "KP0002")
            order.refresh_from_db()
            assert (order.status, order.complete_at) == (OrderStatus.shipped, None)
            press(order, Move.record_return)
            audit()


def test_an_order_whose_rest_is_closed_completes_sooner_where_all_else_was_delivered(buyer: Buyer) -> None:
    order = make_partly_shipped(buyer)
    news(order.shipments.get(), ParcelState.delivered)
    press(order, Move.cancel_unshipped)
    order.refresh_from_db()
    assert order.complete_at is not None
    assert timedelta(days=6) < order.complete_at - timezone.now() <= timedelta(days=7)


def news(shipment: Shipment, state: ParcelState) -> None:
    """Enter an event of a parcel as staff do."""
    record_events(shipment=shipment, events=[event_of(timezone.now(), state, "", "")])


def test_a_rest_is_closed_only_with_a_note_and_a_customer_is_asked_only_with_a_question(buyer: Buyer) -> None:
    for order, move in (
        (make_partly_shipped(buyer), Move.cancel_unshipped),
        (make_paid_order(buyer), Move.ask),
    ):
        with nothing_changes(), pytest.raises(ShopError, match="note_missing"):
            press(order, move, note=" ")


def test_a_closed_rest_is_not_sent_with_what_came_back(buyer: Buyer) -> None:
    order = make_partly_shipped(buyer)
    press(order, Move.cancel_unshipped, Move.record_return)
    audit()
    press(order, Move.pack)
    assert units_left(order) == {order.lines.get().pk: 2}
    make_shipment(order, "KP0002")
    assert (shown(buyer, order), units()) == ((6, "Unreceived"), (8, 0, -2))
    audit()


def test_what_came_back_may_be_a_part_of_the_rest_that_is_closed(buyer: Buyer) -> None:
    order = make_partly_shipped(buyer)
    press(order, Move.record_return, Move.pack)
    make_shipment(order, "KP0002", units={order.lines.get().pk: 1})
    press(order, Move.cancel_unshipped)
    assert (shown(buyer, order), order.lines.get().unsent, units_left(order)) == ((6, "Unreceived"), 2, {})
    audit()


def test_the_audit_names_an_order_that_shows_it_left_units_out_and_did_not(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    make_shipment(order)
    OrderLine.objects.filter(order=order).update(unsent=1)
    assert {each.rule for each in differences()} == {"parcels-of-order", "units-in-parcels"}


def test_an_order_goes_out_comes_back_unopened_goes_out_again_and_is_delivered(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    press(order, Move.pack, Move.send_out)
    assert shown(buyer, order) == (102, "Unreceived")
    assert units() == (8, 0, -2)
    press(order, Move.pack)
    order.refresh_from_db()
    assert (order.status, order.complete_at) == (OrderStatus.packed, None)
    press(order, Move.send_out, Move.deliver)
    assert shown(buyer, order) == (7, "Completed")
    assert units() == (8, 0, -2)
    audit()


def test_who_picks_an_order_up_shows_its_code(buyer: Buyer) -> None:
    order = make_paid_pick_up(buyer)
    press(order, Move.pick, Move.pack, Move.prepare)
    assert shown(buyer, order) == (100, "Unreceived")
    assert units() == (5, 1, 0)
    wrong = f"{(int(order.pickup_code) + 1) % 10**6:06}"
    for code in (wrong, "", "１２３", order.pickup_code[:5]):
        with nothing_changes(), pytest.raises(ShopError, match="pickup_code_wrong"):
            press(order, Move.hand_over, pickup_code=code)
    with nothing_changes():
        answer = buyer.send("PUT", f"/order/receive/{order.order_no}")
        assert answer["reason"] == "not_receivable"
    press(order, Move.hand_over, pickup_code=f" {order.pickup_code} ")
    assert shown(buyer, order) == (7, "Completed")
    assert units() == (4, 0, -1)
    audit()


def test_an_order_that_came_back_is_sent_again_without_taking_stock_twice(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    first = make_shipment(order)
    press(order, Move.record_return)
    assert shown(buyer, order) == (90, "Contact Customer Service")
    audit()
    with nothing_changes(), pytest.raises(ShopError, match="order_moved"):
        make_shipment(order, "KP2002")
    press(order, Move.pack)
    with nothing_changes(), pytest.raises(ShopError, match="tracking_number_error"):
        make_shipment(order, first.tracking_no)
    make_shipment(order, "KP2002")
    assert shown(buyer, order) == (6, "Unreceived")
    assert units() == (8, 0, -2)
    audit()


def test_an_order_of_which_a_part_came_back_is_completed_only_once_all_of_it_was_sent(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    send_units(order, 1)
    press(order, Move.record_return)
    with nothing_changes(), pytest.raises(ShopError, match="not_receivable"):
        press(order, Move.deliver)
    press(order, Move.pack)
    make_shipment(order, "KP0002")
    assert units() == (8, 0, -2)
    press(order, Move.record_return, Move.deliver)
    assert shown(buyer, order) == (7, "Completed")
    audit()


def test_a_disputed_payment_ends_an_order_and_releases_what_has_not_left(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    order = make_paid_order(buyer)
    for moves in ((), (Move.review,), (Move.pack,), (Move.pack, Move.send_out)):
        with subtests.test(moves=moves), rolled_back():
            press(order, *moves)
            dispute(order)
            assert shown(buyer, order) == (98, "Chargeback")
            left = 2 if Move.send_out in moves else 0
            assert units() == (10 - left, 0, -left)
            assert moves_of(Order.objects.get(pk=order.pk)) == []
            audit()


def test_a_move_notes_who_made_it_and_why(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    staff = User.objects.create(username="li")
    press(order, Move.hold, staff=staff, note="Address is incomplete")
    change = order.history.latest("pk")
    assert (change.staff, change.note, change.reason) == (staff, "Address is incomplete", "staff")


def test_every_move_outside_the_table_is_refused_and_changes_nothing(buyer: Buyer) -> None:
    sent, picked_up = make_paid_order(buyer), make_paid_pick_up(buyer)
    for order, status in product((sent, picked_up), OrderStatus):
        # No transition results in most of these pairs; the row alone shows what it is.
        Order.objects.filter(pk=order.pk).update(status=status)
        order.refresh_from_db()
        allowed = moves_of(order)
        assert {RULES[move].to for move in allowed} <= set(TRANSITIONS[status])
        with nothing_changes():
            for move in set(Move).difference(allowed):
                with pytest.raises(ShopError, match="order_moved"):
                    press(order, move, pickup_code=order.pickup_code)
    for seen in OrderStatus:
        Order.objects.filter(pk=sent.pk).update(status=seen)
        sent.refresh_from_db()
        for to in set(OrderStatus).difference(TRANSITIONS[seen]):
            with pytest.raises(ValueError, match="does not move"):
                change_status(order=sent, to=to, reason=ChangeReason.staff)
        assert Order.objects.get(pk=sent.pk).status == seen


def test_a_move_from_a_status_that_staff_no_longer_see_is_refused(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    press(order, Move.pick)
    with nothing_changes(), pytest.raises(ShopError, match="order_moved"):
        move_order(order=order, move=Move.pack, seen=OrderStatus.paid)


def make_canceled(buyer: Buyer) -> Order:
    order = make_order(buyer)
    buyer.send("PUT", f"/order/cancel/{order.order_no}")
    return order


def test_an_order_that_is_not_on_its_way_is_not_received(buyer: Buyer, subtests: pytest.Subtests) -> None:
    for prepare, reason in (
        (make_order, "not_receivable"),
        (make_paid_order, "not_receivable"),
        (make_paid_pick_up, "not_receivable"),
        (make_canceled, "order_cancelled"),
    ):
        with subtests.test(prepare=prepare), rolled_back():
            order = prepare(buyer)
            with nothing_changes():
                assert buyer.send("PUT", f"/order/receive/{order.order_no}")["reason"] == reason


def test_orders_on_their_way_complete_automatically_after_their_days(buyer: Buyer) -> None:
    late, gone_out, fresh = (make_paid_order(buyer) for _ in range(3))
    for number, order in enumerate((late, fresh)):
        make_shipment(order, f"KP900{number}")
    press(gone_out, Move.send_out)
    fresh.refresh_from_db()
    assert fresh.complete_at is not None
    assert timedelta(days=13) < fresh.complete_at - timezone.now() <= timedelta(days=14)
    Order.objects.filter(pk__in=[late.pk, gone_out.pk]).update(complete_at=timezone.now())
    assert complete_due_orders() == 2
    assert list(Order.objects.order_by("pk").values_list("status", flat=True)) == [7, 7, 6]
    assert late.history.latest("pk").reason == "time_passed"
    audit()
    with nothing_changes():
        assert complete_due_orders() == 0


def test_shipping_pressed_twice_ships_once(buyer: Buyer) -> None:
    order = make_paid_order(buyer)
    first = make_shipment(order, "kp 1001")
    with nothing_changes():
        assert make_shipment(order, "KP1001") == first


def test_what_cannot_be_sent_is_refused(buyer: Buyer, subtests: pytest.Subtests) -> None:
    order = make_paid_order(buyer)
    for tracking_no, units, reason in (
        ("", 1, Err.tracking_number_error),
        ("x" * 41, 1, Err.tracking_number_error),
        ("KP<1>", 1, Err.tracking_number_error),
        ("KP1001", 3, Err.nothing_to_ship),
        ("KP1001", 0, Err.nothing_to_ship),
        ("KP1001", -1, Err.nothing_to_ship),
    ):
        with subtests.test(tracking_no=tracking_no, units=units, reason=reason), refuses(reason):
            make_shipment(order, tracking_no, units={order.lines.get().pk: units})


def test_another_orders_line_is_not_sent_in_ones_parcel(buyer: Buyer) -> None:
    order, other = make_paid_order(buyer), make_paid_order(buyer)
    with refuses(Err.nothing_to_ship):
        make_shipment(order, units={other.lines.get().pk: 1})


def test_an_order_that_is_unpaid_or_picked_up_is_not_handed_to_a_carrier(
    buyer: Buyer, subtests: pytest.Subtests
) -> None:
    for prepare in (make_order, make_paid_pick_up):
        with subtests.test(prepare=prepare), rolled_back():
            order = prepare(buyer)
            make_carrier()
            with nothing_changes(), pytest.raises(ShopError, match="order_moved"):
                make_shipment(order)
            assert not Shipment.objects.exists()
            assert not Reservation.objects.filter(state="shipped").exists()


def test_what_was_delivered_does_not_come_back_with_the_rest_of_its_order(buyer: Buyer) -> None:
    order = make_paid_order(buyer, (make_stocked(9), 3))
    line = order.lines.get().pk
    there, not_there = send_units(order, 1, 1)
    news(there, ParcelState.delivered)
    record_return(order=order, seen=OrderStatus.partly_shipped)
    there.refresh_from_db()
    not_there.refresh_from_db()
    assert (there.came_back_at, units_left(order)) == (None, {line: 2})
    assert not_there.came_back_at
