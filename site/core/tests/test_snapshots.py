"""Facts that threads share for a few seconds, also while the database is out of reach."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Semaphore
from time import monotonic
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.db import DataError, Error, OperationalError
from django.utils import timezone

from core import snapshots
from core.models import Lease
from core.snapshots import SharedRows, SharedSnapshot


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


def make_lease(name: str) -> Lease:
    return Lease.objects.create(name=name, holder=uuid4(), ends_at=timezone.now())


def names_of(shared: SharedRows[list[Lease]]) -> list[str]:
    return [lease.name for lease in shared.get()]


@pytest.fixture
def shared(settings: LazySettings) -> SharedRows[list[Lease]]:
    settings.SNAPSHOT_SECONDS = 3600
    return SharedRows(lambda: list(Lease.objects.order_by("name")), Lease)


@pytest.mark.django_db
def test_what_this_process_saves_or_deletes_is_read_again_immediately(
    shared: SharedRows[list[Lease]],
) -> None:
    first = make_lease("a")
    assert names_of(shared) == ["a"]
    make_lease("b")
    assert names_of(shared) == ["a", "b"]
    first.delete()
    assert names_of(shared) == ["b"]


@pytest.mark.django_db
def test_what_another_process_changes_is_read_when_the_rows_are_old(
    shared: SharedRows[list[Lease]], settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_lease("a")
    assert names_of(shared) == ["a"]
    # Without a signal, as the change of another process.
    Lease.objects.update(name="b")
    assert names_of(shared) == ["a"]
    later = SimpleNamespace(monotonic=lambda: monotonic() + 3601)
    monkeypatch.setattr(snapshots, "time", later)
    assert names_of(shared) == ["b"]
