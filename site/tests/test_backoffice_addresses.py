"""Every URL of the back office answers, even without the data that its forms send."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.regex_helper import normalize
from wagtail.models import Page

from content.models import CarouselSlide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

# Wagtail's own URL that shows its error page.
FAILS_ON_PURPOSE = "/admin/failwhale/"


def addresses(resolver: URLResolver | None = None, before: str = "/") -> Iterator[str]:
    """Give every URL of the back office, with 1 for each parameter."""
    for pattern in (resolver or get_resolver()).url_patterns:
        [(shape, names), *_] = normalize(pattern.pattern.regex.pattern) or [("", [])]
        address = before + shape % dict.fromkeys(names, 1)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern, address)
        elif isinstance(pattern, URLPattern) and address.startswith("/admin/"):
            yield address


@pytest.fixture
def boss() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    return client


def rows() -> tuple[int, int, int]:
    """Count the rows that a URL could delete."""
    return Page.objects.count(), CarouselSlide.objects.count(), User.objects.count()


def test_the_back_office_is_found_as_people_type_it(client: Client) -> None:
    for typed in ("/admin", "/zh-hans/admin", "/zh-hans/admin/"):
        response = client.get(typed)
        assert (response.status_code, response["Location"]) == (302, "/admin/"), typed


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.slow
def test_no_url_fails_when_called_without_form_data(boss: Client, method: str) -> None:
    asked = [address for address in addresses() if address != FAILS_ON_PURPOSE]
    assert len(asked) > 200
    failed = [address for address in asked if boss.generic(method, address).status_code >= 500]
    assert not failed


def test_without_the_csrf_token_nothing_is_changed(boss: Client) -> None:
    boss.handler.enforce_csrf_checks = True
    before = rows()
    answers = {address: boss.post(address).status_code for address in addresses()}
    assert {address for address, status in answers.items() if status not in {302, 403, 404, 405}} == set()
    assert rows() == before
