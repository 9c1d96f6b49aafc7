"""Times in the shop's own zone, as shoppers read them (docs/wire.md#money-numbers-and-times)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

WIRE_FORMAT = "%d/%m/%Y %H:%M"


def shop_zone() -> ZoneInfo:
    """Return the time zone of the shop's opening hours and promotions."""
    return ZoneInfo(settings.TIME_ZONE)


def to_wire(moment: datetime) -> str:
    """Write a moment as `dd/MM/yyyy HH:mm` in the shop's zone."""
    return timezone.localtime(moment, shop_zone()).strftime(WIRE_FORMAT)


def from_wire(text: str) -> datetime:
    """Read `dd/MM/yyyy HH:mm` in the shop's zone; returns UTC.

    Raises ValueError for other text and as `in_shop_zone`.
    """
    return in_shop_zone(datetime.strptime(text, WIRE_FORMAT))


def in_shop_zone(naive: datetime) -> datetime:
    """Return the moment, in UTC, at which the shop's clocks show a time.

    Raises ValueError for a time that daylight saving skips; a time that comes twice is the later one.
    """
    moment = naive.replace(tzinfo=shop_zone(), fold=1).astimezone(UTC)
    if moment.astimezone(shop_zone()).replace(tzinfo=None) != naive:
        raise ValueError(f"{naive} does not exist in {settings.TIME_ZONE}")
    return moment
