from collections import Counter
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import Group
from django.db import OperationalError, connection, transaction

from core.tests.threads import concurrently
from core.transactions import in_callers_transaction, in_transaction

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


class GivenUpError(Exception):
    """The error that psycopg raises."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def failing(times: int, sqlstate: str) -> list[int]:
    """Return the list that a service fills after the database has aborted it a number of times."""
    tries: list[int] = []

    @in_transaction
    def work() -> None:
        tries.append(1)
        Group.objects.create(name=f"try {len(tries)}")
        if len(tries) <= times:
            raise OperationalError from GivenUpError(sqlstate)

    try:
        work()
    except OperationalError:
        tries.append(-1)
    return tries


@pytest.mark.parametrize(
    ("times", "sqlstate", "tries"),
    [
        (0, "", [1]),
        (1, "40P01", [1, 1]),
        (1, "40001", [1, 1]),
        (2, "40P01", [1, 1, -1]),
        (1, "55P03", [1, -1]),
        (1, "57014", [1, -1]),
    ],
)
def test_a_deadlocked_transaction_runs_once_more_and_leaves_nothing_of_the_first_run(
    times: int, sqlstate: str, tries: list[int]
) -> None:
    assert failing(times, sqlstate) == tries
    assert Group.objects.filter(name__startswith="try").count() == (0 if -1 in tries else 1)


def test_what_fails_after_the_commit_does_not_run_the_work_again() -> None:
    def announce() -> None:
        raise OperationalError from GivenUpError("40P01")

    @in_transaction
    def work() -> None:
        Group.objects.create(name="kept")
        transaction.on_commit(announce)

    with pytest.raises(OperationalError):
        work()
    assert Group.objects.filter(name="kept").count() == 1


def test_within_another_transaction_nothing_runs_again() -> None:
    with transaction.atomic():
        assert failing(1, "40P01") == [1, -1]
    assert not Group.objects.filter(name__startswith="try").exists()


def test_two_deadlocked_transactions_both_succeed() -> None:
    groups = [Group.objects.create(name=f"group {n}") for n in range(2)]
    both_hold_one = Barrier(2, timeout=5)
    tries: Counter[int] = Counter()

    @in_transaction
    def rename(order: list[Group]) -> None:
        tries[order[0].pk] += 1
        Group.objects.filter(pk=order[0].pk).update(name=f"first {order[0].pk}")
        # SQLite has one writer at a time, so the second could not even begin.
        if connection.vendor == "postgresql" and tries[order[0].pk] == 1:
            both_hold_one.wait()
        Group.objects.filter(pk=order[1].pk).update(name=f"second {order[1].pk}")

    concurrently(rename, [groups, groups[::-1]])

    assert tries.total() == (3 if connection.vendor == "postgresql" else 2)
    # The last one renamed both.
    assert Group.objects.filter(name__startswith="first").count() == 1


def test_a_function_after_the_commit_may_begin_its_own_transaction() -> None:
    @in_transaction
    def after() -> None:
        Group.objects.create(name="after")

    @in_transaction
    def work() -> None:
        transaction.on_commit(after)

    def run() -> None:
        work()
        connection.close()

    # A daemon, so that a deadlock fails this test and does not keep the process from ending.
    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()
    assert Group.objects.filter(name="after").exists()


@in_callers_transaction
def write_and_fail() -> None:
    Group.objects.create(name="step")
    raise ZeroDivisionError


def test_a_step_that_fails_alone_leaves_nothing() -> None:
    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert not Group.objects.exists()


def test_a_transaction_with_a_failed_step_cannot_go_on() -> None:
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError):
            write_and_fail()
        with pytest.raises(transaction.TransactionManagementError):
            Group.objects.create(name="after")
    assert not Group.objects.exists()


def test_who_catches_a_steps_error_goes_on_with_a_savepoint_of_their_own() -> None:
    with transaction.atomic():
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            write_and_fail()
        Group.objects.create(name="after")
    assert list(Group.objects.values_list("name", flat=True)) == ["after"]
