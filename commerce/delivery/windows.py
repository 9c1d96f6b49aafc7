"""Lists the van's delivery windows on the coming days.

See docs/product.md#delivery-windows.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from commerce.delivery.models import DeliveryWindow
from core import clock

# Windows can be booked this far ahead.
LATEST = timedelta(days=7)


@dataclass(frozen=True)
class Window:
    """One window on one day that can be booked, in UTC; `capacity`: maximum number of orders."""

    starts_at: datetime
    ends_at: datetime
    capacity: int


def windows(rows: Iterable[DeliveryWindow], now: datetime, days_off: Collection[date] = ()) -> list[Window]:
    """List the windows from their cut-off to seven days after `now`, in order.

    A window that begins or ends in an hour that the clock skips is left out. In an hour that the clock
    repeats, the later time is meant.
    """
    by_weekday: dict[int, list[DeliveryWindow]] = {}
    for row in rows:
        by_weekday.setdefault(row.weekday, []).append(row)
    today = timezone.localtime(now, clock.shop_zone()).date()
    found = []
    for day in (today + timedelta(days=n) for n in range(LATEST.days + 1)):
        if day in days_off:
            continue
        for row in by_weekday.get(day.weekday(), []):
            starts_at = clock.of_shop_time(datetime.combine(day, row.starts))
            ends_at = clock.of_shop_time(datetime.combine(day, row.ends))
            if starts_at is None or ends_at is None:
                continue
            if now + timedelta(hours=row.cutoff_hours) <= starts_at < now + LATEST:
                found.append(Window(starts_at, ends_at, row.capacity))
    return sorted(found, key=lambda window: window.starts_at)
