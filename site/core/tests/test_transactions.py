from collections import Counter
from threading import Barrier

import pytest
from django.contrib.auth.models import Group
from django.db import OperationalError, connection, transaction

from core.tests.threads import at_once
from core.transactions import in_transaction


class GivenUpError(Exception):
    """What psycopg reports."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def failing(times: int, sqlstate: str) -> list[int]:
    """Return the list that a service fills which the database gives up a number of times."""
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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("times", "sqlstate", "tries"),
    [
        (0, "", [1]),
        (1, "40P01", [1, 1]),
        (1, "40001", [1, 1]),
        (2, "40P01", [1, 1, -1]),
        (1, "57014", [1, -1]),
    ],
)
def test_what_was_given_up_is_tried_once_more_and_leaves_nothing(
    times: int, sqlstate: str, tries: list[int]
) -> None:
    assert failing(times, sqlstate) == tries
    assert Group.objects.filter(name__startswith="try").count() == (0 if -1 in tries else 1)


@pytest.mark.django_db(transaction=True)
def test_within_another_transaction_nothing_is_tried_again() -> None:
    with transaction.atomic():
        assert failing(1, "40P01") == [1, -1]
    assert not Group.objects.filter(name__startswith="try").exists()


@pytest.mark.django_db(transaction=True)
def test_two_that_wait_for_each_other_both_succeed() -> None:
    groups = [Group.objects.create(name=f"group {n}") for n in range(2)]
    both_hold_one = Barrier(2, timeout=5)
    tries: Counter[int] = Counter()

    @in_transaction
    def rename(order: list[Group]) -> None:
        tries[order[0].pk] += 1
        Group.objects.filter(pk=order[0].pk).update(name=f"first {order[0].pk}")
        # SQLite has one writer at a time: there the second could not even begin.
        if connection.vendor == "postgresql" and tries[order[0].pk] == 1:
            both_hold_one.wait()
        Group.objects.filter(pk=order[1].pk).update(name=f"second {order[1].pk}")

    at_once(rename, [groups, groups[::-1]])

    assert tries.total() == (3 if connection.vendor == "postgresql" else 2)
    # Whoever came last renamed both.
    assert Group.objects.filter(name__startswith="first").count() == 1
