"""Reservations whose units leave, all of them or a part (docs/guarantees.md#stock)."""

from django.db import IntegrityError
from django.db.models import F

from catalog.stock.models import Reservation


def ship_held(reservation: Reservation, units: int) -> None:
    """Turn units of a reservation that is held into shipped ones; what is left of it stays held.

    `units`: from 1 to those of the reservation. The caller has locked the row, and changes its level: raises
    IntegrityError where it has changed meanwhile.
    """
    mine = Reservation.objects.filter(
        pk=reservation.pk, state=Reservation.State.held, units=reservation.units
    )
    if units == reservation.units:
        changed = mine.update(state=Reservation.State.shipped)
    else:
        changed = mine.update(units=F("units") - units)
        Reservation.objects.create(
            level_id=reservation.level_id,
            units=units,
            reference=reservation.reference,
            state=Reservation.State.shipped,
        )
    if not changed:
        raise IntegrityError("units were shipped meanwhile")
