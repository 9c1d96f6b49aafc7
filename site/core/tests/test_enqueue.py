from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group
from django.db import connection, transaction

from core.database_limits import limit_task, limit_waiting
from core.enqueue import enqueue_after_commit
from core.gateways import MAX_FAILURES
from core.transactions import in_transaction

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


class QueueGoneError(Exception):
    pass


def no_queue(_row_id: int) -> None:
    raise QueueGoneError


def test_a_hint_that_is_lost_is_logged_and_changes_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with transaction.atomic():
        enqueue_after_commit(no_queue, 1)
    enqueue_after_commit(no_queue, 2)
    assert [record.getMessage() for record in caplog.records] == ["a task could not be queued"] * 2


def test_a_hint_waits_for_the_commit_and_is_not_given_without_one() -> None:
    given: list[int] = []
    with transaction.atomic():
        enqueue_after_commit(given.append, 1)
        assert not given
    assert given == [1]
    with transaction.atomic():
        enqueue_after_commit(given.append, 2)
        transaction.set_rollback(True)
    assert given == [1]


def test_queues_that_fail_again_and_again_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    for number in range(MAX_FAILURES + 2):
        enqueue_after_commit(no_queue, number)
    messages = [record.getMessage() for record in caplog.records]
    assert messages.count("a task could not be queued") == MAX_FAILURES


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's writers do not exclude each other")
def test_a_queue_that_hangs_keeps_no_other_writer_waiting(settings: LazySettings) -> None:
    settings.DATABASE_LIMITS = {**settings.DATABASE_LIMITS, "request": {"lock": 0.2}}
    is_hanging, end = Event(), Event()

    def hang(_row_id: int) -> None:
        is_hanging.set()
        assert end.wait(20)

    @in_transaction
    def write(name: str, hint: bool) -> None:
        Group.objects.create(name=name)
        if hint:
            enqueue_after_commit(hang, 1)

    def write_with_a_hint() -> None:
        try:
            write("first", hint=True)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(write_with_a_hint)
        assert is_hanging.wait(20)
        limit_waiting("request")
        try:
            write("second", hint=False)
        finally:
            limit_task()
            end.set()
        first.result(20)
    assert Group.objects.filter(name__in=["first", "second"]).count() == 2
