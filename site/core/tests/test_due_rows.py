from uuid import uuid4

import pytest
from django.db import OperationalError
from django.utils import timezone

from core import due_rows
from core.due_rows import (
    MAX_WAIT_SECONDS,
    MIN_WAIT_SECONDS,
    delete_in_batches,
    process_due_batches,
    process_due_rows,
    process_in_batches,
)
from core.models import Lease
from core.tests.clocks import TickingClock, pass_seconds

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
# Any rows do: leases have a key and nothing else that matters here.
ROWS = Lease.objects.order_by("name")


@pytest.fixture
def rows() -> list[str]:
    """Make six rows; returns their keys in order."""
    names = list("abcdef")
    Lease.objects.bulk_create(Lease(name=name, holder=uuid4(), ends_at=timezone.now()) for name in names)
    return names


class Work:
    """Work that fails for some keys and remembers what it was called with."""

    def __init__(self, *bad: str) -> None:
        self.bad, self.tried = set(bad), list[str]()

    def __call__(self, key: str) -> None:
        self.tried.append(key)
        if key in self.bad:
            raise RuntimeError

    def batch(self, keys: list[str]) -> int:
        """Work on several in one call: all or none."""
        if self.bad.isdisjoint(keys):
            self.tried += keys
            return len(keys)
        raise RuntimeError


def test_a_job_goes_on_past_rows_that_fail_and_shows_which(
    rows: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    work = Work("a", "c")
    assert process_due_rows("test", ROWS, work) == 4
    assert work.tried == rows
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "test: row a failed",
        "test: row c failed",
        "test: 2 rows failed, 4 done",
    ]


def test_rows_of_one_batch_are_tried_alone_if_one_of_them_fails(
    rows: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    work = Work("c")
    assert process_due_batches("test", ROWS, work.batch) == 5
    assert work.tried == ["a", "b", "d", "e", "f"]
    assert "test: row c failed" in caplog.messages
    # It is left out, so that the others can go together again.
    work.tried.clear()
    together = list[list[str]]()

    def note(keys: list[str]) -> int:
        together.append(keys)
        return work.batch(keys)

    assert process_due_batches("test", ROWS, note) == 5
    assert together == [["a", "b", "d", "e", "f"]]


def test_a_batch_that_fails_leaves_the_other_batches_their_turn_first(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.batches.MIN_SIZE", 2)
    monkeypatch.setattr("core.batches.MAX_SIZE", 2)
    work = Work("a", "e")
    assert process_due_batches("test", ROWS, work.batch) == 4
    assert work.tried == ["c", "d", "f", "b"]


def test_a_row_that_needs_nothing_is_not_counted(rows: list[str]) -> None:
    assert process_due_rows("test", ROWS, lambda key: key == "a") == 1


def test_a_row_that_failed_is_tried_later_each_time_after_twice_the_wait(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work("a")
    tries = []
    for minute in range(130):
        pass_seconds(monkeypatch, minute * 60)
        before = work.tried.count("a")
        process_due_rows("test", ROWS.filter(name="a"), work)
        if work.tried.count("a") > before:
            tries.append(minute)
    assert (MIN_WAIT_SECONDS, MAX_WAIT_SECONDS) == (60, 3600)
    assert tries == [0, 1, 3, 7, 15, 31, 63, 123]


def test_a_row_that_failed_with_the_database_out_of_reach_is_tried_in_the_next_run_after_the_others(
    rows: list[str],
) -> None:
    tried = []

    def work(key: str) -> None:
        tried.append(key)
        if tried == ["a"]:
            raise OperationalError("the connection is closed")

    assert process_due_rows("test", ROWS.filter(name__in="ab"), work) == 1
    assert process_due_rows("test", ROWS.filter(name__in="abc"), work) == 3
    assert tried == ["a", "b", "b", "c", "a"]


def test_a_wait_begins_at_its_least_although_the_database_was_out_of_reach_before(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, counts = list[str](), list[int]()

    def fail(key: str) -> None:
        tried.append(key)
        raise OperationalError if len(tried) == 1 else RuntimeError

    for second in (0, 1, 60, 61):
        pass_seconds(monkeypatch, second)
        process_due_rows("test", ROWS.filter(name="a"), fail)
        counts.append(len(tried))
    assert counts == [1, 2, 2, 3]


def test_any_number_of_bad_rows_at_the_head_leaves_the_good_ones_their_turn(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due_rows, "BATCH", 2)
    work = Work("a", "b", "c", "d")
    assert process_due_rows("test", ROWS, work) == 2
    assert work.tried == rows
    # Even where they may be tried again, it is after the others.
    pass_seconds(monkeypatch, 3600)
    assert process_due_rows("test", ROWS, work) == 2
    assert work.tried[6:] == ["e", "f", "a", "b", "c", "d"]


@pytest.mark.parametrize("process", ["rows", "batches"])
def test_a_run_works_on_batch_by_batch_until_no_row_is_due(
    rows: list[str], monkeypatch: pytest.MonkeyPatch, process: str
) -> None:
    monkeypatch.setattr(due_rows, "BATCH", 2)
    work = Work()

    def end(keys: list[str]) -> int:
        ROWS.filter(name__in=keys).delete()
        return work.batch(keys)

    if process == "rows":
        assert process_due_rows("test", ROWS, lambda key: end([key])) == 6
    else:
        assert process_due_batches("test", ROWS, end) == 6
    assert work.tried == rows


def test_a_run_has_no_limit_but_its_time() -> None:
    names = [f"{number:04}" for number in range(1_201)]
    Lease.objects.bulk_create(Lease(name=name, holder=uuid4(), ends_at=timezone.now()) for name in names)
    work = Work()
    assert process_due_rows("test", ROWS, work) == 1_201
    assert process_due_batches("test", ROWS, work.batch) == 1_201
    assert work.tried == names * 2


def test_rows_that_stay_due_are_done_once_a_run_and_hide_no_others(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due_rows, "BATCH", 2)
    work = Work()
    assert process_due_rows("test", ROWS, work) == 6
    assert work.tried == rows


def test_the_end_of_its_time_ends_a_run_between_batches(
    rows: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(due_rows, "BATCH", 2)
    monkeypatch.setattr(due_rows, "monotonic", TickingClock(10))
    work = Work()
    assert process_due_rows("test", ROWS, work, seconds=45) == 4
    assert work.tried == ["a", "b", "c", "d"]
    assert "test: out of time, the next run goes on" in caplog.messages


def test_a_row_that_works_again_is_like_any_other(rows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work("a")
    process_due_rows("test", ROWS, work)
    work.bad.clear()
    pass_seconds(monkeypatch, MIN_WAIT_SECONDS)
    assert process_due_rows("test", ROWS, work) == 6
    assert process_due_rows("test", ROWS, work) == 6
    assert work.tried[-6:] == rows


def test_the_end_of_its_time_ends_a_process(rows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_rows, "monotonic", TickingClock(10))
    work = Work()
    assert process_due_rows("test", ROWS, work, seconds=25) == 2
    assert work.tried == ["a", "b"]


def test_a_batch_that_fails_is_done_row_by_row(
    rows: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(due_rows, "BATCH", 4)
    work = Work("b")
    assert process_in_batches("test", ROWS, work.batch) == 5
    assert sorted(work.tried) == ["a", "c", "d", "e", "f"]
    assert "test: row b failed" in caplog.messages


def test_the_end_of_its_time_ends_the_deleting(rows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(due_rows, "BATCH", 2)
    monkeypatch.setattr(due_rows, "monotonic", TickingClock(10))
    assert delete_in_batches(ROWS, seconds=25) == 4
    assert list(ROWS.values_list("name", flat=True)) == ["e", "f"]
    assert delete_in_batches(ROWS, seconds=25) == 2
