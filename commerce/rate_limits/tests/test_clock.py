"""What a clock that is set back does to counted attempts."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from commerce.rate_limits.services import RateLimit, consume
from core.errors import ShopError

pytestmark = pytest.mark.django_db
A_MINUTE = timedelta(minutes=1)
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
