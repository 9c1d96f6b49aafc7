"""When products can be picked up: the shop's hours, cut into slots of one hour."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from commerce.delivery.models import (
    DEFAULT_CUTOFF_HOURS,
    DEFAULT_PER_HOUR,
    PickupException,
    PickupHours,
    PickupShop,
)
from core import clock

LENGTH = timedelta(hours=1)
# The defaults: picking needs two hours, and products are stored for a week at most.
EARLIEST = timedelta(hours=DEFAULT_CUTOFF_HOURS)
LATEST = timedelta(days=7)


@dataclass(frozen=True)
class Slot:
    """One hour that may be booked, in UTC; `capacity` is the number of customers it can take."""

    starts_at: datetime
    capacity: int


def slots(
    hours: Iterable[PickupHours],
    now: datetime,
    *,
    exceptions: Iterable[PickupException] = (),
    cutoff: timedelta = EARLIEST,
) -> list[Slot]:
    """List the hours from the cut-off to seven days after `now`, in order.

    `exceptions`: of this shop and of all of them; on their dates they replace the hours of the weekday, and
    those of the shop itself replace those of all. Of an hour that the clock repeats the later one is meant;
    an hour that it skips does not appear.
    """
    by_weekday = {row.weekday: row for row in hours}
    by_date = exceptions_by_date(exceptions)
    today = timezone.localtime(now, clock.shop_zone()).date()
    found = []
    for day in (today + timedelta(days=n) for n in range(LATEST.days + 1)):
        row, exception = by_weekday.get(day.weekday()), by_date.get(day)
        opens, closes = (row.opens, row.closes) if row else (None, None)
        if exception:
            opens, closes = exception.opens, exception.closes
        if opens is None or closes is None:
            continue
        per_hour = row.per_hour if row else DEFAULT_PER_HOUR
        start, end = datetime.combine(day, opens), datetime.combine(day, closes)
        while start + LENGTH <= end:
            moment = clock.of_shop_time(start)
            if moment is not None and now + cutoff <= moment < now + LATEST:
                found.append(Slot(moment, per_hour))
            start += LENGTH
    return found


def exceptions_by_date(exceptions: Iterable[PickupException]) -> dict[date, PickupException]:
    """Return the one that applies on each date, in order: that of a shop itself goes before that of all."""
    return {row.date: row for row in sorted(exceptions, key=lambda row: (row.date, row.shop_id is not None))}


def slots_of(shop: PickupShop, exceptions: Iterable[PickupException], now: datetime) -> list[Slot]:
    """List the hours of a shop that may be booked, in order; a query unless its hours are prefetched.

    `exceptions`: those of every shop.
    """
    own = exceptions_of(shop, exceptions)
    return slots(shop.hours.all(), now, exceptions=own, cutoff=timedelta(hours=shop.cutoff_hours))


def exceptions_of(shop: PickupShop, exceptions: Iterable[PickupException]) -> list[PickupException]:
    """Return the exceptions that are a shop's own or of all shops."""
    return [row for row in exceptions if row.shop_id in (None, shop.pk)]


def coming_exceptions() -> list[PickupException]:
    """Return the exceptions of all shops, from today on; one query."""
    today = timezone.localdate(timezone=clock.shop_zone())
    return list(PickupException.objects.filter(date__gte=today))
