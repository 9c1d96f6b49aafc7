"""Lists and books delivery windows of the van (docs/product.md#delivery-windows)."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import Exists, F
from django.utils import timezone
from django.utils.translation import gettext

from catalog.goods.listed import CartProduct
from commerce.delivery.freight import Region, goes_by_van
from commerce.delivery.models import DeliveryDayOff, DeliverySlot, DeliveryWindow
from commerce.delivery.windows import Window, windows
from core import clock
from core.counters import subtract
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages
from core.snapshots import SharedRows
from core.transactions import in_callers_transaction


@dataclass(frozen=True)
class BookedWindow:
    """A booking of a window: the row that counts bookings, and the window's end for this booking."""

    slot: DeliverySlot
    ends_at: datetime


def free_windows(
    *, region: Region, units: Sequence[tuple[CartProduct, int]]
) -> list[tuple[Window, int]] | None:
    """List the windows in which the van can deliver products, each with its number of free places.

    `units`: products with their units. Returns None if the van does not deliver them. Three queries.
    """
    if not goes_by_van(region, (product.storage for product, _ in units)):
        return None
    return _with_places(_offered())


def van_windows() -> tuple[Sequence[DeliveryWindow], Set[date]]:
    """Return the windows of a week, and the coming days without delivery.

    Two queries every SNAPSHOT_SECONDS.
    """
    return _windows.get()


def next_window() -> Window | None:
    """Return the next window of the van that has a free place; one query, and those of `van_windows`."""
    rows, days_off = _windows.get()
    free = _with_places(windows(rows, timezone.now(), days_off))
    return next((window for window, left in free if left), None)


@in_callers_transaction
def book_window(*, starts_at: datetime) -> BookedWindow:
    """Book a window for one order; concurrent bookings never exceed its capacity.

    If staff have changed the end since earlier bookings, this booking gets the new end, and all are counted.
    Four queries if the window has bookings. Locks: the slot's row. Raises ShopError(parameter_error, fields)
    if the window is not offered, and with a reason if it is full.
    """
    # In UTC, since Python treats local times in an hour that the clock repeats as unequal to all others.
    starts_at = starts_at.astimezone(UTC)
    window = _window_at(starts_at)
    if window is None:
        raise _refusal()
    row, _ = DeliverySlot.objects.get_or_create(
        starts_at=starts_at, defaults={"ends_at": window.ends_at, "capacity": window.capacity}
    )
    # The windows may have changed since the first booking: the new capacity applies, and the row is updated.
    taken = DeliverySlot.objects.filter(pk=row.pk, booked__lt=window.capacity).update(
        booked=F("booked") + 1, capacity=window.capacity
    )
    # The windows may also have changed while this booking waited for the row.
    now_offered = _window_at(starts_at)
    if now_offered is None:
        raise _refusal()
    if not taken or now_offered.capacity < window.capacity:
        raise _refusal(in_both_languages(lambda: gettext("This window is full. Please choose another one.")))
    return BookedWindow(row, now_offered.ends_at)


@in_callers_transaction
def release_windows(bookings_by_slot: Mapping[int, int]) -> None:
    """Cancel bookings of windows; call it once for each booking.

    `bookings_by_slot`: slot pk → bookings, at least 1. Locks: the slots in pk order.
    """
    subtract(DeliverySlot.objects.all(), "booked", bookings_by_slot)


def check_goes_by_van(*, region: Region, units: Sequence[tuple[CartProduct, int]]) -> None:
    """Raise ShopError(parameter_error, fields) if the van does not deliver products to a region."""
    if not goes_by_van(region, (product.storage for product, _ in units)):
        raise _refusal()


def _read() -> tuple[list[DeliveryWindow], set[date]]:
    today = timezone.localdate(timezone=clock.shop_zone())
    days_off = set(DeliveryDayOff.objects.filter(date__gte=today).values_list("date", flat=True))
    return list(DeliveryWindow.objects.all()), days_off


_windows = SharedRows(_read, DeliveryWindow, DeliveryDayOff)


def _offered() -> list[Window]:
    rows, days_off = _read()
    return windows(rows, timezone.now(), days_off)


def _with_places(offered: Sequence[Window]) -> list[tuple[Window, int]]:
    """Return windows with their numbers of free places; one query."""
    slots = DeliverySlot.objects.filter(starts_at__in=[window.starts_at for window in offered])
    booked = dict(slots.values_list("starts_at", "booked"))
    return [(window, max(0, window.capacity - booked.get(window.starts_at, 0))) for window in offered]


def _window_at(starts_at: datetime) -> Window | None:
    """Return the offered window that begins at a time, in UTC; one query."""
    begins = timezone.localtime(starts_at, clock.shop_zone())
    day_off = DeliveryDayOff.objects.filter(date=begins.date())
    rows = DeliveryWindow.objects.filter(~Exists(day_off), weekday=begins.weekday())
    return next((window for window in windows(rows, timezone.now()) if window.starts_at == starts_at), None)


def _refusal(why: TwoTexts | None = None) -> ShopError:
    return ShopError(Err.parameter_error, fields={"deliverySlot": Err.parameter_error.name}, why=why)
