"""The windows of the van (docs/product.md#delivery-windows)."""

import time as clock_time
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone, translation
from pytest_django import Settings

from commerce.delivery.models import DeliveryDayOff, DeliverySlot, DeliveryWindow, PickupException
from commerce.delivery.services import BookedWindow, book_window, release_windows
from commerce.delivery.tests.builders import make_windows
from commerce.delivery.windows import windows
from core import clock
from core.errors import Err, ShopError
from core.tests.threads import before_commit, concurrently


def make_window(weekday: int = 0, starts: str = "09:00", ends: str = "12:00", **kw: Any) -> DeliveryWindow:
    return DeliveryWindow(
        weekday=weekday, starts=time.fromisoformat(starts), ends=time.fromisoformat(ends), **kw
    )


def begins(rows: list[DeliveryWindow], now: str, *days_off: date) -> list[str]:
    return [clock.to_wire(each.starts_at) for each in windows(rows, clock.from_wire(now), days_off)]


# 23/11/2026 is a Monday.
def test_windows_are_offered_in_order_from_their_cut_off_to_seven_days_ahead() -> None:
    afternoon, morning = make_window(starts="13:00", ends="17:00"), make_window(cutoff_hours=2)
    rows = [afternoon, morning]
    assert begins(rows, "22/11/2026 23:00") == ["23/11/2026 09:00", "23/11/2026 13:00"]
    assert begins(rows, "23/11/2026 07:00") == ["23/11/2026 09:00"]
    assert begins(rows, "23/11/2026 07:01") == []
    assert begins(rows, "23/11/2026 09:01") == ["30/11/2026 09:00"]


def test_on_a_day_off_no_window_is_offered() -> None:
    rows = [make_window(day) for day in range(7)]
    found = begins(rows, "22/11/2026 12:00", date(2026, 11, 24))
    assert "23/11/2026 09:00" in found
    assert "24/11/2026 09:00" not in found


def test_a_window_that_begins_as_the_clock_skips_an_hour_does_not_appear(settings: Settings) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    rows = [make_window(6, "02:30", "04:00"), make_window(6, "03:30", "04:00")]
    found = windows(rows, datetime(2027, 10, 1, tzinfo=UTC))
    assert [clock.to_wire(each.starts_at) for each in found] == ["03/10/2027 03:30"]


def last_offered() -> datetime:
    return windows(DeliveryWindow.objects.all(), timezone.now())[-1].starts_at


def refused(starts_at: datetime, *, is_full: bool = False) -> bool:
    with pytest.raises(ShopError) as refusal:
        book_window(starts_at=starts_at)
    error = refusal.value
    assert (error.err, error.fields) == (Err.parameter_error, {"deliverySlot": "parameter_error"})
    return (error.why is not None) == is_full


@pytest.mark.django_db
def test_only_an_offered_window_can_be_booked() -> None:
    make_windows()
    starts_at = last_offered()
    for wrong in (starts_at + timedelta(minutes=30), starts_at + timedelta(days=30), timezone.now()):
        assert refused(wrong)
    DeliveryDayOff.objects.create(date=timezone.localdate(starts_at, clock.shop_zone()))
    assert refused(starts_at)
    assert not DeliverySlot.objects.exists()


@pytest.mark.django_db
def test_a_day_off_lasts_until_the_day_ends_where_the_shop_is(settings: Settings) -> None:
    settings.TIME_ZONE = "America/New_York"
    make_windows(starts=time(22), ends=time(23), cutoff_hours=0)
    DeliveryDayOff.objects.create(date=date(2026, 11, 23))
    # In UTC it is the 24th already.
    with time_machine.travel("2026-11-23T21:00:00-05:00", tick=False):
        assert refused(clock.from_wire("23/11/2026 22:00"))
    assert not DeliverySlot.objects.exists()


@pytest.mark.django_db
def test_a_changed_capacity_applies_to_a_window_that_has_bookings() -> None:
    make_windows(capacity=3)
    starts_at = last_offered()
    first = book_window(starts_at=starts_at)
    assert book_window(starts_at=starts_at) == first
    DeliveryWindow.objects.update(capacity=1)
    assert refused(starts_at, is_full=True)
    DeliveryWindow.objects.update(capacity=3)
    book_window(starts_at=starts_at)
    assert refused(starts_at, is_full=True)
    release_windows({first.slot.pk: 1})
    book_window(starts_at=starts_at)


@pytest.mark.django_db
def test_a_changed_end_is_that_of_new_bookings_and_all_count_together() -> None:
    make_windows(capacity=2)
    starts_at = last_offered()
    first = book_window(starts_at=starts_at)
    later = (timezone.localtime(first.ends_at, clock.shop_zone()) + timedelta(minutes=30)).time()
    DeliveryWindow.objects.update(ends=later)
    second = book_window(starts_at=starts_at)
    assert (second.slot, second.ends_at - first.ends_at) == (first.slot, timedelta(minutes=30))
    assert refused(starts_at, is_full=True)
    assert DeliverySlot.objects.get().booked == 2


@pytest.mark.django_db(transaction=True)
def test_100_bookings_at_the_same_time_of_a_window_of_8_give_8() -> None:
    make_windows(capacity=8)
    starts_at = last_offered()

    outcomes = concurrently(lambda _: book_window(starts_at=starts_at), range(100))

    assert sum(isinstance(outcome, BookedWindow) for outcome in outcomes) == 8
    assert outcomes.count(Err.parameter_error) == 92
    assert DeliverySlot.objects.get().booked == 8


@pytest.mark.django_db(transaction=True)
def test_control_reading_and_then_saving_overbooks_a_window() -> None:
    slot = DeliverySlot.objects.create(starts_at=timezone.now(), ends_at=timezone.now(), capacity=8)

    def book(_: int) -> bool:
        row = DeliverySlot.objects.get(pk=slot.pk)
        if row.booked >= row.capacity:
            return False
        # Time for another order between reading and saving.
        clock_time.sleep(0.002)
        DeliverySlot.objects.filter(pk=row.pk).update(booked=row.booked + 1)
        return True

    assert sum(outcome is True for outcome in concurrently(book, range(100))) > 8


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["capacity", "day off"])
def test_what_staff_change_while_a_booking_waits_holds_for_it(change: str) -> None:
    make_windows(capacity=3)
    starts_at = last_offered()
    first = book_window(starts_at=starts_at)

    def change_and_release() -> None:
        if change == "capacity":
            DeliveryWindow.objects.update(capacity=0)
        else:
            DeliveryDayOff.objects.create(date=timezone.localdate(starts_at, clock.shop_zone()))
        release_windows({first.slot.pk: 1})

    def is_refused() -> bool:
        return refused(starts_at, is_full=change == "capacity")

    assert before_commit(change_and_release, is_refused) == [None, True]
    assert DeliverySlot.objects.get().booked == 0


def test_a_day_is_named_in_the_readers_language(subtests: pytest.Subtests) -> None:
    christmas = date(2026, 12, 25)
    for language, day, everywhere in (
        ("en", "25 Dec 2026", "25 Dec 2026 every shop"),
        ("zh-hans", "2026年12月25日", "2026年12月25日 所有门店"),
    ):
        with subtests.test(language=language), translation.override(language):
            assert str(DeliveryDayOff(date=christmas)) == day
            assert str(PickupException(date=christmas)) == everywhere
