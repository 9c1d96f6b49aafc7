"""Reservations that end, all their units or a part of them (docs/guarantees/orders.md#stock)."""

from django.db import IntegrityError
from django.db.models import F

from catalog.stock.models import Reservation


def end_held(reservation: Reservation, units: int, state: Reservation.State) -> None:
    """Turn units of a reservation that is held into shipped or released ones; what is left stays held.

    `units`: from 1 to those of the reservation. The caller has locked the row, and changes its level: raises
    IntegrityError where it has changed in the meantime.
    """
    mine = Reservation.objects.filter(
        pk=reservation.pk, state=Reservation.State.held, units=reservation.units
    )
    if units == reservation.units:
        changed = mine.update(state=state)
    else:
        changed = mine.update(units=F("units") - units)
        Reservation.objects.create(
            level_id=reservation.level_id,
            units=units,
            reference=reservation.reference,
            state=state,
        )
    if not changed:
        raise IntegrityError("units were shipped or released in the meantime")
