from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from django.utils import translation
from pytest_django import Settings

from commerce.delivery.models import PickupException, PickupHours
from commerce.delivery.serializers import opening_hours
from commerce.delivery.slots import slots
from core import clock


def make_hours(weekday: int, opens: str = "09:00", closes: str = "17:00", per_hour: int = 10) -> PickupHours:
    return PickupHours(
        weekday=weekday,
        opens=time.fromisoformat(opens),
        closes=time.fromisoformat(closes),
        per_hour=per_hour,
    )


def perth(text: str) -> datetime:
    return clock.from_wire(text)


def times(hours: list[PickupHours], now: datetime) -> list[str]:
    return [clock.to_wire(slot.starts_at) for slot in slots(hours, now)]


# 23/11/2026 is a Monday.
def test_slots_are_the_whole_hours_of_the_shops_days() -> None:
    found = slots([make_hours(1, "09:30", "12:00", per_hour=3)], perth("23/11/2026 08:00"))
    assert [clock.to_wire(slot.starts_at) for slot in found] == ["24/11/2026 09:30", "24/11/2026 10:30"]
    assert {slot.capacity for slot in found} == {3}


def test_the_first_slot_is_two_hours_away_and_the_last_within_seven_days() -> None:
    found = times([make_hours(0)], perth("23/11/2026 10:01"))
    assert found[0] == "23/11/2026 13:00"
    assert found[-1] == "30/11/2026 10:00"
    assert times([make_hours(0)], perth("23/11/2026 10:00"))[0] == "23/11/2026 12:00"
    assert times([make_hours(0)], perth("23/11/2026 10:00"))[-1] == "30/11/2026 09:00"


def test_on_a_holiday_a_shop_is_closed_or_open_at_other_hours() -> None:
    now, monday = perth("22/11/2026 12:00"), date(2026, 11, 23)
    closed = PickupException(date=monday)
    short = PickupException(shop_id=1, date=monday, opens=time(10), closes=time(12))
    shown = partial(slots, [make_hours(0, per_hour=3)], now)
    assert shown(exceptions=[closed]) == []
    # That of the shop itself goes before that of all.
    for exceptions in ([closed, short], [short, closed]):
        found = shown(exceptions=exceptions)
        assert [(clock.to_wire(slot.starts_at), slot.capacity) for slot in found] == [
            ("23/11/2026 10:00", 3),
            ("23/11/2026 11:00", 3),
        ]
    sunday = PickupException(date=date(2026, 11, 29), opens=time(10), closes=time(11))
    assert clock.to_wire(shown(exceptions=[sunday])[-1].starts_at) == "29/11/2026 10:00"


def test_an_hour_can_be_booked_until_the_shop_begins_to_prepare_it() -> None:
    now = perth("23/11/2026 10:00")
    first, *_ = slots([make_hours(0)], now, cutoff=timedelta(hours=6))
    assert clock.to_wire(first.starts_at) == "23/11/2026 16:00"


def test_slots_are_in_order_over_the_week() -> None:
    now = perth("27/11/2026 20:00")
    found = slots([make_hours(day) for day in range(7)], now)
    assert [slot.starts_at for slot in found] == sorted(slot.starts_at for slot in found)
    assert len(found) == 7 * 8
    assert all(now + timedelta(hours=2) <= slot.starts_at < now + timedelta(days=7) for slot in found)


def test_a_shop_without_hours_has_no_slots() -> None:
    assert slots([], perth("23/11/2026 10:00")) == []


def test_an_hour_the_clock_skips_does_not_appear(settings: Settings) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    found = times([make_hours(6, "01:00", "05:00")], datetime(2027, 10, 1, tzinfo=UTC))
    assert found == ["03/10/2027 01:00", "03/10/2027 03:00", "03/10/2027 04:00"]


def test_an_hour_the_clock_repeats_appears_once_and_is_the_later_one(settings: Settings) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    found = slots([make_hours(6, "01:00", "05:00")], datetime(2027, 4, 2, tzinfo=UTC))
    hours = [clock.to_wire(slot.starts_at) for slot in found]
    assert hours == ["04/04/2027 01:00", "04/04/2027 02:00", "04/04/2027 03:00", "04/04/2027 04:00"]
    assert found[1].starts_at == datetime(2027, 4, 3, 16, tzinfo=UTC)


def test_opening_hours_group_days_with_equal_hours() -> None:
    week = [make_hours(day) for day in (0, 1, 2, 4)] + [make_hours(5, "10:00", "16:00")]
    assert opening_hours(week) == "Mon–Wed 09:00–17:00 · Fri 09:00–17:00 · Sat 10:00–16:00"
    assert opening_hours([]) == ""


def test_the_opening_hours_name_the_dates_with_other_hours() -> None:
    christmas = PickupException(date=date(2026, 12, 25))
    eve = PickupException(date=date(2026, 12, 24), opens=time(10), closes=time(14))
    week = [make_hours(day) for day in range(7)]
    text = "Mon–Sun 09:00–17:00 · 24 December 10:00–14:00 · 25 December closed"
    assert opening_hours(week, [eve, christmas]) == text
    with translation.override("zh-hans"):
        assert opening_hours([], [christmas]) == "12月25日休息"
