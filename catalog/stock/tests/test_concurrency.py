import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.goods.models import Product
from catalog.goods.productform import ProductForm
from catalog.goods.sales import record_sales
from catalog.goods.tests.builders import form_values, make_product
from catalog.stock import services
from catalog.stock.audit import differences
from catalog.stock.models import Location, Reservation, StockLevel, StockMovement
from catalog.stock.services import (
    receive,
    receive_opening,
    release,
    reserve,
    save_location,
    set_counted,
    ship,
)
from catalog.stock.tests.builders import make_location, stock
from core.errors import Err
from core.tests.rows import stored
from core.tests.threads import before_commit, between_check_and_save, concurrently

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def without_row_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no row be locked before it is written."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **_: rows)


def test_of_many_buyers_as_many_succeed_as_there_are_units() -> None:
    product = make_product()
    location = stock(product, 10).location

    def buy(number: int) -> None:
        reserve(location=location, units_by_product={product.pk: 1}, reference=f"A{number}")

    outcomes = concurrently(buy, range(40))
    assert outcomes.count(None) == 10
    assert outcomes.count(Err.stock_insufficient) == 30
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved) == (10, 10)
    assert Reservation.objects.count() == 10


def test_control_without_the_condition_postgresql_oversells() -> None:
    product = make_product()
    stock(product, 2)
    sold: list[int] = []

    def buy_without_condition(number: int) -> None:
        with transaction.atomic():
            level = StockLevel.objects.get(product=product)
            time.sleep(0.05)
            if level.available:
                StockLevel.objects.filter(pk=level.pk).update(reserved=level.reserved + 1)
                sold.append(number)

    concurrently(buy_without_condition, range(8))
    # SQLite has one writer at a time, so it cannot show the race.
    assert (len(sold) > 2) is (connection.vendor == "postgresql")


def test_carts_in_any_order_do_not_deadlock() -> None:
    products = [make_product().pk for _ in range(3)]
    for pk in products:
        location = stock(StockLevel(product_id=pk).product, 100).location

    def buy(number: int) -> None:
        turned = products[number % 3 :] + products[: number % 3]
        reserve(location=location, units_by_product=dict.fromkeys(turned, 1), reference=f"A{number}")

    assert concurrently(buy, range(30)) == [None] * 30
    assert set(StockLevel.objects.values_list("reserved", flat=True)) == {30}


def reserve_of_ten(*references: str) -> Product:
    """Reserve four of ten units of a product for each reference; returns the product."""
    product = make_product()
    location = stock(product, 10).location
    for reference in references:
        reserve(location=location, units_by_product={product.pk: 4}, reference=reference)
    return product


def test_an_order_released_many_times_at_the_same_time_is_released_once() -> None:
    reserve_of_ten("A1")

    def release_order(_number: int) -> int:
        return release(references=["A1"])

    given_back = concurrently(release_order, range(16))
    assert (given_back.count(4), given_back.count(0)) == (1, 15)
    assert StockLevel.objects.get().reserved == 0


def test_an_order_shipped_many_times_at_the_same_time_leaves_the_stock_once() -> None:
    product = reserve_of_ten("A1")

    def ship_three(_number: int) -> int:
        return ship(reference="A1", at_most={product.pk: 3})

    shipped = concurrently(ship_three, range(8))
    assert Counter(shipped) == {3: 1, 1: 1, 0: 6}
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved) == (6, 0)
    assert sum(StockMovement.objects.filter(reason="shipped").values_list("units", flat=True)) == -4
    assert not list(differences())


def test_control_without_the_condition_postgresql_ships_the_units_of_another_order() -> None:
    reserve_of_ten("A1", "A2")

    def read_and_ship(_number: int) -> None:
        with transaction.atomic():
            for reservation in list(Reservation.objects.filter(reference="A1", state="held")):
                time.sleep(0.1)
                Reservation.objects.filter(pk=reservation.pk).update(state=Reservation.State.shipped)
                level = StockLevel.objects.filter(pk=reservation.level_id)
                units = reservation.units
                level.update(on_hand=F("on_hand") - units, reserved=F("reserved") - units)

    concurrently(read_and_ship, range(2))
    # SQLite has one writer at a time, so it cannot show the race.
    assert StockLevel.objects.get().on_hand == (2 if connection.vendor == "postgresql" else 6)


def test_control_without_the_condition_postgresql_releases_the_units_of_another_order() -> None:
    reserve_of_ten("A1", "A2")

    def read_and_release(_number: int) -> None:
        with transaction.atomic():
            held = Reservation.objects.filter(reference="A1", state=Reservation.State.held)
            for reservation in list(held):
                time.sleep(0.1)
                Reservation.objects.filter(pk=reservation.pk).update(state=Reservation.State.released)
                level = StockLevel.objects.filter(pk=reservation.level_id)
                level.update(reserved=F("reserved") - reservation.units)

    concurrently(read_and_release, range(2))
    # SQLite has one writer at a time, so it cannot show the race.
    assert StockLevel.objects.get().reserved == (0 if connection.vendor == "postgresql" else 4)


def test_opening_stock_that_is_imported_twice_at_the_same_time_is_received_once() -> None:
    units = {make_product().pk: 7 for _ in range(3)}
    location = make_location()

    def receive(_number: int) -> None:
        receive_opening(location=location, units_by_product=units)

    assert concurrently(receive, range(8)) == [None] * 8
    assert list(StockLevel.objects.values_list("on_hand", flat=True)) == [7, 7, 7]
    assert StockMovement.objects.count() == 3


def test_control_without_locking_the_location_postgresql_receives_opening_stock_twice(
    monkeypatch: pytest.MonkeyPatch, without_row_locks: None
) -> None:
    def receive_later(**units: Any) -> None:
        time.sleep(0.1)
        receive(**units)

    monkeypatch.setattr(services, "receive", receive_later)
    units, location = {make_product().pk: 7}, make_location()

    concurrently(lambda _: receive_opening(location=location, units_by_product=units), range(2))
    # SQLite has one writer at a time, so it cannot show the race.
    assert StockLevel.objects.get().on_hand == (14 if connection.vendor == "postgresql" else 7)


def reserve_last_unit_while_deliveries_change(*, begin: bool) -> Product:
    """Reserve a product's last unit while its location begins to fill deliveries, or stops."""
    product = make_product()
    location = stock(product, 1, make_location(fills_deliveries=not begin)).location

    def reserve_last() -> None:
        reserve(location=location, units_by_product={product.pk: 1}, reference="A1")

    location.fills_deliveries = begin
    assert before_commit(reserve_last, lambda: save_location(location)) == [None, None]
    product.refresh_from_db()
    return product


@pytest.mark.parametrize("begin", [True, False])
def test_what_is_reserved_while_its_location_begins_or_stops_to_fill_deliveries_is_sold_out(
    begin: bool,
) -> None:
    assert reserve_last_unit_while_deliveries_change(begin=begin).sold_out


def test_control_without_locking_the_stock_of_a_location_postgresql_sells_what_is_reserved(
    without_row_locks: None,
) -> None:
    product = reserve_last_unit_while_deliveries_change(begin=True)
    # SQLite has one writer at a time, so it cannot show the race.
    assert product.sold_out is (connection.vendor != "postgresql")


def receive_first(location: Location, product: Product) -> None:
    receive(location=location, units_by_product={product.pk: 5}, reason=StockMovement.Reason.counted)


def count_first(location: Location, product: Product) -> None:
    set_counted(location=location, units_by_product={product.pk: 5})


def make_level_while_deliveries_begin(make_level: Callable[[Location, Product], None], order: int) -> Product:
    """Make a product's first stock level while its location begins to fill deliveries, in either order."""
    product, location = make_product(), make_location()

    def fill_deliveries() -> None:
        location.fills_deliveries = True
        save_location(location)

    works = [lambda: make_level(location, product), fill_deliveries][::order]
    assert before_commit(*works) == [None, None]
    product.refresh_from_db()
    return product


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("make_level", [receive_first, count_first])
def test_what_is_first_received_while_its_location_begins_to_fill_deliveries_is_not_sold_out(
    make_level: Callable[[Location, Product], None], order: int
) -> None:
    assert not make_level_while_deliveries_begin(make_level, order).sold_out


def test_control_without_locking_the_location_postgresql_calls_what_is_first_received_sold_out(
    without_row_locks: None,
) -> None:
    product = make_level_while_deliveries_begin(receive_first, 1)
    # SQLite has one writer at a time, so it cannot show the race.
    assert product.sold_out is (connection.vendor == "postgresql")


def save_a_location_twice() -> Product:
    """Let a location begin to fill deliveries, and stop at the same moment; returns a product that it has."""
    product = make_product()
    location = stock(product, 1, make_location()).location
    begins, stops = Location.objects.get(pk=location.pk), Location.objects.get(pk=location.pk)
    begins.fills_deliveries = True
    assert before_commit(lambda: save_location(begins), lambda: save_location(stops)) == [None, None]
    assert not Location.objects.get(pk=location.pk).fills_deliveries
    product.refresh_from_db()
    return product


def test_what_only_a_location_has_that_stops_to_fill_deliveries_as_it_begins_is_sold_out() -> None:
    assert save_a_location_twice().sold_out


def test_control_without_locking_the_location_postgresql_sells_what_no_location_delivers(
    without_row_locks: None,
) -> None:
    # SQLite has one writer at a time, so it cannot show the race.
    assert save_a_location_twice().sold_out is (connection.vendor != "postgresql")


def edit_while_it_is_sold(staff: Client, monkeypatch: pytest.MonkeyPatch) -> Product:
    """Sell all units of a product after the form of an editor is checked and before it is saved."""
    product = make_product()
    location = stock(product, 3).location

    def sell() -> None:
        reserve(location=location, units_by_product={product.pk: 3}, reference="A1")
        record_sales(units_by_product={product.pk: 3}, day=timezone.localdate())

    def save() -> int:
        values = form_values(product, name_en="Other")
        return staff.post(reverse("goods:edit", args=[product.pk]), values).status_code

    sale = between_check_and_save(monkeypatch, ProductForm, sell)
    assert concurrently(lambda work: work(), [save, sale]) == [302, None]
    assert stored(product, "name_en") == "Other"
    return product


def test_what_is_sold_while_an_editor_saves_a_product_stays_counted(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    product = edit_while_it_is_sold(staff, monkeypatch)
    assert (product.units_sold, product.sold_out) == (3, True)


def test_control_a_product_that_is_saved_whole_loses_its_sales(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Product, "UPDATE_ONLY", frozenset())
    assert edit_while_it_is_sold(staff, monkeypatch).units_sold == 0
