"""Times in the shop's time zone, as shoppers read them (docs/wire.md#money-numbers-and-times)."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

WIRE_FORMAT = "%d/%m/%Y %H:%M"
# A stored end that exceeds its maximum by more than this was set before the system clock was set back.
# Smaller differences come from other hosts, or from callers that read the clock before they got the lock.
SET_BACK = timedelta(minutes=1)
# The cities after which Australia's time zones are named, for their Chinese names.
CITIES = {
    "Adelaide": _("Adelaide"),
    "Brisbane": _("Brisbane"),
    "Darwin": _("Darwin"),
    "Hobart": _("Hobart"),
    "Melbourne": _("Melbourne"),
    "Perth": _("Perth"),
    "Sydney": _("Sydney"),
}


def shop_zone() -> ZoneInfo:
    """Return the time zone of the shop's opening hours and promotions."""
    return ZoneInfo(settings.TIME_ZONE)


def to_wire(moment: datetime) -> str:
    """Return a time as `dd/MM/yyyy HH:mm` in the shop's time zone."""
    return timezone.localtime(moment, shop_zone()).strftime(WIRE_FORMAT)


def moment_text(moment: datetime) -> str:
    """Return a time in the shop's time zone as text in the active language."""
    return date_format(timezone.localtime(moment, shop_zone()), "SHORT_DATETIME_FORMAT")


def zone_text() -> str:
    """Return the name of the shop's time zone in the active language, by its city: Perth time."""
    city = settings.TIME_ZONE.rpartition("/")[2].replace("_", " ")
    return gettext("%(city)s time") % {"city": CITIES.get(city, city)}


def moment_in_zone_text(moment: datetime) -> str:
    """Return a time in the shop's time zone with the zone's name: 5 Dec 2026, 18:00 Perth time."""
    return f"{moment_text(moment)} {zone_text()}"


def period_text(starts: datetime, ends: datetime) -> str:
    """Return a period within one day as text in the active language, in the shop's time zone."""
    return f"{moment_text(starts)}–{timezone.localtime(ends, shop_zone()):%H:%M}"


def from_wire(text: str) -> datetime:
    """Parse `dd/MM/yyyy HH:mm` in the shop's time zone and return it in UTC.

    Raises ValueError for other texts, and for times that daylight saving skips or the calendar lacks.
    """
    try:
        return in_zone(datetime.strptime(text, WIRE_FORMAT), shop_zone())
    except OverflowError as error:
        raise ValueError(text) from error


def of_shop_time(naive: datetime) -> datetime | None:
    """Return the UTC time at which the shop's clocks show a time; None if daylight saving skips it.

    If the clocks show a time twice, the later one is returned.
    """
    # Via the text of the wire, because a time that this text does not identify could never be booked.
    try:
        return from_wire(naive.strftime(WIRE_FORMAT))
    except ValueError:
        return None


def in_zone(naive: datetime, zone: tzinfo) -> datetime:
    """Return the UTC time at which clocks in a time zone show a time.

    If the clocks show a time twice, the later one is returned. Raises ValueError for a time that daylight
    saving skips, and OverflowError for one that is outside the calendar in UTC.
    """
    moment = naive.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) != naive:
        raise ValueError(f"{naive} does not exist in {zone}")
    return moment
