"""Disputed payments, and what they free (docs/guarantees/delivery.md#hours-and-windows)."""

from threading import Barrier

import pytest
from django.utils import timezone

from catalog.goods.models import Storage
from catalog.goods.tests.builders import make_product
from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import make_address, make_customer
from commerce.delivery.models import DeliverySlot, DeliveryWindow, PickupSlot
from commerce.delivery.tests.builders import make_freight_rule, make_shop, make_windows
from commerce.delivery.windows import windows
from commerce.orders.audit import differences
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.moves import Move
from commerce.orders.services import dispute as dispute_service
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, dispute, make_stocked, ordered, press
from core import clock
from core.tests.races import only_where_races_show
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

PERTH = {"province_name": "WA", "city_name": "Perth", "area_name": "Northbridge", "zip_code": "6003"}


def paid_pick_ups(count: int) -> list[Order]:
    """Make paid orders of one unit each that have booked the same hour."""
    shop, rice = make_shop(), make_product()
    stock(rice, 5, shop.location)
    orders = []
    for _ in range(count):
        orders.append(ordered(Buyer().pick_up(shop, (rice, 1))))
        assert mark_paid(order=orders[-1], pay_type="5")
    return orders


def paid_by_van() -> Order:
    make_windows()
    make_freight_rule(storage=Storage.frozen)
    customer = make_customer()
    make_address(customer, **PERTH)
    window = windows(DeliveryWindow.objects.all(), timezone.now())[-1]
    dumplings = make_stocked(storage=Storage.frozen)
    order = ordered(Buyer(customer).order((dumplings, 1), deliverySlot=clock.to_wire(window.starts_at)))
    assert mark_paid(order=order, pay_type="5")
    return order


def agree() -> bool:
    return not list(differences())


def test_a_dispute_before_the_hand_over_gives_the_hour_back(subtests: pytest.Subtests) -> None:
    order, _other = paid_pick_ups(2)
    for moves in ((), (Move.review,), (Move.prepare,)):
        with subtests.test(moves=moves), rolled_back():
            press(order, *moves)
            assert dispute(order)
            assert (order.pickup_slot, PickupSlot.objects.get().booked) == (None, 1)
            assert agree()


def test_a_dispute_after_the_hand_over_leaves_the_hour_as_it_was() -> None:
    [order] = paid_pick_ups(1)
    press(order, Move.prepare, Move.hand_over)
    assert dispute(order)
    assert (order.pickup_slot, PickupSlot.objects.get().booked) == (PickupSlot.objects.get(), 1)
    assert agree()


def test_a_dispute_gives_the_window_back_unless_the_van_has_left(subtests: pytest.Subtests) -> None:
    order = paid_by_van()
    for is_out in (False, True):
        with subtests.test(is_out=is_out), rolled_back():
            press(order, *[Move.send_out] * is_out)
            assert dispute(order)
            assert DeliverySlot.objects.get().booked == int(is_out)
            assert (order.delivery_slot is not None) == is_out
            assert agree()


def dispute_one_of_three(times: int, *, is_locked: bool = True) -> list[object]:
    """Note the dispute of one of three pick-ups of the same hour many times concurrently."""
    order, *_others = paid_pick_ups(3)
    outcomes: list[object] = []
    rows = [Order.objects.get(pk=order.pk) for _ in range(times)]
    concurrently(lambda row: outcomes.append(dispute(row, is_locked=is_locked)), rows)
    return outcomes


@pytest.mark.django_db(transaction=True)
def test_a_dispute_that_is_noted_many_times_at_the_same_time_gives_one_hour_back() -> None:
    outcomes = dispute_one_of_three(6)
    assert (outcomes.count(True), outcomes.count(False)) == (1, 5)
    assert PickupSlot.objects.get().booked == 2
    assert agree()


@only_where_races_show
@pytest.mark.django_db(transaction=True)
def test_control_without_lock_and_condition_postgresql_gives_two_hours_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both_have_read = Barrier(2)

    def unconditional(*, order: Order, to: OrderStatus, reason: str, **_: object) -> bool:
        both_have_read.wait(10)
        Order.objects.filter(pk=order.pk).update(status=to, pickup_slot=None)
        OrderStatusChange.objects.create(order=order, from_status=order.status, to_status=to, reason=reason)
        return True

    monkeypatch.setattr(dispute_service, "change_status", unconditional)
    dispute_one_of_three(2, is_locked=False)
    assert PickupSlot.objects.get().booked == 1
    assert not agree()
