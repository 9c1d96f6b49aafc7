"""Work on many rows is done in short transactions."""

import pytest
from django.db import connection

from core.batches import MIN_SIZE, short_batches

pytestmark = pytest.mark.both_databases


def sizes(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> list[int]:
    """Return the sizes of batches that take some seconds, one after the other."""
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    found = []
    for batch, lasts in zip(short_batches(range(100_000)), seconds, strict=False):
        found.append(len(batch))
        now += lasts
    return found


def test_batches_grow_until_one_takes_a_quarter_of_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sizes(monkeypatch, [0.01, 0.05, 0.25, 0.5, 0.25]) == [50, 100, 200, 200, 100]


def test_a_slow_batch_is_followed_by_smaller_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sizes(monkeypatch, [0.01, 0.01, 0.01, 9, 9, 9]) == [50, 100, 200, 400, 100, MIN_SIZE]


def test_only_sqlite_pauses_between_batches_for_its_waiting_writers(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    list(short_batches(range(MIN_SIZE)))
    # Longer than the 0.1 seconds after which a waiting writer tries again.
    assert [pause > 0.1 for pause in pauses] == ([True] if connection.vendor == "sqlite" else [])


def test_no_row_is_lost_or_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    assert [row for batch in short_batches(range(777)) for row in batch] == list(range(777))
    assert list(short_batches([])) == []
