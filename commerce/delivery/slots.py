"""When products can be picked up: the shop's hours, cut into slots of one hour."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from commerce.delivery.models import PickupHours
from core import clock

LENGTH = timedelta(hours=1)
# Picking needs two hours, and products are stored for a week at most.
EARLIEST = timedelta(hours=2)
LATEST = timedelta(days=7)


@dataclass(frozen=True)
class Slot:
    """One hour that may be booked, in UTC; `capacity` is the number of customers it can take."""

    starts_at: datetime
    capacity: int


def slots(hours: Iterable[PickupHours], now: datetime) -> list[Slot]:
    """List the hours from two hours to seven days after `now`, in order.

    Of an hour that the clock repeats the later one is meant; an hour that it skips does not appear.
    """
    by_weekday = {row.weekday: row for row in hours}
    today = timezone.localtime(now, clock.shop_zone()).date()
    found = []
    for day in (today + timedelta(days=n) for n in range(LATEST.days + 1)):
        row = by_weekday.get(day.weekday())
        if row is None:
            continue
        start, closes = datetime.combine(day, row.opens), datetime.combine(day, row.closes)
        while start + LENGTH <= closes:
            moment = _existing(start)
            if moment is not None and now + EARLIEST <= moment < now + LATEST:
                found.append(Slot(moment, row.per_hour))
            start += LENGTH
    return found


def _existing(naive: datetime) -> datetime | None:
    # Through the wire's text, since a slot that its text does not identify could be shown and never booked.
    try:
        return clock.from_wire(naive.strftime(clock.WIRE_FORMAT)).astimezone(UTC)
    except ValueError:
        return None
