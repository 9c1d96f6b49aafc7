"""Limits by network: an IPv6 client counts in its networks of 64, 56 and 48 bits."""

import logging
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from commerce.rate_limits import services as rate_limits
from commerce.rate_limits.models import RateLimitCounter
from commerce.rate_limits.services import (
    Count,
    RateLimit,
    consume,
    consume_in_transaction,
    limit_and_keys,
    refund,
    reset,
)
from core.errors import Err, ShopError
from core.tests.threads import concurrently, start_concurrently

AN_HOUR = timedelta(hours=1)
LIMIT = RateLimit("test network", maximum=2, window=AN_HOUR, free_attempts=1, by_network=True)


def network(number: int) -> str:
    """Return one of the networks of 64 bits of one of 48 bits; each 256 of them are one of 56 bits."""
    return f"2001:db8:1:{number:x}::/64"


def is_counted(number: int, *, proven: bool = True) -> bool:
    try:
        consume_in_transaction((LIMIT, f"a name {network(number)}"), proven=proven)
    except ShopError:
        return False
    return True


def counted() -> list[int]:
    """Return the counts of all networks, the highest first."""
    return sorted(RateLimitCounter.objects.values_list("count", flat=True), reverse=True)


@pytest.mark.django_db
def test_networks_of_64_56_and_48_bits_have_one_four_and_sixteen_times_the_limit() -> None:
    answers = [is_counted(number) for number in (0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 4)]
    assert answers == [True, True, False, True, True, False, True, True, True, True, False]
    assert counted() == [8, 8, 2, 2, 2, 2]
    answers = [is_counted(0x100 * part + each // 2) for part in (1, 2, 3) for each in range(8)]
    assert answers == [True] * 24
    assert not is_counted(0x400)
    assert counted() == [32, 8, 8, 8, 8, *[2] * 16]
    consume((LIMIT, "a name 2001:db8:2::/64"))
    consume((LIMIT, "another name 2001:db8:1::/64"))


@pytest.mark.django_db
def test_attempts_without_a_captcha_grow_with_the_network_too() -> None:
    answers = [is_counted(number, proven=False) for number in (0, 0, 1, 2, 3, 4)]
    assert answers == [True, False, True, True, True, False]
    assert counted() == [4, 4, 1, 1, 1, 1]


@pytest.mark.django_db
def test_an_ipv4_address_counts_alone() -> None:
    for address in ("203.0.113.1", "203.0.113.2", ""):
        for _ in range(2):
            consume((LIMIT, address))
    assert counted() == [2, 2, 2]


@pytest.mark.django_db
def test_the_wait_is_that_of_the_network_that_is_locked_for_longest() -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        for number in (0, 0, 1, 1, 2, 2):
            is_counted(number)
    with time_machine.travel(now + timedelta(minutes=40), tick=False):
        is_counted(3)
        is_counted(3)
        # The network of 56 bits has counted for longer than that of 64 bits.
        for number, wait in ((4, 20), (3, 60)):
            with pytest.raises(ShopError) as refused:
                consume((LIMIT, f"a name {network(number)}"))
            assert refused.value.retry_after == wait * 60


@pytest.mark.django_db
def test_all_networks_count_by_one_statement_and_forget_by_one_each() -> None:
    count = (LIMIT, network(0))
    for work, verbs in (
        (consume, ["INSERT"]),
        (refund, ["UPDATE"] * 3),
        (consume, ["INSERT"]),
        (reset, ["UPDATE"] * 3),
    ):
        with CaptureQueriesContext(connection) as done:
            work(count)
        assert [each["sql"].split()[0] for each in done if "ratelimitcounter" in each["sql"]] == verbs
    assert counted() == [0, 0, 0]


def in_vain() -> Counter[Any]:
    """Make forty concurrent attempts from as many networks of one of 56 bits; counts the outcomes."""
    outcomes = concurrently(lambda number: consume((LIMIT, network(number))), range(40), threads=20)
    return Counter(each.name if isinstance(each, Err) else each for each in outcomes)


@pytest.mark.django_db(transaction=True)
def test_concurrent_attempts_from_many_networks_count_up_to_the_limit_of_the_wider_one() -> None:
    assert in_vain() == {None: 8, "too_frequent": 32}
    assert counted() == [8, 8, *[1] * 8]


@pytest.mark.django_db(transaction=True)
def test_control_without_its_transaction_a_refusal_counts_in_the_narrower_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def count_without_transaction(*counts: Count) -> None:
        rate_limits._count_all(counts, proven=True)

    monkeypatch.setattr(rate_limits, "_consume", count_without_transaction)
    in_vain()
    assert counted()[2:] == [1] * 40


def reset_while_counting(caplog: pytest.LogCaptureFixture) -> int:
    """Reset the counters of networks while an attempt counts in them; returns the number of deadlocks."""
    count = (LIMIT, network(0))
    consume(count)
    attempts: list[Any] = []

    def after_the_first(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        outcome = execute(sql, *arguments)
        if sql.startswith("UPDATE") and not attempts:
            attempts.append(start_concurrently(lambda: consume(count)))
        return outcome

    caplog.set_level(logging.WARNING)
    with connection.execute_wrapper(after_the_first):
        reset(count)
    assert [attempt.result(20) for attempt in attempts] == [None]
    return sum("runs again" in record.message for record in caplog.records)


@pytest.mark.django_db(transaction=True)
def test_a_reset_and_an_attempt_lock_the_networks_in_the_same_order(caplog: pytest.LogCaptureFixture) -> None:
    assert reset_while_counting(caplog) == 0
    assert counted() == [1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_control_a_reset_in_another_order_postgresql_deadlocks(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def reset_widest_first(counts: list[Count], _refunded: object) -> None:
        for key in reversed(limit_and_keys(counts[0])[1]):
            RateLimitCounter.objects.filter(limit=LIMIT.name, subject=key).update(count=0)

    monkeypatch.setattr(rate_limits, "_reset", reset_widest_first)
    # SQLite has one writer at a time, so it cannot show the race.
    assert (reset_while_counting(caplog) > 0) is (connection.vendor == "postgresql")
