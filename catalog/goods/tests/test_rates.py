from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from catalog.goods.models import ExchangeRate
from catalog.goods.rates import current_rate, rate_now, services
from catalog.goods.rates.sources import Quote
from catalog.goods.tests.builders import make_product

pytestmark = pytest.mark.django_db
Status = ExchangeRate.Status


def quote(rate: str, days_ago: int = 0, source: str = "RBA") -> Quote:
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return Quote(source, Decimal(rate), today - timedelta(days=days_ago))


@pytest.fixture
def editor() -> User:
    return User.objects.create_user("mei")


def test_five_until_a_rate_has_been_fetched() -> None:
    assert current_rate() is None
    assert rate_now() == 5


def test_the_newest_rate_holds() -> None:
    now = timezone.now()
    ExchangeRate.objects.create(rate=Decimal("4.71"), source="bank", as_of=now)
    ExchangeRate.objects.create(rate=Decimal("4.60"), source="bank", as_of=now - timedelta(days=1))
    assert rate_now() == Decimal("4.71")


def test_the_rate_is_read_by_one_query(django_assert_num_queries: object) -> None:
    services.keep(quote("4.7"))
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert rate_now() == Decimal("4.7")


def test_the_same_rate_told_again_is_kept_once_with_the_time_it_was_told() -> None:
    with time_machine.travel(timezone.now() - timedelta(hours=30), tick=False):
        first = services.keep(quote("4.7", days_ago=1))
    again = services.keep(Quote(first.source, first.rate, first.as_of))
    assert (again.pk, ExchangeRate.objects.count()) == (first.pk, 1)
    assert again.fetched_at - first.fetched_at == pytest.approx(timedelta(hours=30), abs=timedelta(minutes=1))


def test_what_a_source_corrects_for_the_same_day_holds() -> None:
    services.keep(quote("4.7"))
    services.keep(quote("4.72"))
    assert rate_now() == Decimal("4.72")
    services.keep(quote("4.7"))
    assert rate_now() == Decimal("4.7")


@pytest.mark.parametrize("wild", ["47", "5.18", "4.22", "0.47"])
def test_a_jump_of_more_than_a_tenth_waits_for_staff(wild: str, caplog: pytest.LogCaptureFixture) -> None:
    services.keep(quote("4.7", days_ago=1))
    assert services.keep(quote(wild)).status == Status.held
    assert rate_now() == Decimal("4.7")
    assert "held for staff" in caplog.text
    # The next day is measured by what was accepted, not by what is held.
    assert services.keep(quote(wild, source="ECB")).status == Status.held
    assert services.keep(quote("4.75", source="ECB")).status == Status.accepted


@pytest.mark.parametrize("near", ["5.17", "4.23"])
def test_a_tenth_is_no_jump(near: str) -> None:
    services.keep(quote("4.7", days_ago=1))
    services.keep(quote(near))
    assert rate_now() == Decimal(near)


@pytest.mark.parametrize(("first", "status"), [("3.9", Status.accepted), ("0.21", Status.held)])
def test_the_first_rate_of_all_is_measured_by_the_default(first: str, status: str) -> None:
    assert services.keep(quote(first)).status == status


def test_an_accepted_jump_holds_and_tells_who_accepted_it(editor: User) -> None:
    services.keep(quote("4.7", days_ago=1))
    held = services.keep(quote("6"))
    services.decide(rate_id=held.pk, accept=True, by=editor)
    held.refresh_from_db()
    assert (held.status, held.decided_by) == (Status.accepted, editor)
    assert held.decided_at is not None
    assert rate_now() == 6
    assert services.keep(quote("6.1", source="ECB")).status == Status.accepted


def test_a_refused_jump_stays_refused_when_it_is_told_again(editor: User) -> None:
    services.keep(quote("4.7", days_ago=1))
    held = services.keep(quote("6"))
    services.decide(rate_id=held.pk, accept=False, by=editor)
    assert services.keep(quote("6")).status == Status.refused
    assert rate_now() == Decimal("4.7")


def test_what_is_decided_cannot_be_decided_again(editor: User) -> None:
    services.keep(quote("4.7", days_ago=1))
    held = services.keep(quote("6"))
    services.decide(rate_id=held.pk, accept=False, by=editor)
    with pytest.raises(services.NotWaitingError):
        services.decide(rate_id=held.pk, accept=True, by=editor)
    held.refresh_from_db()
    assert held.status == Status.refused


def test_a_rate_set_by_staff_holds_until_they_end_it(editor: User) -> None:
    services.set_override(rate=Decimal("4.5"), by=editor)
    services.keep(quote("4.7"))
    assert rate_now() == Decimal("4.5")
    # Fetched ones are measured by fetched ones.
    assert services.keep(quote("4.8", source="ECB")).status == Status.accepted
    services.end_override(by=editor)
    ended = ExchangeRate.objects.get(is_override=True)
    assert (ended.ended_by, ended.decided_by) == (editor, editor)
    assert rate_now() in (Decimal("4.7"), Decimal("4.8"))
    with pytest.raises(services.NotWaitingError):
        services.end_override(by=editor)


def test_a_second_override_takes_the_place_of_the_first(editor: User) -> None:
    services.set_override(rate=Decimal("4.5"), by=editor)
    services.set_override(rate=Decimal("4.4"), by=editor)
    assert rate_now() == Decimal("4.4")
    services.end_override(by=editor)
    assert current_rate() is None


def test_two_overrides_cannot_hold_at_once(editor: User) -> None:
    override = services.set_override(rate=Decimal("4.5"), by=editor)
    override.pk = None
    with pytest.raises(IntegrityError):
        override.save(force_insert=True)


def test_a_rate_no_source_has_told_for_two_days_is_stale(editor: User) -> None:
    kept = services.keep(quote("4.7"))
    override = services.set_override(rate=Decimal("4.5"), by=editor)
    assert not kept.is_stale
    with time_machine.travel(timezone.now() + timedelta(days=2, minutes=1)):
        assert kept.is_stale
        assert not override.is_stale


def test_it_is_fetched_when_nothing_was_told_for_six_hours() -> None:
    assert services.is_due()
    services.keep(quote("4.7"))
    assert not services.is_due()
    with time_machine.travel(timezone.now() + services.EVERY + timedelta(minutes=1)):
        assert services.is_due()


def footer_of(client: Client, path: str) -> str:
    return client.get(path).content.decode().partition("footer__base")[2]


def test_pages_tell_of_which_day_the_rate_is(client: Client) -> None:
    product = make_product()
    path = f"/shop/shopdetails/{product.pk}"
    assert "Exchange rate of" not in footer_of(client, path)
    services.keep(Quote("RBA", Decimal("4.7"), datetime(2026, 11, 19, 5, tzinfo=UTC)))
    assert "Exchange rate of 19 November 2026." in footer_of(client, path)
    assert "2026年11月19日的汇率" in footer_of(client, f"/zh-hans{path}")
    page = client.get(path).content.decode()
    assert page.count("Exchange rate of") == 1
    # Near the price it is told of a rate that is stale.
    ExchangeRate.objects.update(fetched_at=timezone.now() - timedelta(days=3))
    assert client.get(path).content.decode().count("Exchange rate of") == 2
