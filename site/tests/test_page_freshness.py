"""From a change in the back office to the page that a shopper sees, through all caches."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import save_product
from catalog.promotions.tests.builders import make_promotion
from catalog.stock.tests.builders import stock
from config.page_cache.store import PAGES
from content.models import InformationPage
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

START = datetime(2027, 3, 1, 9, 0, tzinfo=UTC)
SEEN_WITHIN = timedelta(seconds=5)


@pytest.fixture(autouse=True)
def _never_overloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no busy machine count as overloaded, whose pages may be older."""
    monkeypatch.setattr("config.page_cache.store.QUICK", timedelta(minutes=1))


@pytest.fixture(autouse=True)
def _page_cache(settings: LazySettings) -> Iterator[None]:
    settings.PAGE_CACHE = True
    PAGES.clear()
    yield
    PAGES.clear()


@pytest.fixture
def client() -> Client:
    return Client(headers={"Host": "testserver"})


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as travelled:
        yield travelled


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return html_of(response)


def make_tea() -> Product:
    tea = make_product(name_en="Jasmine tea", price=Decimal("5.00"))
    stock(tea, 50)
    return tea


def test_the_settings_allow_no_more_than_five_seconds(settings: LazySettings) -> None:
    from config import settings as in_use

    assert SEEN_WITHIN.total_seconds() >= in_use.SNAPSHOT_SECONDS + in_use.PAGE_SECONDS


@pytest.mark.parametrize("language", ["", "/zh-hans"])
def test_a_changed_price_is_seen_in_time(
    client: Client, clock: time_machine.Traveller, language: str
) -> None:
    tea = make_tea()
    pages = [f"{language}/shop", f"{language}/shop/shopdetails/{tea.pk}"]
    before = [read(client, page) for page in pages]
    tea.price = Decimal("8.75")
    save_product(tea)
    assert [read(client, page) for page in pages] == before
    clock.shift(SEEN_WITHIN)
    for page in pages:
        assert "8.75" in read(client, page)


def test_a_promotion_is_over_for_everyone_at_its_end(client: Client, clock: time_machine.Traveller) -> None:
    tea = make_tea()
    end = START + timedelta(seconds=1)
    make_promotion((tea, "3.25"), starts_at=START - timedelta(days=1), ends_at=end)
    page = f"/shop/shopdetails/{tea.pk}"
    assert "3.25" in read(client, page)
    clock.move_to(end - timedelta(milliseconds=1))
    assert "3.25" in read(client, page)
    clock.move_to(end)
    assert "3.25" not in read(client, page)


def test_a_promotion_begins_for_everyone_at_its_start(client: Client, clock: time_machine.Traveller) -> None:
    tea = make_tea()
    start = START + timedelta(seconds=1)
    make_promotion((tea, "3.25"), starts_at=start, ends_at=start + timedelta(days=1))
    page = f"/shop/shopdetails/{tea.pk}"
    assert "3.25" not in read(client, page)
    clock.move_to(start)
    assert "3.25" in read(client, page)


def test_what_an_editor_publishes_shows_in_time_and_a_draft_never(
    client: Client, clock: time_machine.Traveller
) -> None:
    page = InformationPage.objects.filter(locale__language_code="en").live().first()
    assert page is not None
    address = page.get_url()
    assert "Freshly written" not in read(client, address)
    page.intro = "Freshly written"
    draft = page.save_revision()
    clock.shift(SEEN_WITHIN)
    assert "Freshly written" not in read(client, address)
    draft.publish()
    clock.shift(SEEN_WITHIN)
    assert "Freshly written" in read(client, address)


def test_a_preview_is_never_cached_nor_answered_from_the_cache(client: Client) -> None:
    page = InformationPage.objects.filter(locale__language_code="en").live().first()
    assert page is not None
    read(client, page.get_url())
    cached = len(PAGES.plain)
    page.intro = "Only a draft"
    preview = page.make_preview_request()
    assert "Only a draft" in preview.content.decode()
    assert "public" not in preview.headers["Cache-Control"]
    assert len(PAGES.plain) == cached
    assert "Only a draft" not in read(client, page.get_url())


def test_staff_see_what_they_have_just_changed(client: Client, clock: time_machine.Traveller) -> None:
    tea = make_tea()
    page = f"/shop/shopdetails/{tea.pk}"
    read(client, page)
    tea.price = Decimal("8.75")
    save_product(tea)
    client.force_login(User.objects.create_user("editor"))
    assert "8.75" in read(client, page)


def test_public_pages_vary_by_the_content_coding_only(client: Client) -> None:
    tea = make_tea()
    pages = ["/home", "/shop", "/brand", "/promotions", "/home/bulk", "/areas", "/download", "/home/about-us"]
    for page in [*pages, f"/shop/shopdetails/{tea.pk}"]:
        for language in ("", "/zh-hans"):
            response = client.get(language + page)
            assert (page, response.status_code) == (page, 200)
            assert response.headers["Vary"] == "Accept-Encoding"
            assert response.headers["Cache-Control"].startswith("public, max-age=")
            assert not response.cookies
