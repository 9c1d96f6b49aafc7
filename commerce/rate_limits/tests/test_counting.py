"""What counts, what is refused, by how many statements, and what a clock that is set back does."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from commerce.rate_limits.models import RateLimitCounter
from commerce.rate_limits.services import Count, RateLimit, consume, consume_in_transaction, refund, reset
from core.errors import Err, ShopError

pytestmark = pytest.mark.django_db
A_MINUTE, AN_HOUR = timedelta(minutes=1), timedelta(hours=1)
GUESSES = RateLimit("guesses", maximum=3, window=AN_HOUR, lock=A_MINUTE, free_attempts=2)
CODES = RateLimit("codes", maximum=2, window=AN_HOUR)
MINE: Count = (GUESSES, "me")


def statements(work: Callable[[], object]) -> list[str]:
    """Return the statements on counters, by their verb."""
    with CaptureQueriesContext(connection) as done:
        work()
    return [sql.split()[0] for each in done if "ratelimitcounter" in (sql := each["sql"])]


def outcome(*counts: Count, proven: bool = True) -> tuple[Err, int | None] | None:
    try:
        consume_in_transaction(*counts, proven=proven)
    except ShopError as refusal:
        return refusal.err, refusal.retry_after
    return None


def counted() -> dict[str, int]:
    return dict(RateLimitCounter.objects.values_list("limit", "count"))


def test_an_attempt_is_counted_by_one_statement_the_first_and_the_next_and_after_the_window() -> None:
    now = timezone.now()
    for minutes in (0, 1, 120):
        with time_machine.travel(now + minutes * A_MINUTE, tick=False):
            assert statements(lambda: consume(MINE)) == ["INSERT"]
    assert counted() == {"guesses": 1}


def test_several_attempts_are_counted_by_one_statement_each() -> None:
    assert statements(lambda: consume(MINE, (CODES, "me"))) == ["INSERT"] * 2
    assert statements(lambda: reset(MINE, refunded=[(CODES, "me")])) == ["UPDATE"] * 2
    assert counted() == {"guesses": 0, "codes": 0}


def test_the_last_attempt_locks_and_the_wait_is_notified() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert [outcome(MINE) for _ in range(3)] == [None] * 3
        clock.shift(timedelta(seconds=20.5))
        assert outcome(MINE) == (Err.too_frequent, 40)
        clock.shift(timedelta(seconds=39.5))
        # One more attempt within the window, which locks again.
        assert [outcome(MINE), outcome(MINE)] == [None, (Err.too_frequent, 60)]
        assert counted() == {"guesses": 4}


def test_without_a_lock_of_its_own_a_limit_locks_until_its_window_ends() -> None:
    mine = (CODES, "me")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        outcome(mine)
        clock.shift(10 * A_MINUTE)
        outcome(mine)
        assert outcome(mine) == (Err.too_frequent, 3000)
        clock.shift(50 * A_MINUTE)
        assert outcome(mine) is None
        assert counted() == {"codes": 1}


def test_a_limit_of_one_locks_with_the_first_attempt_and_with_each_first_of_a_window() -> None:
    mine = (RateLimit("one", maximum=1, window=A_MINUTE), "me")
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(2):
            assert [outcome(mine), outcome(mine)] == [None, (Err.too_frequent, 60)]
            clock.shift(A_MINUTE)


def test_who_has_no_free_attempt_left_needs_a_captcha_until_the_window_is_over() -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        wanted = [outcome(MINE, proven=False) for _ in range(3)]
        assert wanted == [None, None, (Err.captcha_required, None)]
        assert counted() == {"guesses": 2}
        clock.shift(AN_HOUR)
        assert outcome(MINE, proven=False) is None
        assert counted() == {"guesses": 1}


def test_no_captcha_is_asked_for_where_another_limit_has_locked() -> None:
    locked = (CODES, "me")
    for _ in range(2):
        outcome(MINE, locked)
    error, _ = outcome(MINE, locked, proven=False) or (None, 0)
    assert error is Err.too_frequent


def test_where_one_of_several_refuses_none_is_counted_also_within_another_transaction() -> None:
    other = (CODES, "me")
    for _ in range(2):
        consume(other)
    with transaction.atomic():
        assert outcome(MINE, other) is not None
    assert counted() == {"codes": 2}


def test_of_two_locked_limits_the_one_with_the_shorter_window_shows_the_wait() -> None:
    short, long = (RateLimit("z", maximum=1, window=A_MINUTE), ""), (CODES, "")
    with time_machine.travel(timezone.now(), tick=False):
        consume(long)
        consume(long, short)
        assert outcome(long, short) == (Err.too_frequent, 60)


def test_an_attempt_that_is_taken_back_takes_its_lock_along_and_is_never_less_than_none() -> None:
    for _ in range(3):
        consume(MINE)
    refund(MINE)
    assert outcome(MINE) is None
    for _ in range(5):
        refund(MINE)
    assert counted() == {"guesses": 0}


ONCE = RateLimit("once a minute", maximum=1, window=A_MINUTE)
THRICE = RateLimit("three guesses", maximum=3, window=A_MINUTE, lock=timedelta(minutes=5))


def may_try(limit: RateLimit, now: datetime) -> bool:
    with time_machine.travel(now, tick=False):
        try:
            consume((limit, "a customer"))
        except ShopError:
            return False
    return True


def test_no_caller_waits_longer_after_the_clock_was_set_back() -> None:
    now = timezone.now()
    for limit in (ONCE, THRICE):
        assert [may_try(limit, now) for _ in range(limit.maximum)] == [True] * limit.maximum
        assert not may_try(limit, now)
        earlier = now - timedelta(minutes=10)
        assert may_try(limit, earlier)


def test_a_clock_that_is_a_little_behind_forgets_no_attempt() -> None:
    now = timezone.now()
    for limit in (ONCE, THRICE):
        assert [may_try(limit, now) for _ in range(limit.maximum)] == [True] * limit.maximum
        for seconds in (0.001, 2, 30):
            assert not may_try(limit, now - timedelta(seconds=seconds))
