from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.contrib.auth.models import User

from catalog.stock.models import StockLevel
from commerce.orders.audit import differences as order_differences
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import UNDO_FOR, Move
from commerce.orders.points import book_points
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, dispute, make_paid, make_pick_up, make_stocked, press
from commerce.shipments.audit import differences
from commerce.shipments.models import Shipment
from commerce.shipments.services import undo as undoing
from commerce.shipments.services import undo_move
from commerce.shipments.tests.builders import end, make_carrier, make_handed_over, make_shipment, undo
from core.errors import Err
from core.tests.races import only_where_races_show
from core.tests.threads import before_commit, concurrently

pytestmark = pytest.mark.django_db(transaction=True)


def the_books_agree() -> bool:
    return not [*differences(), *order_differences()]


def test_an_undo_that_is_pressed_many_times_at_the_same_time_happens_once(li: User) -> None:
    order = handed_over(li)
    outcomes = concurrently(lambda _: undo(order, li).to, range(6))
    assert outcomes.count(OrderStatus.ready) == 1
    assert set(outcomes) == {OrderStatus.ready, Err.order_moved}
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved) == (5, 1)
    assert order.history.filter(reason="undone").count() == 1
    assert the_books_agree()


@only_where_races_show
@pytest.mark.usefixtures("without_row_locks")
def test_control_without_lock_and_condition_postgresql_undoes_twice(
    li: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = delivered(li)
    both_have_read = Barrier(2)

    def unconditional(*, order: Order, to: OrderStatus, reason: str, staff: User) -> bool:
        both_have_read.wait(10)
        seen, order.status = order.status, to
        Order.objects.filter(pk=order.pk).update(status=to)
        OrderStatusChange.objects.create(
            order=order, from_status=seen, to_status=to, reason=reason, staff=staff
        )
        return True

    monkeypatch.setattr(undoing, "change_status", unconditional)
    concurrently(lambda _: undo(order, li), range(2))
    assert order.history.filter(reason="undone").count() == 2
    assert not the_books_agree()


def handed_over(staff: User) -> Order:
    order = make_pick_up(Buyer())
    assert mark_paid(order=order, pay_type="5")
    return make_handed_over(staff, order)


def delivered(staff: User) -> Order:
    make_carrier()
    order = make_shipment(make_paid(Buyer(), (make_stocked(10), 2))).order
    end(order, Move.deliver, staff)
    return order


def test_of_an_undo_and_a_dispute_or_another_action_at_the_same_time_each_sees_the_other(
    li: User,
) -> None:
    order = handed_over(li)
    works: list[Callable[[], object]] = [partial(undo, order, li), partial(dispute, order)]
    concurrently(lambda work: work(), works)
    order.refresh_from_db()
    # Disputed before or after the undo, which is refused in the first case.
    steps = list(order.history.order_by("pk").values_list("reason", flat=True))
    assert steps[-1] == "dispute"
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved) == ((5, 0) if "undone" in steps else (4, 0))
    assert the_books_agree()

    other = delivered(li)
    end_again = end_of_return(other, li)
    works = [partial(undo_move, order=other, staff=li, change_id=end_again), partial(press_pack, other)]
    outcomes = concurrently(lambda work: work(), works)
    assert Err.order_moved in outcomes
    assert the_books_agree()


def end_of_return(order: Order, staff: User) -> int:
    undo(order, staff)
    return end(order, Move.record_return, staff).pk


def press_pack(order: Order) -> None:
    press(Order.objects.get(pk=order.pk), Move.pack)


def undo_while_points_are_booked(staff: User, monkeypatch: pytest.MonkeyPatch) -> tuple[Order, object]:
    """Book the points of a delivered order, and undo it before that commits; return order and outcome.

    The clock of the host that undoes lags behind.
    """
    order = delivered(staff)
    order.history.filter(reason="delivered").update(
        created_at=order.history.latest("pk").created_at - UNDO_FOR
    )
    monkeypatch.setattr(undoing, "UNDO_FOR", UNDO_FOR + timedelta(minutes=1))
    _, outcome = before_commit(lambda: book_points(order.pk), lambda: undo(order, staff))
    order.refresh_from_db()
    assert order.points_booked_at
    return order, outcome


def test_an_undo_that_waits_for_the_points_job_sees_its_points(
    li: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, outcome = undo_while_points_are_booked(li, monkeypatch)
    assert (outcome, order.status) == (Err.undo_over, OrderStatus.completed)


@only_where_races_show
@pytest.mark.usefixtures("without_row_locks")
def test_control_without_the_lock_an_undone_order_keeps_points(
    li: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    order, _outcome = undo_while_points_are_booked(li, monkeypatch)
    assert (order.status, order.points_earned > 0) == (OrderStatus.shipped, True)


def test_the_points_job_that_waits_for_an_undo_books_nothing(
    li: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = delivered(li)
    order.history.filter(reason="delivered").update(
        created_at=order.history.latest("pk").created_at - UNDO_FOR
    )
    monkeypatch.setattr(undoing, "UNDO_FOR", UNDO_FOR + timedelta(minutes=1))
    assert before_commit(lambda: undo(order, li), lambda: book_points(order.pk)) == [None, False]
    order.refresh_from_db()
    assert (order.status, order.points_booked_at) == (OrderStatus.shipped, None)
    assert Shipment.objects.count() == 1
