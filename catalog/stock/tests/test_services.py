import pytest
from django.db.models import Sum

from catalog.goods.tests.builders import make_product
from catalog.stock.availability import units_at, units_for_delivery
from catalog.stock.models import Reservation, StockLevel, StockMovement
from catalog.stock.services import receive, release, reserve
from catalog.stock.tests.builders import make_location, stock
from core.errors import Err, ShopError

pytestmark = pytest.mark.django_db


def test_reserved_units_cannot_be_bought_again() -> None:
    product = make_product()
    level = stock(product, 5)
    reserve(location=level.location, units_by_product={product.pk: 3}, reference="A1")
    assert units_for_delivery([product.pk]) == {product.pk: 2}
    with pytest.raises(ShopError) as refusal:
        reserve(location=level.location, units_by_product={product.pk: 3}, reference="A2")
    assert refusal.value.err is Err.stock_insufficient
    assert units_for_delivery([product.pk]) == {product.pk: 2}
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
    with pytest.raises(ShopError) as refusal:
        reserve(location=make_location(), units_by_product={product.pk: 1}, reference="A1")
    assert refusal.value.err is Err.stock_insufficient


def test_released_units_can_be_bought_again_once() -> None:
    product = make_product()
    level = stock(product, 5)
    for reference, units in (("A1", 3), ("A2", 1)):
        reserve(location=level.location, units_by_product={product.pk: units}, reference=reference)
    assert release(reference="A1") == 3
    assert release(reference="A1") == 0
    assert units_for_delivery([product.pk]) == {product.pk: 4}
    assert Reservation.objects.get(reference="A1").state == Reservation.State.released


def test_an_order_can_reserve_again_what_it_released() -> None:
    product = make_product()
    level = stock(product, 2)
    for _ in range(2):
        reserve(location=level.location, units_by_product={product.pk: 2}, reference="A1")
        release(reference="A1")
    assert units_for_delivery([product.pk]) == {product.pk: 2}


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
