"""A clock for tests of what is bounded in time."""

import time

import pytest

from core import due_rows


def pass_seconds(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Set the clock of the jobs ahead by some seconds."""
    monkeypatch.setattr(due_rows, "monotonic", lambda: time.monotonic() + seconds)


class TickingClock:
    """A clock that goes on by a number of seconds each time it is read."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._now = seconds, 0.0

    def __call__(self) -> float:
        """Return the time."""
        self._now += self._seconds
        return self._now
