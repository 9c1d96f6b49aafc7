"""Pages while the database is out of reach: the last copy of each (docs/guarantees/operation.md#waiting)."""

import threading
import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.conf import LazySettings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_brand
from catalog.goods.writing import save_brand
from config import urls
from config.page_cache import middleware, store
from config.page_cache.store import LIFE, OUTAGE_LIFE, PAGES, Outage
from config.tests.conftest import START
from config.tests.test_busy import database_out_of_reach, page_refused_as, refused_as
from core.errors import Err
from core.languages import ENGLISH
from core.pages.public import public_page

HOST = {"Host": "testserver"}
tries: list[str] = []
gone, faulty = threading.Event(), threading.Event()


@public_page()
def brands(_request: HttpRequest) -> HttpResponse:
    """Show what the database has."""
    return HttpResponse(", ".join(Brand.objects.values_list("name_en", flat=True)))


@public_page()
def counted(request: HttpRequest) -> HttpResponse:
    """Show how often it was tried, unless the database is gone or something is wrong."""
    tries.append(request.path)
    if gone.is_set():
        raise OperationalError("connection refused")
    if faulty.is_set():
        raise ValueError
    return HttpResponse(f"try {len(tries)}")


handler500 = urls.handler500
urlpatterns = [
    path("brands", brands),
    path("other", brands),
    path("counted", counted),
    path("second", counted),
    *urls.urlpatterns,
]

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def outage(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outage]:
    """What the page cache knows of the database; over after the test."""
    settings.PAGE_CACHE = True
    monkeypatch.setattr(middleware, "next_change", lambda now: None)
    known = Outage()
    monkeypatch.setattr(middleware, "OUTAGE", known)
    monkeypatch.setattr(store, "PAUSE_SECONDS", 0.01)
    tries.clear()
    gone.clear()
    faulty.clear()
    PAGES.clear()
    yield known
    gone.clear()
    wait_for_the_end(known)
    PAGES.clear()


@pytest.fixture
def client() -> Client:
    return Client(headers=HOST, raise_request_exception=False)


def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database answer again once `gone` is cleared."""
    monkeypatch.setattr(store, "_database_answers", lambda: not gone.is_set())


def wait_for_the_end(outage: Outage) -> None:
    until = time.monotonic() + 10
    while outage.is_on:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_page_seen_before_is_shown_while_the_database_is_gone_and_anything_else_is_refused(
    client: Client, clock: time_machine.Traveller, outage: Outage
) -> None:
    brand = make_brand(name_en="Before")
    before = client.get("/brands")
    clock.shift(LIFE)
    with database_out_of_reach():
        for _ in range(3):
            shown = client.get("/brands")
            assert (shown.status_code, shown.content) == (200, b"Before")
            # It is not stored for when the database is back.
            assert shown.headers["Cache-Control"] == "no-store"
            own = {"X-Request-ID", "Cache-Control"}
            assert {k: v for k, v in shown.headers.items() if k not in own} == {
                k: v for k, v in before.headers.items() if k not in own
            }
        assert client.head("/brands").status_code == 200
        assert client.get("/brands", headers={"If-None-Match": before.headers["ETag"]}).status_code == 304
        assert page_refused_as(client.get("/other"), Err.shop_unavailable, ENGLISH)
        assert refused_as(client.get("/api/v1/pc/home/classify"), Err.shop_unavailable)
        assert page_refused_as(client.get("/brands", headers={"token": "x"}), Err.shop_unavailable, ENGLISH)
    wait_for_the_end(outage)
    brand.name_en = "After"
    save_brand(brand)
    after = client.get("/brands")
    assert (after.content, after.headers["Cache-Control"][:6]) == (b"After", "public")


def test_once_it_is_noticed_no_page_that_was_seen_before_waits_for_the_database(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched(monkeypatch)
    pages = ["/counted", "/second"]
    before = [client.get(page).content for page in pages]
    clock.shift(LIFE)
    gone.set()
    tries.clear()
    for _ in range(3):
        assert [client.get(page).content for page in pages] == before
    assert tries == ["/counted"]


def test_a_page_is_rendered_again_in_time_as_soon_as_the_database_answers(
    client: Client, clock: time_machine.Traveller, outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched(monkeypatch)
    client.get("/counted")
    clock.shift(LIFE)
    gone.set()
    assert client.get("/counted").content == b"try 1"
    gone.clear()
    wait_for_the_end(outage)
    assert client.get("/counted").content == b"try 3"
    clock.shift(LIFE)
    assert client.get("/counted").content == b"try 4"


def test_a_fault_is_no_outage(client: Client, clock: time_machine.Traveller) -> None:
    client.get("/counted")
    clock.shift(LIFE)
    faulty.set()
    for _ in range(2):
        assert client.get("/counted").status_code == 500


@pytest.mark.parametrize("age", [LIFE, OUTAGE_LIFE - timedelta(seconds=1), OUTAGE_LIFE])
def test_a_copy_is_shown_until_its_age_is_too_high(
    age: timedelta, client: Client, clock: time_machine.Traveller
) -> None:
    client.get("/counted")
    clock.shift(age)
    gone.set()
    assert client.get("/counted").status_code == (503 if age == OUTAGE_LIFE else 200)


def test_no_copy_is_shown_after_the_end_of_a_promotion(
    client: Client, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = START + LIFE * 2
    monkeypatch.setattr(middleware, "next_change", lambda now: end)
    client.get("/counted")
    gone.set()
    clock.move_to(end - timedelta(seconds=1))
    assert client.get("/counted").status_code == 200
    clock.move_to(end)
    assert client.get("/counted").status_code == 503


def test_without_a_thread_to_watch_for_its_end_no_outage_begins(
    outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        outage.begin(time.monotonic())
    assert not outage.is_on


def test_who_asked_before_the_database_answered_again_begins_no_outage(
    outage: Outage, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched(monkeypatch)
    before = time.monotonic()
    gone.set()
    outage.begin(before)
    assert outage.is_on
    gone.clear()
    wait_for_the_end(outage)
    gone.set()
    outage.begin(before)
    assert not outage.is_on
    outage.begin(time.monotonic())
    assert outage.is_on
