"""Times in the shop's own zone, as shoppers read them (CONTRACT 1)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

WIRE_FORMAT = "%d/%m/%Y %H:%M"


def shop_zone() -> ZoneInfo:
    """Return the zone the shop's opening hours and promotions are told in."""
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

    Raises ValueError for a time the clock skips; of a time that comes twice, the later one is meant.
    """
    moment = naive.replace(tzinfo=shop_zone(), fold=1).astimezone(UTC)
    if moment.astimezone(shop_zone()).replace(tzinfo=None) != naive:
        raise ValueError(f"{naive} does not exist in {settings.TIME_ZONE}")
    return moment
