"""Threads that need the same facts while the database is out of reach (docs/guarantees.md#waiting)."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Semaphore

import pytest
from django.db import DataError, Error, OperationalError

from core.snapshots import SharedSnapshot


def never(_value: object) -> bool:
    return False


class Facts:
    """Facts whose first reading fails with an error, once `fail` is set."""

    def __init__(self, error: Error) -> None:
        self.fail, self.is_reading, self.readings = Event(), Semaphore(0), 0
        self._error = error
        self._shared: SharedSnapshot[str] = SharedSnapshot()

    def ask(self) -> str:
        return self._shared.get(self._read, is_fresh=never, is_usable=never)

    def _read(self, _last: str | None) -> str:
        self.readings += 1
        self.is_reading.release()
        if self.readings == 1:
            assert self.fail.wait(10)
            raise self._error
        return "read"

    def asked_by_two(self, pool: ThreadPoolExecutor) -> list[Future[str]]:
        """Let one thread fail while another waits for it."""
        first = pool.submit(self.ask)
        assert self.is_reading.acquire(timeout=10)
        second = pool.submit(self.ask)
        assert not self.is_reading.acquire(timeout=0.1)
        self.fail.set()
        return [first, second]


def test_who_waited_in_vain_for_a_database_out_of_reach_does_not_wait_again() -> None:
    facts = Facts(OperationalError("connection refused"))
    with ThreadPoolExecutor(2) as pool:
        for asked in facts.asked_by_two(pool):
            with pytest.raises(OperationalError):
                asked.result(10)
    assert facts.readings == 1
    assert facts.ask() == "read"


def test_who_waited_for_another_error_reads_itself() -> None:
    facts = Facts(DataError("a fault"))
    with ThreadPoolExecutor(2) as pool:
        first, second = facts.asked_by_two(pool)
        with pytest.raises(DataError):
            first.result(10)
        assert second.result(10) == "read"
