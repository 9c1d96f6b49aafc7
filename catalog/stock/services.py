"""The only writers of stock: conditional UPDATEs, rows in pk order (ARCHITECTURE 3)."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import F

from catalog.goods.models import Product
from catalog.stock.models import Location, Reservation, StockLevel, StockMovement
from core.errors import Err, ShopError


def delivery_location() -> Location:
    """Return the place that fills deliveries; raises Location.DoesNotExist before one is set up."""
    return Location.objects.get(fills_deliveries=True)


@transaction.atomic
def reserve(*, location: Location, units_by_product: Mapping[int, int], reference: str) -> None:
    """Hold units for an order, all of them or none (RELIABILITY 2.1).

    `units_by_product`: product id → units, at least 1. `reference`: the order number; expiry is the order's.
    Locks: the stock levels in pk order. Raises ShopError(stock_insufficient).
    """
    levels = StockLevel.objects.filter(location=location, product_id__in=units_by_product).order_by("pk")
    wanted = [(level, units_by_product[level.product_id]) for level in levels]
    if len(wanted) < len(units_by_product):
        raise ShopError(Err.stock_insufficient)
    for level, units in wanted:
        taken = StockLevel.objects.filter(pk=level.pk, on_hand__gte=F("reserved") + units).update(
            reserved=F("reserved") + units
        )
        if not taken:
            raise ShopError(Err.stock_insufficient)
    Product.objects.filter(pk__in=units_by_product).tell_sold_out()
    Reservation.objects.bulk_create(
        Reservation(level=level, units=units, reference=reference) for level, units in wanted
    )


@transaction.atomic
def release(*, reference: str) -> int:
    """Give back every unit still held for an order; repeating it changes nothing. Returns the units released.

    Locks: the stock levels in pk order.
    """
    held = Reservation.objects.filter(reference=reference, state=Reservation.State.held).order_by("level_id")
    released = 0
    products: set[int] = set()
    for reservation in held.select_related("level"):
        mine = Reservation.objects.filter(pk=reservation.pk, state=Reservation.State.held).update(
            state=Reservation.State.released
        )
        if mine:
            StockLevel.objects.filter(pk=reservation.level_id).update(
                reserved=F("reserved") - reservation.units
            )
            released += reservation.units
            products.add(reservation.level.product_id)
    Product.objects.filter(pk__in=products).tell_sold_out()
    return released


@transaction.atomic
def receive(
    *,
    location: Location,
    units_by_product: Mapping[int, int],
    reason: StockMovement.Reason,
    reference: str = "",
) -> None:
    """Add units to the shelves, with a movement for each product.

    `units_by_product`: product id → units, at least 1. Levels that do not exist are made.
    Locks: the stock levels in pk order, then the goods: a level just made keeps nobody from changing them.
    """
    StockLevel.objects.bulk_create(
        [StockLevel(location=location, product_id=pk) for pk in sorted(units_by_product)],
        ignore_conflicts=True,
    )
    levels = list(
        StockLevel.objects.filter(location=location, product_id__in=units_by_product)
        .order_by("pk")
        .only("pk", "product_id")
    )
    for level in levels:
        units = units_by_product[level.product_id]
        StockLevel.objects.filter(pk=level.pk).update(on_hand=F("on_hand") + units)
    StockMovement.objects.bulk_create(
        StockMovement(
            level=level, units=units_by_product[level.product_id], reason=reason, reference=reference
        )
        for level in levels
    )
    received = Product.objects.filter(pk__in=units_by_product)
    received.hold()
    received.tell_sold_out()


@transaction.atomic
def set_counted(*, location: Location, units_by_product: Mapping[int, int], reference: str = "") -> None:
    """Set the units on the shelves to what was counted, with a movement for each product that differs.

    `units_by_product`: product id → units, those that orders hold among them. Levels that do not exist are
    made. Locks: the stock levels in pk order, then the goods. Raises ShopError(stock_insufficient) where
    orders hold more than was counted; then nothing is set.
    """
    StockLevel.objects.bulk_create(
        [StockLevel(location=location, product_id=pk) for pk in sorted(units_by_product)],
        ignore_conflicts=True,
    )
    levels = StockLevel.objects.filter(location=location, product_id__in=units_by_product).order_by("pk")
    moved = []
    for level in levels.select_for_update():
        units = units_by_product[level.product_id]
        if level.on_hand == units:
            continue
        is_set = StockLevel.objects.filter(pk=level.pk, on_hand=level.on_hand, reserved__lte=units).update(
            on_hand=units
        )
        if not is_set:
            raise ShopError(Err.stock_insufficient)
        moved.append(
            StockMovement(
                level=level,
                units=units - level.on_hand,
                reason=StockMovement.Reason.counted,
                reference=reference,
            )
        )
    StockMovement.objects.bulk_create(moved)
    counted = Product.objects.filter(pk__in=[movement.level.product_id for movement in moved])
    counted.hold()
    counted.tell_sold_out()
