"""The only writers of stock: conditional UPDATEs in pk order (docs/guarantees/orders.md#stock)."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping

from django.db import IntegrityError, transaction
from django.db.models import F, OuterRef, QuerySet, Subquery, Sum

from catalog.stock.leaving import end_held
from catalog.stock.models import Location, Reservation, StockLevel, StockMovement
from catalog.stock.reservation_sql import take
from catalog.stock.soldout import lock_products, update_all_sold_out, update_sold_out
from core.counters import by_key
from core.errors import Err, ShopError
from core.protected import writable, write_row
from core.transactions import in_callers_transaction


@transaction.atomic
def save_location(location: Location, *, check: Callable[[], None] | None = None) -> None:
    """Save a location and, if it starts or stops filling deliveries, update which products are sold out.

    `check`: called after the location is locked; may raise. Locks the location, so that the second of two
    concurrent saves sees the first. If products may become sold out or available, also locks its stock levels
    in pk order.
    """
    before = _lock_location(location)
    if check:
        check()
    write_row(location)
    if (before is not None and before.fills_deliveries) != location.fills_deliveries:
        levels = StockLevel.objects.filter(location=location).order_by("pk").select_for_update()
        list(levels.values_list("pk"))
        update_all_sold_out()


def delete_locations(locations: QuerySet[Location]) -> None:
    """Delete locations; raises ProtectedError if one of them has stock levels."""
    writable(locations).delete()


@in_callers_transaction
def reserve(*, location: Location, units_by_product: Mapping[int, int], reference: str) -> None:
    """Reserve all units for an order, or none of them (docs/guarantees/orders.md#stock).

    `units_by_product`: product id → units, at least 1. `reference`: the order number; the order decides when
    the reservation expires. Locks the stock levels in pk order. Raises ShopError(stock_insufficient).
    """
    taken = take(location.pk, units_by_product)
    if len(taken) < len(units_by_product):
        raise ShopError(Err.stock_insufficient)
    if short := [level.product_id for level in taken if level.left < level.min_amount]:
        update_sold_out(short)
    Reservation.objects.bulk_create(
        Reservation(level_id=level.id, units=units_by_product[level.product_id], reference=reference)
        for level in taken
    )


@in_callers_transaction
def release(*, references: Collection[str]) -> int:
    """Release all units that are held for orders and return how many; safe to repeat.

    `references`: the order numbers. Locks the stock levels in pk order, each with its reservations.
    """
    held = Reservation.objects.filter(reference__in=references, state=Reservation.State.held)
    # A concurrent call waits for these locks, and then finds no held units.
    locked = held.select_related("level").select_for_update(no_key=True, of=("self", "level"))
    reservations = list(locked.order_by("level_id", "pk"))
    if not reservations:
        return 0
    mine = held.filter(pk__in=[reservation.pk for reservation in reservations])
    if mine.update(state=Reservation.State.released) < len(reservations):
        raise IntegrityError("units were released in the meantime")
    units: Counter[int] = Counter()
    for reservation in reservations:
        units[reservation.level_id] += reservation.units
    StockLevel.objects.filter(pk__in=units).update(reserved=F("reserved") - by_key(units))
    update_sold_out({reservation.level.product_id for reservation in reservations})
    return units.total()


@in_callers_transaction
def release_units(*, reference: str, at_most: Mapping[int, int]) -> dict[int, int]:
    """Release some or all units that are held for an order; return product id → released units.

    `reference`: the order number. `at_most`: product id → maximum of units to release. Products without
    held units are not in the result. Locks the stock levels in pk order, each with its reservation.
    """
    held = Reservation.objects.filter(
        reference=reference, state=Reservation.State.held, level__product__in=at_most
    )
    locked = held.select_related("level").select_for_update(no_key=True, of=("self", "level"))
    units: Counter[int] = Counter()
    released: Counter[int] = Counter()
    for reservation in locked.order_by("level_id", "pk"):
        product = reservation.level.product_id
        if leaving := min(at_most[product] - released[product], reservation.units):
            end_held(reservation, leaving, Reservation.State.released)
            units[reservation.level_id] += leaving
            released[product] += leaving
    if units:
        StockLevel.objects.filter(pk__in=units).update(reserved=F("reserved") - by_key(units))
        update_sold_out(released)
    return dict(+released)


@in_callers_transaction
def ship(*, reference: str, at_most: Mapping[int, int] | None = None) -> int:
    """Remove units that are held for an order from stock, with a movement per level; return how many.

    `reference`: the order number. `at_most`: product id → maximum of units; by default all held units.
    Does nothing if no units are held. The units that can be bought stay the same.
    Locks the stock levels in pk order, each with its reservation.
    """
    held = Reservation.objects.filter(reference=reference, state=Reservation.State.held)
    locked = held.select_related("level").select_for_update(no_key=True, of=("self", "level"))
    units: Counter[int] = Counter()
    for reservation in locked.order_by("level_id", "pk"):
        wanted = reservation.units if at_most is None else at_most.get(reservation.level.product_id, 0)
        if leaving := min(wanted, reservation.units):
            end_held(reservation, leaving, Reservation.State.shipped)
            units[reservation.level_id] += leaving
    if not units:
        return 0
    leaving_level = by_key(units)
    StockLevel.objects.filter(pk__in=units).update(
        on_hand=F("on_hand") - leaving_level, reserved=F("reserved") - leaving_level
    )
    StockMovement.objects.bulk_create(
        StockMovement(
            level_id=level_id, units=-count, reason=StockMovement.Reason.shipped, reference=reference
        )
        for level_id, count in sorted(units.items())
    )
    return units.total()


@in_callers_transaction
def undo_ship(*, reference: str) -> int:
    """Hold all units again that were shipped for an order, with a movement per level; return how many.

    `reference`: the order number. The units that can be bought stay the same. Locks: as `ship`. Raises
    ShopError(undo_counted) if a stocktake has set one of the levels since.
    """
    shipped = Reservation.objects.filter(reference=reference, state=Reservation.State.shipped)
    locked = shipped.select_related("level").select_for_update(no_key=True, of=("self", "level"))
    reservations = list(locked.order_by("level_id", "pk"))
    if not reservations:
        return 0
    units: Counter[int] = Counter()
    for reservation in reservations:
        units[reservation.level_id] += reservation.units
    left = StockMovement.objects.filter(
        level=OuterRef("level"), reference=reference, reason=StockMovement.Reason.shipped
    )
    counted = StockMovement.objects.filter(level__in=units, reason=StockMovement.Reason.counted)
    if counted.filter(pk__gt=Subquery(left.order_by("-pk").values("pk")[:1])).exists():
        raise ShopError(Err.undo_counted)
    if shipped.update(state=Reservation.State.held) < len(reservations):
        raise IntegrityError("units were held in the meantime")
    back = by_key(units)
    StockLevel.objects.filter(pk__in=units).update(on_hand=F("on_hand") + back, reserved=F("reserved") + back)
    StockMovement.objects.bulk_create(
        StockMovement(level_id=level_id, units=count, reason=StockMovement.Reason.undone, reference=reference)
        for level_id, count in sorted(units.items())
    )
    return units.total()


@in_callers_transaction
def lock_levels(*, location: Location, product_ids: Collection[int]) -> None:
    """Lock a location and its levels of products, so that the caller can both release and receive units.

    Locks the location, then those stock levels in pk order.
    """
    _lock_location(location)
    levels = StockLevel.objects.filter(location=location, product__in=product_ids).order_by("pk")
    list(levels.select_for_update(no_key=True).values("pk"))


def shipped_units(*, reference: str) -> dict[int, int]:
    """Return product id → units that were shipped for an order."""
    return _units_of(reference, Reservation.State.shipped)


def held_units(*, reference: str) -> dict[int, int]:
    """Return product id → units that are held for an order."""
    return _units_of(reference, Reservation.State.held)


def _units_of(reference: str, state: Reservation.State) -> dict[int, int]:
    reservations = Reservation.objects.filter(reference=reference, state=state).order_by()
    by_product = reservations.values("level__product").annotate(total=Sum("units"))
    return dict(by_product.values_list("level__product", "total"))


@transaction.atomic
def receive(
    *,
    location: Location,
    units_by_product: Mapping[int, int],
    reason: StockMovement.Reason,
    reference: str = "",
) -> None:
    """Add units on hand, with a movement for each product; create missing levels.

    `units_by_product`: product id → units, at least 1. Locks the location, then the stock levels in pk order,
    then the products. The location is locked because it may start to fill deliveries concurrently. The
    products are locked because locking a level protects nothing before it exists.
    """
    _lock_location(location)
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
    lock_products(units_by_product)
    update_sold_out(units_by_product)


@transaction.atomic
def receive_opening(*, location: Location, units_by_product: Mapping[int, int], reference: str = "") -> None:
    """Receive the first units of products without a stock level at a location; skip the other products.

    `units_by_product`: as in `receive`. Locks the location, so that the second of two concurrent imports
    sees the levels of the first; then as `receive`.
    """
    _lock_location(location)
    levels = StockLevel.objects.filter(location=location, product_id__in=units_by_product)
    existing = set(levels.values_list("product_id", flat=True))
    receive(
        location=location,
        units_by_product={pk: units for pk, units in units_by_product.items() if pk not in existing},
        reason=StockMovement.Reason.imported,
        reference=reference,
    )


@transaction.atomic
def set_counted(*, location: Location, units_by_product: Mapping[int, int], reference: str = "") -> None:
    """Set the units on hand to the counted units, with a movement for each product that differs.

    `units_by_product`: product id → units, including reserved units. Creates missing levels. Locks: as
    `receive`. If more units of a product are reserved than counted, raises ShopError(stock_insufficient) and
    changes nothing.
    """
    _lock_location(location)
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
    counted = [movement.level.product_id for movement in moved]
    lock_products(counted)
    update_sold_out(counted)


def _lock_location(location: Location) -> Location | None:
    """Lock a location until the transaction ends and return its current row; None if it is new."""
    return Location.objects.select_for_update(no_key=True).filter(pk=location.pk).first()
