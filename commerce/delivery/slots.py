"""Divides the opening hours of pick-up shops into slots of one hour."""

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
# The defaults: picking takes two hours, and picked products are stored for at most a week.
EARLIEST = timedelta(hours=DEFAULT_CUTOFF_HOURS)
LATEST = timedelta(days=7)


@dataclass(frozen=True)
class Slot:
    """One hour that can be booked, in UTC; `capacity`: maximum number of customers."""

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

    `exceptions`: of this shop and of every shop. They replace the weekday's hours on their dates; the shop's
    own come before those of every shop. If the clock repeats an hour, the later one is offered; an hour that
    the clock skips is left out.
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
    """Return date → exception that applies, in order; a shop's own comes before that of every shop."""
    return {row.date: row for row in sorted(exceptions, key=lambda row: (row.date, row.shop_id is not None))}


def slots_of(shop: PickupShop, exceptions: Iterable[PickupException], now: datetime) -> list[Slot]:
    """List the hours of a shop that can be booked, in order; one query unless its hours are prefetched.

    `exceptions`: of all shops.
    """
    own = exceptions_of(shop, exceptions)
    return slots(shop.hours.all(), now, exceptions=own, cutoff=timedelta(hours=shop.cutoff_hours))


def exceptions_of(shop: PickupShop, exceptions: Iterable[PickupException]) -> list[PickupException]:
    """Return the exceptions that apply to a shop: its own and those of every shop."""
    return [row for row in exceptions if row.shop_id in (None, shop.pk)]


def coming_exceptions() -> list[PickupException]:
    """Return the exceptions of all shops from today on; one query."""
    today = timezone.localdate(timezone=clock.shop_zone())
    return list(PickupException.objects.filter(date__gte=today))
