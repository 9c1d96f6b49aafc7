from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import IntegrityError, connection
from django.utils import timezone

from catalog.rates import services
from catalog.rates.current import current_rate, rate_now
from catalog.rates.models import ExchangeRate
from catalog.rates.sources import Quote
from core.tests.constraints import without_constraint
from core.tests.rows import rolled_back, stored
from core.tests.threads import before_commit, concurrently

pytestmark = pytest.mark.django_db
Status = ExchangeRate.Status


def quote(rate: str, days_ago: int = 0, source: str = "RBA") -> Quote:
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return Quote(source, Decimal(rate), today - timedelta(days=days_ago))


@pytest.fixture
def editor() -> User:
    return User.objects.create_user("mei")


def test_the_rate_is_five_until_one_has_been_fetched() -> None:
    assert current_rate() is None
    assert rate_now() == 5


def test_the_newest_rate_is_in_force() -> None:
    now = timezone.now()
    ExchangeRate.objects.create(rate=Decimal("4.71"), source="bank", as_of=now)
    ExchangeRate.objects.create(rate=Decimal("4.60"), source="bank", as_of=now - timedelta(days=1))
    assert rate_now() == Decimal("4.71")


def test_the_rate_is_read_by_one_query(django_assert_num_queries: object) -> None:
    services.keep(quote("4.7"))
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert rate_now() == Decimal("4.7")


def test_a_repeated_rate_is_stored_once_with_its_latest_time() -> None:
    with time_machine.travel(timezone.now() - timedelta(hours=30), tick=False):
        first = services.keep(quote("4.7", days_ago=1))
    again = services.keep(Quote(first.source, first.rate, first.as_of))
    assert (again.pk, ExchangeRate.objects.count()) == (first.pk, 1)
    assert again.fetched_at - first.fetched_at == pytest.approx(timedelta(hours=30), abs=timedelta(minutes=1))


def test_a_correction_for_the_same_day_is_in_force() -> None:
    services.keep(quote("4.7"))
    services.keep(quote("4.72"))
    assert rate_now() == Decimal("4.72")
    services.keep(quote("4.7"))
    assert rate_now() == Decimal("4.7")


def test_a_change_of_more_than_a_tenth_must_be_confirmed_by_staff(
    caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    for wild in ["47", "5.18", "4.22", "0.47"]:
        with subtests.test(wild=wild), rolled_back():
            services.keep(quote("4.7", days_ago=1))
            caplog.clear()
            assert services.keep(quote(wild)).status == Status.held
            assert rate_now() == Decimal("4.7")
            assert "held for staff" in caplog.text
            # The next day's rate is compared with the accepted one, not with the held one.
            assert services.keep(quote(wild, source="ECB")).status == Status.held
            assert services.keep(quote("4.75", source="ECB")).status == Status.accepted


def test_a_change_of_a_tenth_needs_no_confirmation(subtests: pytest.Subtests) -> None:
    for near in ["5.17", "4.23"]:
        with subtests.test(near=near), rolled_back():
            services.keep(quote("4.7", days_ago=1))
            services.keep(quote(near))
            assert rate_now() == Decimal(near)


def test_the_first_rate_is_compared_with_the_default(subtests: pytest.Subtests) -> None:
    for first, status in [("3.9", Status.accepted), ("0.21", Status.held)]:
        with subtests.test(first=first, status=status), rolled_back():
            assert services.keep(quote(first)).status == status


def keep_held_rate() -> ExchangeRate:
    """Keep a rate of yesterday and one of today that is held for staff; returns the second."""
    services.keep(quote("4.7", days_ago=1))
    return services.keep(quote("6"))


def test_an_accepted_rate_is_in_force_and_names_who_accepted_it(editor: User) -> None:
    held = keep_held_rate()
    services.decide(rate_id=held.pk, accept=True, by=editor)
    assert stored(held, "status", "decided_by") == (Status.accepted, editor)
    assert held.decided_at is not None
    assert rate_now() == 6
    assert services.keep(quote("6.1", source="ECB")).status == Status.accepted


def test_a_refused_rate_stays_refused_when_it_is_fetched_again(editor: User) -> None:
    held = keep_held_rate()
    services.decide(rate_id=held.pk, accept=False, by=editor)
    assert services.keep(quote("6")).status == Status.refused
    assert rate_now() == Decimal("4.7")


def test_a_decision_cannot_be_made_again(editor: User) -> None:
    held = keep_held_rate()
    services.decide(rate_id=held.pk, accept=False, by=editor)
    with pytest.raises(services.NotWaitingError):
        services.decide(rate_id=held.pk, accept=True, by=editor)
    assert stored(held, "status") == Status.refused


def test_a_rate_set_by_staff_is_in_force_until_they_end_it(editor: User) -> None:
    services.set_override(rate=Decimal("4.5"), by=editor)
    services.keep(quote("4.7"))
    assert rate_now() == Decimal("4.5")
    # Fetched rates are compared with fetched rates only.
    assert services.keep(quote("4.8", source="ECB")).status == Status.accepted
    services.end_override(by=editor)
    ended = ExchangeRate.objects.get(is_override=True)
    assert (ended.ended_by, ended.decided_by) == (editor, editor)
    assert rate_now() in (Decimal("4.7"), Decimal("4.8"))
    with pytest.raises(services.NotWaitingError):
        services.end_override(by=editor)


def test_a_second_override_replaces_the_first(editor: User) -> None:
    services.set_override(rate=Decimal("4.5"), by=editor)
    services.set_override(rate=Decimal("4.4"), by=editor)
    assert rate_now() == Decimal("4.4")
    services.end_override(by=editor)
    assert current_rate() is None


def test_two_overrides_cannot_be_in_force_at_the_same_time(editor: User) -> None:
    override = services.set_override(rate=Decimal("4.5"), by=editor)
    override.pk = None
    with pytest.raises(IntegrityError):
        override.save(force_insert=True)


def test_a_rate_that_no_source_has_given_for_two_days_is_stale(editor: User) -> None:
    stored = services.keep(quote("4.7"))
    override = services.set_override(rate=Decimal("4.5"), by=editor)
    assert not stored.is_stale
    with time_machine.travel(timezone.now() + timedelta(days=2, minutes=1)):
        assert stored.is_stale
        assert not override.is_stale


def test_a_rate_is_fetched_when_the_last_one_is_six_hours_old() -> None:
    assert services.is_due()
    services.keep(quote("4.7"))
    assert not services.is_due()
    with time_machine.travel(timezone.now() + services.EVERY + timedelta(minutes=1)):
        assert services.is_due()


@pytest.mark.django_db(transaction=True)
def test_a_rate_that_is_set_many_times_at_the_same_time_is_set_once(editor: User) -> None:
    services.set_override(rate=Decimal("4.5"), by=editor)
    concurrently(lambda _: services.set_override(rate=Decimal("4.7"), by=editor), range(6))
    rates = ExchangeRate.objects.filter(is_override=True).order_by("id")
    assert [(rate.rate, rate.ended_at is None) for rate in rates] == [
        (Decimal("4.5"), False),
        (Decimal("4.7"), True),
    ]


def set_two_rates_concurrently(editor: User) -> list[Decimal]:
    """Set a second rate when the first is written and not yet committed; returns the rates in force."""

    def set_second() -> bool:
        try:
            services.set_override(rate=Decimal("4.8"), by=editor)
        except services.NotWaitingError:
            return False
        return True

    _, was_set = before_commit(lambda: services.set_override(rate=Decimal("4.7"), by=editor), set_second)
    assert was_set is (rate_now() == Decimal("4.8"))
    running = ExchangeRate.objects.filter(is_override=True, ended_at=None)
    return list(running.order_by("rate").values_list("rate", flat=True))


@pytest.mark.django_db(transaction=True)
def test_of_two_rates_set_at_the_same_time_one_is_in_force_and_the_other_is_refused(editor: User) -> None:
    # SQLite has one writer at a time, so there the second replaces the first.
    expected = "4.7" if connection.vendor == "postgresql" else "4.8"
    assert set_two_rates_concurrently(editor) == [Decimal(expected)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_control_without_the_constraint_postgresql_puts_two_rates_in_force(editor: User) -> None:
    with without_constraint(ExchangeRate, "one_override_at_a_time"):
        assert set_two_rates_concurrently(editor) == [Decimal("4.7"), Decimal("4.8")]
