from collections.abc import Callable
from functools import partial
from threading import Barrier

import pytest
from django.utils import timezone

from catalog.stock.models import StockLevel
from commerce.orders.audit import differences as order_differences
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import Move
from commerce.orders.services import fulfil, mark_paid, move_order, receive, receive_order
from commerce.orders.services.receive import complete_orders
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_paid, make_pick_up, make_stocked
from commerce.shipments.audit import differences
from commerce.shipments.models import Shipment
from commerce.shipments.services import cancel_unshipped, ship
from commerce.shipments.tests.builders import make_carrier, make_shipment, send_units
from core.errors import Err
from core.tests.races import only_where_races_show
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db(transaction=True)


def paid_order(units: int = 2) -> Order:
    return make_paid(Buyer(), (make_stocked(10), units))


def the_books_agree() -> bool:
    wrong = [*differences(), *order_differences()]
    return not wrong


def test_shipping_pressed_many_times_at_the_same_time_ships_once() -> None:
    order, _carrier = paid_order(), make_carrier()
    assert len(set(concurrently(lambda _: make_shipment(order).pk, range(8)))) == 1
    assert Shipment.objects.count() == 1
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved) == (8, 0)
    assert list(order.history.values_list("to_status", flat=True)) == [1, 2, 6]
    assert the_books_agree()


def test_of_two_parcels_with_everything_at_the_same_time_one_is_sent() -> None:
    order, _carrier = paid_order(), make_carrier()
    outcomes = concurrently(lambda number: make_shipment(order, f"KP100{number}"), range(4))
    assert outcomes.count(Err.order_moved) == 3
    assert Shipment.objects.count() == 1
    assert the_books_agree()


def send_the_last_two_units_concurrently() -> Order:
    order = paid_order(3)
    send_units(order, 1)
    line = order.lines.get().pk

    def press(number: int) -> None:
        make_shipment(order, f"KP200{number}", units={line: 1})

    assert concurrently(press, range(2)) == [None, None]
    order.refresh_from_db()
    return order


def test_the_last_two_parcels_at_the_same_time_leave_nothing_to_send() -> None:
    assert send_the_last_two_units_concurrently().status == OrderStatus.shipped
    assert the_books_agree()


@only_where_races_show
@pytest.mark.usefixtures("without_row_locks")
def test_control_without_the_lock_an_order_that_was_sent_whole_stays_partly_shipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both_have_read, units_left = Barrier(2), ship.units_left

    def read_and_wait(order: Order) -> dict[int, int]:
        left = units_left(order)
        if order.status == OrderStatus.partly_shipped:
            both_have_read.wait(10)
        return left

    monkeypatch.setattr(ship, "units_left", read_and_wait)
    assert send_the_last_two_units_concurrently().status == OrderStatus.partly_shipped
    assert not the_books_agree()


def on_its_way() -> Order:
    order = make_shipment(paid_order()).order
    Order.objects.filter(pk=order.pk).update(complete_at=timezone.now())
    order.refresh_from_db()
    return order


def receive_and_complete(order: Order) -> list[object]:
    works: list[Callable[[], object]] = [
        *[partial(receive_order, customer=order.customer, order_no=order.order_no)] * 3,
        *[partial(complete_orders, order_ids=[order.pk])] * 3,
    ]
    return concurrently(lambda work: work(), works)


def test_an_order_that_customer_and_clock_complete_at_the_same_time_is_completed_once() -> None:
    order = on_its_way()
    outcomes = receive_and_complete(order)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Err)]
    assert OrderStatusChange.objects.filter(to_status=OrderStatus.completed).count() == 1
    assert the_books_agree()


def unconditional(*, order: Order, to: OrderStatus, reason: str, **_: object) -> bool:
    """Move an order whatever has become of it."""
    both_have_read.wait(10)
    seen, order.status = order.status, to
    Order.objects.filter(pk=order.pk).update(status=to)
    OrderStatusChange.objects.create(order=order, from_status=seen, to_status=to, reason=reason)
    return True


both_have_read = Barrier(2)


def close_concurrently(works: int) -> tuple[Order, list[object]]:
    """Send one of three units, and close the rest many times concurrently."""
    order = paid_order(3)
    send_units(order, 1)

    def close(_number: int) -> None:
        mine = Order.objects.get(pk=order.pk)
        cancel_unshipped(order=mine, seen=OrderStatus.partly_shipped, note="Refunded")

    return order, concurrently(close, range(works))


def test_a_rest_that_is_closed_many_times_at_the_same_time_is_closed_once() -> None:
    order, outcomes = close_concurrently(6)
    assert (outcomes.count(None), outcomes.count(Err.order_moved)) == (1, 5)
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved, order.lines.get().unsent) == (9, 0, 2)
    assert the_books_agree()


@only_where_races_show
def test_control_without_the_condition_postgresql_closes_a_rest_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fulfil, "change_status", unconditional)
    order, _outcomes = close_concurrently(2)
    assert order.history.filter(reason="rest_closed").count() == 2
    assert not the_books_agree()


def test_of_the_last_parcel_and_the_closing_of_the_rest_at_the_same_time_one_happens() -> None:
    order = paid_order(3)
    send_units(order, 1)
    mine, seen = Order.objects.get(pk=order.pk), OrderStatus.partly_shipped
    works: list[Callable[[], object]] = [
        partial(make_shipment, order, "KP2000"),
        partial(cancel_unshipped, order=mine, seen=seen, note="Refunded"),
    ]
    outcomes = concurrently(lambda work: work(), works)
    assert outcomes.count(Err.order_moved) == 1
    unsent = order.lines.get().unsent
    assert (unsent, Shipment.objects.count()) in [(0, 2), (2, 1)]
    assert StockLevel.objects.get().reserved == 0
    assert the_books_agree()


@only_where_races_show
def test_control_without_the_condition_postgresql_completes_an_order_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = on_its_way()
    monkeypatch.setattr(receive, "change_status", unconditional)
    concurrently(lambda _: receive_order(customer=order.customer, order_no=order.order_no), range(2))
    assert OrderStatusChange.objects.filter(to_status=OrderStatus.completed).count() == 2
    assert not the_books_agree()


def test_an_order_that_is_handed_over_many_times_at_the_same_time_is_handed_over_once() -> None:
    order = make_pick_up(Buyer())
    assert mark_paid(order=order, pay_type="5")
    move_order(order=order, move=Move.prepare, seen=OrderStatus.paid)

    def press(_number: int) -> None:
        mine = Order.objects.get(pk=order.pk)
        move_order(order=mine, move=Move.hand_over, seen=OrderStatus.ready, pickup_code=order.pickup_code)

    outcomes = concurrently(press, range(6))
    assert (outcomes.count(None), outcomes.count(Err.order_moved)) == (1, 5)
    assert StockLevel.objects.get().on_hand == 4
    assert the_books_agree()
