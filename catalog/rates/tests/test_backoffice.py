from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.rates import services
from catalog.rates.current import rate_now
from catalog.rates.models import ExchangeRate
from catalog.rates.sources import Quote
from core.tests.pages import html_of
from core.tests.rows import rolled_back, stored

# Forms and pages.
pytestmark = pytest.mark.django_db


def log_in(client: Client, name: str, *rights: str) -> User:
    """Log in a new member of staff who has some rights."""
    user = User.objects.create_user(name)
    user.user_permissions.set(Permission.objects.filter(codename__in=("access_admin", *rights)))
    client.force_login(user)
    return user


@pytest.fixture
def manager(client: Client) -> User:
    return log_in(client, "mei", "view_exchangerate", "change_exchangerate")


def page(client: Client) -> str:
    response = client.get(reverse("exchange_rates:index"))
    assert response.status_code == 200
    return html_of(response)


def press(client: Client, **fields: object) -> str:
    response = client.post(reverse("exchange_rates:decide"), fields, follow=True)
    assert response.status_code == 200
    return html_of(response)


def make_held_rate() -> ExchangeRate:
    now = timezone.now()
    services.keep(Quote("RBA", Decimal("4.7"), now - timedelta(days=1)))
    return services.keep(Quote("RBA", Decimal("6.1"), now))


def test_the_page_shows_the_default_until_a_rate_is_fetched(client: Client, manager: User) -> None:
    assert "the default, until a rate has been fetched" in page(client)


def test_the_page_shows_the_rate_in_force_and_the_rates_to_confirm(client: Client, manager: User) -> None:
    make_held_rate()
    text = page(client)
    assert "A$1 = ¥4.7" in text
    assert "6.1" in text
    assert 'value="accept"' in text


def test_a_stale_rate_is_marked(client: Client, manager: User) -> None:
    make_held_rate()
    assert "No source has reported" not in page(client)
    ExchangeRate.objects.update(fetched_at=timezone.now() - timedelta(days=3))
    assert "No source has reported" in page(client)


def test_a_held_rate_is_accepted_or_refused_by_a_button(
    client: Client, manager: User, subtests: pytest.Subtests
) -> None:
    for action, rate in [("accept", "6.1"), ("refuse", "4.7")]:
        with subtests.test(action=action, rate=rate), rolled_back():
            held = make_held_rate()
            text = press(client, action=action, rate_id=held.pk)
            assert "The exchange rate was saved." in text
            assert rate_now() == Decimal(rate)
            assert stored(held, "decided_by") == manager
            # A colleague's page may still show the buttons.
            assert "This has already been decided." in press(client, action="accept", rate_id=held.pk)
            assert rate_now() == Decimal(rate)


def test_staff_set_a_rate_and_end_it(client: Client, manager: User) -> None:
    press(client, action="set", rate="4.55")
    assert rate_now() == Decimal("4.55")
    assert "set by mei" in page(client)
    press(client, action="end")
    assert rate_now() == 5


def test_an_invalid_rate_is_not_set(client: Client, manager: User, subtests: pytest.Subtests) -> None:
    for rate in ["", "0", "-4", "x", "NaN", "Infinity", "4.1234567", "5000", "1e3000"]:
        with subtests.test(rate=rate):
            assert "was saved" not in press(client, action="set", rate=rate)
            assert not ExchangeRate.objects.exists()


def test_an_unknown_action_changes_nothing(client: Client, manager: User, subtests: pytest.Subtests) -> None:
    held = make_held_rate()
    for fields in [
        {},
        {"action": "sell"},
        {"action": "accept"},
        {"action": "accept", "rate_id": "9" * 40},
        {"action": "end"},
    ]:
        with subtests.test(fields=fields):
            assert "was saved" not in press(client, **fields)
            assert stored(held, "status") == ExchangeRate.Status.held


def test_staff_who_may_only_read_change_nothing(client: Client) -> None:
    log_in(client, "li", "view_exchangerate")
    held = make_held_rate()
    assert 'value="accept"' not in page(client)
    client.post(reverse("exchange_rates:decide"), {"action": "accept", "rate_id": held.pk})
    assert stored(held, "status") == ExchangeRate.Status.held
    assert client.get(reverse("exchange_rates:decide")).status_code in (302, 405)


def test_no_one_else_may_open_the_page(client: Client) -> None:
    assert client.post(reverse("exchange_rates:decide"), {"action": "set", "rate": "1"}).status_code == 302
    assert not ExchangeRate.objects.exists()
