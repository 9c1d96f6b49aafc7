"""Times in the shop's own zone, as shoppers read them (docs/wire.md#money-numbers-and-times)."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

WIRE_FORMAT = "%d/%m/%Y %H:%M"
# An end that is later than it can be by more than this was set before the clock was set back. A smaller
# difference may come from another host, or from a caller that read the clock later but got the lock first.
SET_BACK = timedelta(minutes=1)
# The cities that Australia's zones are named after, for their Chinese names.
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
    """Write a moment as `dd/MM/yyyy HH:mm` in the shop's zone."""
    return timezone.localtime(moment, shop_zone()).strftime(WIRE_FORMAT)


def moment_text(moment: datetime) -> str:
    """Write a moment for readers of the active language, in the shop's zone."""
    return date_format(timezone.localtime(moment, shop_zone()), "SHORT_DATETIME_FORMAT")


def zone_text() -> str:
    """Name the shop's zone for readers of the active language, after its city: Perth time."""
    city = settings.TIME_ZONE.rpartition("/")[2].replace("_", " ")
    return gettext("%(city)s time") % {"city": CITIES.get(city, city)}


def period_text(starts: datetime, ends: datetime) -> str:
    """Write a period within one day for readers of the active language, in the shop's zone."""
    return f"{moment_text(starts)}–{timezone.localtime(ends, shop_zone()):%H:%M}"


def from_wire(text: str) -> datetime:
    """Read `dd/MM/yyyy HH:mm` in the shop's zone; returns UTC.

    Raises ValueError for other text, and for a time that daylight saving skips or the calendar lacks.
    """
    try:
        return in_zone(datetime.strptime(text, WIRE_FORMAT), shop_zone())
    except OverflowError as error:
        raise ValueError(text) from error


def of_shop_time(naive: datetime) -> datetime | None:
    """Return the moment, in UTC, at which the shop's clocks show a time; None where they skip it.

    A time that comes twice is the later one.
    """
    # Through the wire's text, since what its text does not identify could be shown and never booked.
    try:
        return from_wire(naive.strftime(WIRE_FORMAT))
    except ValueError:
        return None


def in_zone(naive: datetime, zone: tzinfo) -> datetime:
    """Return the moment, in UTC, at which the clocks of a zone show a time.

    A time that comes twice is the later one. Raises ValueError for a time that daylight saving skips, and
    OverflowError for one whose moment the calendar lacks.
    """
    moment = naive.replace(tzinfo=zone, fold=1).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) != naive:
        raise ValueError(f"{naive} does not exist in {zone}")
    return moment
