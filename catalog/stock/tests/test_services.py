from collections.abc import Callable

import pytest
from django.db.models import Sum

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product, make_products
from catalog.stock.audit import differences
from catalog.stock.availability import units_at
from catalog.stock.models import Location, Reservation, StockLevel, StockMovement
from catalog.stock.services import (
    receive,
    receive_opening,
    release,
    release_units,
    reserve,
    save_location,
    set_counted,
    ship,
)
from catalog.stock.tests.builders import make_location, stock, stock_all
from core.errors import Err, ShopError
from core.tests.refusals import refusal
from core.tests.rows import stored

pytestmark = pytest.mark.django_db


def test_reserved_units_cannot_be_bought_again() -> None:
    product = make_product()
    level = stock(product, 5)
    reserve(location=level.location, units_by_product={product.pk: 3}, reference="A1")
    assert units_at(level.location, [product.pk]) == {product.pk: 2}
    with refusal(Err.stock_insufficient):
        reserve(location=level.location, units_by_product={product.pk: 3}, reference="A2")
    assert units_at(level.location, [product.pk]) == {product.pk: 2}
    assert Reservation.objects.count() == 1


def test_several_products_are_reserved_together_or_not_at_all() -> None:
    plenty, scarce = make_product(), make_product()
    location = stock(plenty, 10).location
    stock(scarce, 1)
    with pytest.raises(ShopError):
        reserve(location=location, units_by_product={plenty.pk: 1, scarce.pk: 2}, reference="A1")
    assert units_at(location, [plenty.pk, scarce.pk]) == {plenty.pk: 10, scarce.pk: 1}
    assert not Reservation.objects.exists()


def test_what_a_location_never_stocked_cannot_be_reserved_there() -> None:
    product = make_product()
    stock(product, 5)
    with refusal(Err.stock_insufficient):
        reserve(location=make_location(), units_by_product={product.pk: 1}, reference="A1")


def test_released_units_can_be_bought_again_once() -> None:
    product = make_product()
    level = stock(product, 5)
    for reference, units in (("A1", 3), ("A2", 1)):
        reserve(location=level.location, units_by_product={product.pk: units}, reference=reference)
    assert release(references=["A1"]) == 3
    assert release(references=["A1"]) == 0
    assert units_at(level.location, [product.pk]) == {product.pk: 4}
    assert Reservation.objects.get(reference="A1").state == Reservation.State.released


def test_an_order_can_reserve_again_what_it_released() -> None:
    product = make_product()
    level = stock(product, 2)
    for _ in range(2):
        reserve(location=level.location, units_by_product={product.pk: 2}, reference="A1")
        release(references=["A1"])
    assert units_at(level.location, [product.pk]) == {product.pk: 2}


def test_received_units_add_up_and_are_explained_by_movements() -> None:
    product, other = make_product(), make_product()
    location = make_location(fills_deliveries=True)
    receive(
        location=location,
        units_by_product={product.pk: 5, other.pk: 1},
        reason=StockMovement.Reason.imported,
        reference="import",
    )
    receive(location=location, units_by_product={product.pk: 2}, reason=StockMovement.Reason.counted)
    level = StockLevel.objects.get(product=product)
    assert level.on_hand == 7
    assert level.movements.aggregate(sum=Sum("units"))["sum"] == 7
    assert units_at(location, [product.pk, other.pk]) == {product.pk: 7, other.pk: 1}
    assert movements() == [
        (location.pk, product.pk, 5, "imported", "import"),
        (location.pk, other.pk, 1, "imported", "import"),
        (location.pk, product.pk, 2, "counted", ""),
    ]


def on_hand(location: Location) -> dict[int, int]:
    return dict(StockLevel.objects.filter(location=location).values_list("product_id", "on_hand"))


def movements() -> list[tuple[int, int, int, str, str]]:
    """Return location, product, units, reason and reference of all movements, the first one first."""
    columns = ("level__location_id", "level__product_id", "units", "reason", "reference")
    return list(StockMovement.objects.order_by("pk").values_list(*columns))


def two_in_stock() -> tuple[Product, Product, Location]:
    """Make two products with five units each; returns them with their location."""
    rice, tea = make_products(2)
    return rice, tea, stock_all([rice, tea], 5)


def test_what_is_released_is_counted_over_all_products_and_other_orders_keep_theirs() -> None:
    rice, tea, place = two_in_stock()
    reserve(location=place, units_by_product={rice.pk: 2, tea.pk: 1}, reference="A1")
    reserve(location=place, units_by_product={rice.pk: 1}, reference="A2")
    assert release(references=["A1"]) == 3
    assert units_at(place, [rice.pk, tea.pk]) == {rice.pk: 4, tea.pk: 5}


def test_a_part_of_what_is_held_is_released_and_never_more_than_is_held() -> None:
    rice, tea, place = two_in_stock()
    reserve(location=place, units_by_product={rice.pk: 4, tea.pk: 1}, reference="A1")
    reserve(location=place, units_by_product={rice.pk: 1}, reference="A2")
    assert stored(rice, "sold_out")

    assert release_units(reference="A1", at_most={rice.pk: 1}) == {rice.pk: 1}
    assert not stored(rice, "sold_out")
    assert units_at(place, [rice.pk, tea.pk]) == {rice.pk: 1, tea.pk: 4}
    assert ship(reference="A1", at_most={rice.pk: 2}) == 2
    assert release_units(reference="A1", at_most={rice.pk: 9, tea.pk: 9}) == {rice.pk: 1, tea.pk: 1}
    assert release_units(reference="A1", at_most={rice.pk: 9, tea.pk: 9}) == {}
    assert units_at(place, [rice.pk, tea.pk]) == {rice.pk: 2, tea.pk: 5}
    assert not list(differences())


def test_shipped_units_are_not_released() -> None:
    rice = make_product()
    place = stock(rice, 5).location
    reserve(location=place, units_by_product={rice.pk: 2}, reference="A1")
    Reservation.objects.update(state=Reservation.State.shipped)
    assert release(references=["A1"]) == 0
    assert units_at(place, [rice.pk]) == {rice.pk: 3}
    assert Reservation.objects.get().state == Reservation.State.shipped


def test_opening_stock_is_received_only_where_there_is_none() -> None:
    # Products and their stock levels have different ids.
    _, rice, tea = make_products(3)
    here, elsewhere = make_location(fills_deliveries=True), make_location()
    stock(rice, 5, here)
    stock(tea, 7, elsewhere)
    before = movements()
    receive_opening(location=here, units_by_product={rice.pk: 30, tea.pk: 40}, reference="stock.csv")
    assert on_hand(here) == {rice.pk: 5, tea.pk: 40}
    assert on_hand(elsewhere) == {tea.pk: 7}
    assert movements() == [*before, (here.pk, tea.pk, 40, "imported", "stock.csv")]
    receive_opening(location=elsewhere, units_by_product={rice.pk: 1})
    assert movements()[-1] == (elsewhere.pk, rice.pk, 1, "imported", "")


def test_a_stocktake_sets_what_is_on_hand_and_explains_each_difference() -> None:
    same, fewer, more, new = make_products(4)
    here, elsewhere = make_location(fills_deliveries=True), make_location()
    for product in (same, fewer, more):
        stock(product, 5, here)
        stock(product, 9, elsewhere)
    before = movements()
    counted = {same.pk: 5, fewer.pk: 2, more.pk: 6, new.pk: 4}
    set_counted(location=here, units_by_product=counted, reference="count.csv")
    assert on_hand(here) == counted
    assert on_hand(elsewhere) == {same.pk: 9, fewer.pk: 9, more.pk: 9}
    assert movements() == [
        *before,
        (here.pk, fewer.pk, -3, "counted", "count.csv"),
        (here.pk, more.pk, 1, "counted", "count.csv"),
        (here.pk, new.pk, 4, "counted", "count.csv"),
    ]
    set_counted(location=here, units_by_product={new.pk: 3})
    assert movements()[-1] == (here.pk, new.pk, -1, "counted", "")
    assert not stored(new, "sold_out")
    set_counted(location=here, units_by_product={new.pk: 0})
    assert stored(new, "sold_out")


def test_fewer_units_than_are_reserved_cannot_be_counted() -> None:
    rice, tea, place = two_in_stock()
    reserve(location=place, units_by_product={tea.pk: 3}, reference="A1")
    before = movements()
    with refusal(Err.stock_insufficient):
        set_counted(location=place, units_by_product={rice.pk: 1, tea.pk: 2})
    assert on_hand(place) == {rice.pk: 5, tea.pk: 5}
    assert movements() == before
    set_counted(location=place, units_by_product={tea.pk: 3})
    assert units_at(place, [rice.pk, tea.pk]) == {rice.pk: 5, tea.pk: 0}


@pytest.mark.django_db(transaction=True)
def test_a_service_that_fails_in_the_end_has_changed_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rice = make_product()
    place = stock(rice, 5).location
    reserve(location=place, units_by_product={rice.pk: 2}, reference="A1")

    def fail(*_products: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("catalog.stock.services.update_sold_out", fail)
    monkeypatch.setattr("catalog.stock.services.update_all_sold_out", fail)
    units = {rice.pk: 4}
    place.fills_deliveries = False
    services: list[Callable[[], object]] = [
        lambda: save_location(place),
        lambda: reserve(location=place, units_by_product={rice.pk: 3}, reference="A2"),
        lambda: release(references=["A1"]),
        lambda: receive(location=place, units_by_product=units, reason=StockMovement.Reason.returned),
        lambda: set_counted(location=place, units_by_product=units),
    ]
    before = list(StockLevel.objects.values()), movements(), list(Reservation.objects.values())
    for service in services:
        with pytest.raises(ZeroDivisionError):
            service()
        assert (list(StockLevel.objects.values()), movements(), list(Reservation.objects.values())) == before
        assert Location.objects.get().fills_deliveries
