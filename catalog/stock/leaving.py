"""Ends reservations, completely or in part (docs/guarantees/orders.md#stock)."""

from django.db import IntegrityError
from django.db.models import F

from catalog.stock.models import Reservation


def end_held(reservation: Reservation, units: int, state: Reservation.State) -> None:
    """Mark units of a held reservation as shipped or released; the remaining units stay held.

    `units`: between 1 and the units of the reservation. The caller locks the row and updates its stock level.
    Raises IntegrityError if the reservation has changed since it was read.
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
