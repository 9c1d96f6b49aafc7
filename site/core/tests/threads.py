"""Run work in many concurrent threads, each with its own database connection."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Barrier, Event
from typing import Any, TypeVar

import pytest
from django.db import connection, transaction

from core.errors import Err, ShopError

T = TypeVar("T")
R = TypeVar("R")


def between_check_and_save(
    monkeypatch: pytest.MonkeyPatch, checked: type[Any], act: Callable[[], R]
) -> Callable[[], R]:
    """Return an act for a thread of its own: it happens when another one's form is checked and not yet saved.

    `checked`: the form or model whose `clean` is the check; it goes on when the act has happened.
    """
    is_checked, has_happened = Event(), Event()
    clean = checked.clean

    def clean_and_wait(self: Any) -> Any:
        outcome = clean(self)
        is_checked.set()
        assert has_happened.wait(20)
        return outcome

    def wait_and_act() -> R:
        assert is_checked.wait(20)
        outcome = act()
        has_happened.set()
        return outcome

    monkeypatch.setattr(checked, "clean", clean_and_wait)
    return wait_and_act


def before_commit(first: Callable[[], object], second: Callable[[], R]) -> list[R | Err | None]:
    """Do the second in a thread of its own when the first has written and not yet committed.

    Where the second waits for a lock of the first, it ends after the commit; else before it. Returns both
    outcomes, that of the first being None and a refusal of the second its catalogue row.
    """
    with transaction.atomic():
        first()
        outcome = start_concurrently(second)
    return [None, outcome.result(20)]


def start_concurrently(work: Callable[[], R]) -> Future[R | Err]:
    """Begin work in a thread of its own, within a transaction; returns its outcome to come.

    The work has then ended, or it waits: on PostgreSQL for a lock of the transaction, on SQLite for its end.
    """
    backend: Future[int] = Future()
    is_writing = Event()

    def note_write(execute: Callable[..., R], sql: str, *arguments: Any) -> R:
        if sql.lstrip().startswith(("BEGIN", "INSERT", "UPDATE", "DELETE", "WITH")):
            is_writing.set()
        try:
            return execute(sql, *arguments)
        finally:
            is_writing.clear()

    def run() -> R | Err:
        try:
            connection.ensure_connection()
            backend.set_result(connection.connection.info.backend_pid if is_postgresql else 0)
            with connection.execute_wrapper(note_write):
                return work()
        except ShopError as error:
            return error.err
        except BaseException as error:
            if not backend.done():
                backend.set_exception(error)
            raise
        finally:
            connection.close()

    is_postgresql = connection.vendor == "postgresql"
    pool = ThreadPoolExecutor(1)
    outcome = pool.submit(run)
    pool.shutdown(wait=False)
    pid = backend.result(20)
    while wait([outcome], 0.005).not_done:
        if _waits_for_a_lock(pid) if is_postgresql else is_writing.is_set():
            break
    return outcome


def _waits_for_a_lock(pid: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT cardinality(pg_blocking_pids(%s)) > 0", [pid])
        return bool(cursor.fetchone()[0])


def concurrently(work: Callable[[T], R], each: Iterable[T], *, threads: int = 24) -> list[R | Err]:
    """Run work on each item in threads that start together; returns the outcomes in the items' order.

    A refusal comes back as its catalogue row; any fault is raised. Three processes of tests with so many
    threads each stay below the hundred connections that PostgreSQL gives.
    """
    items = list(each)
    count = min(threads, len(items))
    start = Barrier(count, timeout=60)

    def attempt(item: T) -> R | Err:
        try:
            return work(item)
        except ShopError as error:
            return error.err

    def run(share: range) -> list[tuple[int, R | Err]]:
        try:
            # Connecting takes longer than most work: the first would be done before the last began.
            try:
                connection.ensure_connection()
            finally:
                # Also of a thread without a connection: the others wait for it.
                start.wait()
            return [(i, attempt(items[i])) for i in share]
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        parts = pool.map(run, [range(i, len(items), count) for i in range(count)])
        outcomes = dict(pair for part in parts for pair in part)
    return [outcomes[i] for i in range(len(items))]
