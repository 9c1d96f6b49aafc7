from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.goods.models import ExchangeRate
from catalog.goods.rates import rate_now, services
from catalog.goods.rates.sources import Quote

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(client: Client) -> User:
    user = User.objects.create_user("mei")
    rights = ("access_admin", "view_exchangerate", "change_exchangerate")
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(user)
    return user


def page(client: Client) -> str:
    response = client.get(reverse("exchange_rates:index"))
    assert response.status_code == 200
    return response.content.decode()


def press(client: Client, **fields: object) -> str:
    response = client.post(reverse("exchange_rates:decide"), fields, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def held() -> ExchangeRate:
    now = timezone.now()
    services.keep(Quote("RBA", Decimal("4.7"), now - timedelta(days=1)))
    return services.keep(Quote("RBA", Decimal("6.1"), now))


def test_the_page_tells_the_default_until_a_rate_is_fetched(client: Client, manager: User) -> None:
    assert "the default, until a rate has been fetched" in page(client)


def test_the_page_tells_what_holds_and_what_waits(client: Client, manager: User) -> None:
    held()
    text = page(client)
    assert "A$1 = ¥4.7" in text
    assert "6.1" in text
    assert 'value="accept"' in text


def test_a_stale_rate_is_told(client: Client, manager: User) -> None:
    held()
    assert "No source has told" not in page(client)
    ExchangeRate.objects.update(fetched_at=timezone.now() - timedelta(days=3))
    assert "No source has told" in page(client)


@pytest.mark.parametrize(("action", "rate"), [("accept", "6.1"), ("refuse", "4.7")])
def test_a_held_rate_is_decided_by_a_button(client: Client, manager: User, action: str, rate: str) -> None:
    waiting = held()
    text = press(client, action=action, rate_id=waiting.pk)
    assert "The exchange rate was saved." in text
    assert rate_now() == Decimal(rate)
    waiting.refresh_from_db()
    assert waiting.decided_by == manager
    # A colleague's page may still show the buttons.
    assert "This has been decided already." in press(client, action="accept", rate_id=waiting.pk)
    assert rate_now() == Decimal(rate)


def test_staff_set_a_rate_and_end_it(client: Client, manager: User) -> None:
    press(client, action="set", rate="4.55")
    assert rate_now() == Decimal("4.55")
    assert "set by mei" in page(client)
    press(client, action="end")
    assert rate_now() == 5


@pytest.mark.parametrize("rate", ["", "0", "-4", "x", "NaN", "Infinity", "4.1234567", "5000", "1e3000"])
def test_what_is_no_rate_is_not_set(client: Client, manager: User, rate: str) -> None:
    assert "was saved" not in press(client, action="set", rate=rate)
    assert not ExchangeRate.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": "sell"},
        {"action": "accept"},
        {"action": "accept", "rate_id": "9" * 40},
        {"action": "end"},
    ],
)
def test_what_no_button_says_changes_nothing(client: Client, manager: User, fields: dict[str, str]) -> None:
    waiting = held()
    assert "was saved" not in press(client, **fields)
    waiting.refresh_from_db()
    assert waiting.status == ExchangeRate.Status.held


def test_who_may_only_look_decides_nothing(client: Client) -> None:
    user = User.objects.create_user("li")
    rights = ("access_admin", "view_exchangerate")
    user.user_permissions.set(Permission.objects.filter(codename__in=rights))
    client.force_login(user)
    waiting = held()
    assert 'value="accept"' not in page(client)
    client.post(reverse("exchange_rates:decide"), {"action": "accept", "rate_id": waiting.pk})
    waiting.refresh_from_db()
    assert waiting.status == ExchangeRate.Status.held
    assert client.get(reverse("exchange_rates:decide")).status_code in (302, 405)


def test_no_one_else_comes_near(client: Client) -> None:
    assert client.post(reverse("exchange_rates:decide"), {"action": "set", "rate": "1"}).status_code == 302
    assert not ExchangeRate.objects.exists()
