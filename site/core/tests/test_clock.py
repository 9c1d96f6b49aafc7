from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings

from core.clock import from_wire, to_wire


def test_wire_time_is_in_the_shops_zone() -> None:
    assert to_wire(datetime(2026, 11, 30, 15, 59, tzinfo=UTC)) == "30/11/2026 23:59"
    assert from_wire("30/11/2026 23:59") == datetime(2026, 11, 30, 15, 59, tzinfo=UTC)


@override_settings(TIME_ZONE="Australia/Sydney")
def test_of_a_repeated_hour_the_later_is_meant_and_a_skipped_hour_is_refused() -> None:
    assert from_wire("04/04/2027 02:30") == datetime(2027, 4, 3, 16, 30, tzinfo=UTC)
    with pytest.raises(ValueError, match="does not exist"):
        from_wire("03/10/2027 02:30")


@override_settings(TIME_ZONE="Australia/Perth")
def test_where_no_clock_changes_every_time_comes_once() -> None:
    for day in ("04/04/2027", "03/10/2027"):
        first = from_wire(f"{day} 00:00")
        for hour in range(24):
            moment = from_wire(f"{day} {hour:02}:30")
            assert moment == first + timedelta(hours=hour, minutes=30)
            assert to_wire(moment) == f"{day} {hour:02}:30"


def test_an_invalid_time_is_refused(subtests: pytest.Subtests) -> None:
    for text in ["", "2026-11-30", "31/02/2026 10:00", "30/11/2026", "30/11/2026 24:00", "01/01/0001 00:00"]:
        with subtests.test(text=text), pytest.raises(ValueError, match=r".+"):
            from_wire(text)
