"""Answers to a stuck lock, a slow statement, a lost database (docs/guarantees/operation.md#waiting)."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.db import (
    Error,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    connections,
    transaction,
)
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from wagtail.users.models import UserProfile

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_brand
from catalog.stock.models import StockLevel
from commerce.accounts.models import AuthToken
from commerce.orders.models import Order, Trade
from commerce.orders.tests.builders import Buyer, audit, make_stocked, nothing_changes
from core.database_errors import refusal_of
from core.database_limits import limit_task, limit_waiting
from core.errors import Err
from core.languages import CHINESE, ENGLISH

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such limit")

SHORT = {"lock": 0.2, "statement": 0.5, "idle": 0.2}


@pytest.fixture
def short_limits(settings: LazySettings) -> Iterator[None]:
    """The limits of a request, shortened."""
    settings.DATABASE_LIMITS = {**settings.DATABASE_LIMITS, "request": SHORT}
    limit_waiting("request")
    yield
    limit_task()


@contextmanager
def locked_elsewhere(lock: Callable[[], object]) -> Iterator[None]:
    """Hold what `lock` locks in another connection until the block ends."""
    is_locked, is_over = Event(), Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                lock()
                is_locked.set()
                # Without limits the request would go on waiting, and succeed after this.
                is_over.wait(20)
        finally:
            connection.close()

    limit_task()
    thread = Thread(target=hold)
    thread.start()
    try:
        assert is_locked.wait(10)
        limit_waiting("request")
        yield
    finally:
        is_over.set()
        thread.join()


@contextmanager
def database_out_of_reach() -> Iterator[None]:
    """Point this thread's connection to an address without a server."""
    nowhere = {"NAME": "/nowhere/shop.sqlite3"} if connection.vendor == "sqlite" else {"HOST": "127.0.0.1"}
    before = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(nowhere, PORT="1")
    yield
    connection.close()
    connection.settings_dict.update(before)


def refused_as(response: Any, err: Err) -> bool:
    """Assert that an answer asks to come again, in the envelope."""
    body = response.json()
    assert (response.status_code, body["reason"]) == (err.status, err.name)
    assert (body["code"], body["msg"], body["result"]) == (1, err.zh, None)
    return 1 <= int(response["Retry-After"]) <= 10


def page_refused_as(response: Any, err: Err, language: str) -> bool:
    """Assert that an answer is a page that asks to come again, in a language."""
    assert (response.status_code, response["Cache-Control"]) == (err.status, "no-store")
    assert response["Content-Type"].startswith("text/html")
    assert (err.zh if language == CHINESE else err.en) in response.content.decode()
    return 1 <= int(response["Retry-After"]) <= 10


def lock_stock() -> None:
    StockLevel.objects.update(reserved=0)


@pytest.mark.usefixtures("short_limits")
def test_a_buyer_who_meets_a_stuck_lock_is_asked_to_come_again_and_nothing_has_changed() -> None:
    buyer, rice = Buyer(), make_stocked(10)
    body = buyer.body((rice, 1))

    with locked_elsewhere(lock_stock), nothing_changes():
        response = buyer.client.post("/api/v1/pc/order", body, "application/json")
        assert refused_as(response, Err.shop_busy)

    assert buyer.send("POST", "/order", body)["code"] == 0
    assert Order.objects.count() == 1
    audit()


@pytest.mark.usefixtures("short_limits")
def test_what_is_sold_out_is_refused_without_waiting_for_a_stuck_lock() -> None:
    buyer, rice = Buyer(), make_stocked(1)
    body = buyer.body((rice, 2))
    with locked_elsewhere(lambda: Trade.objects.update(draft=None)), nothing_changes():
        assert buyer.send("POST", "/order", body)["reason"] == "stock_insufficient"


@pytest.mark.usefixtures("short_limits")
def test_a_customer_who_reads_does_not_wait_for_the_login_to_be_extended() -> None:
    buyer, soon = Buyer(), timezone.now() + timedelta(days=20)
    AuthToken.objects.update(expires_at=soon, used_on=timezone.localdate() - timedelta(days=10))
    with locked_elsewhere(lambda: AuthToken.objects.update(customer=F("customer"))):
        assert buyer.send("GET", "/user/userInfo")["code"] == 0
        assert AuthToken.objects.get().expires_at == soon
    assert buyer.send("GET", "/user/userInfo")["code"] == 0
    assert AuthToken.objects.get().expires_at > soon


PAGES = {ENGLISH: "/shop", CHINESE: "/zh-hans/shop"}


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("language", PAGES)
def test_a_page_that_meets_a_stuck_lock_asks_to_come_again(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_stocked(10)
    monkeypatch.setattr("catalog.browse.views.rate_now", lock_stock)
    with locked_elsewhere(lock_stock):
        response = Client(raise_request_exception=False).get(PAGES[language])
    assert page_refused_as(response, Err.shop_busy, language)


def sleep() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(20)")


@postgresql
@pytest.mark.usefixtures("short_limits")
def test_a_slow_statement_is_ended_and_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.browse.api.current_rate", sleep)
    assert refused_as(Client().get("/api/v1/pc/exchangeRate"), Err.shop_busy)
    monkeypatch.setattr("catalog.browse.views.rate_now", sleep)
    response = Client(raise_request_exception=False).get("/shop")
    assert page_refused_as(response, Err.shop_busy, ENGLISH)


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("language", PAGES)
def test_an_editor_who_meets_a_stuck_lock_reads_so_in_their_language(language: str) -> None:
    brand, editor = make_brand(), User.objects.create_superuser("boss", "boss@example.com", "secret")
    UserProfile.objects.create(user=editor, preferred_language=language)
    client = Client(raise_request_exception=False)
    client.force_login(editor)
    form = {"name_en": "Other", "name_zh": "其他", "pinned": "0"}

    with locked_elsewhere(lambda: Brand.objects.filter(pk=brand.pk).select_for_update().get()):
        response = client.post(reverse("brands:edit", args=[brand.pk]), form)
    assert page_refused_as(response, Err.shop_busy, language)
    assert Brand.objects.get().name_en == brand.name_en


@postgresql
@pytest.mark.usefixtures("short_limits")
def test_the_back_office_may_ask_for_longer(settings: LazySettings) -> None:
    editor = User.objects.create_superuser("boss", "boss@example.com", "secret")
    client = Client()
    client.force_login(editor)
    limits: list[str] = []

    def note(execute: Any, sql: str, *arguments: Any) -> Any:
        with connection.connection.cursor() as cursor:
            limits.append(cursor.execute("SHOW statement_timeout").fetchone()[0])
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        assert client.get("/admin/account/").status_code == 200
        Brand.objects.count()
    assert (limits[1], limits[-1]) == (f"{settings.BACK_OFFICE_STATEMENT_SECONDS:.0f}s", "500ms")


@pytest.mark.parametrize("language", PAGES)
def test_a_shop_without_its_database_shows_it(language: str) -> None:
    client = Client(raise_request_exception=False)
    with database_out_of_reach():
        assert refused_as(client.get("/api/v1/pc/home/classify"), Err.shop_unavailable)
        assert page_refused_as(client.get(PAGES[language]), Err.shop_unavailable, language)
        assert client.get("/livez").status_code == 200
        assert client.get("/readyz").status_code == 503
    assert client.get(PAGES[language]).status_code == 200


@contextmanager
def read_only_database() -> Iterator[None]:
    """Let this thread's connection only read, as a standby of PostgreSQL, or a file without permission."""
    on, off = ("PRAGMA query_only = 1", "PRAGMA query_only = 0")
    if connection.vendor == "postgresql":
        on, off = (f"SET default_transaction_read_only = {value}" for value in ("on", "off"))
    with connection.cursor() as cursor:
        cursor.execute(on)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(off)


def test_a_database_that_only_reads_answers_readers_and_refuses_writers() -> None:
    buyer, rice = Buyer(), make_stocked(10)
    body = buyer.body((rice, 1))
    brand, boss = make_brand(), User.objects.create_superuser("boss", "boss@example.com", "secret")
    editor, visitor = Client(raise_request_exception=False), Client(raise_request_exception=False)
    editor.force_login(boss)
    form = {"name_en": "Other", "name_zh": "其他", "pinned": "0"}
    AuthToken.objects.update(used_on=timezone.localdate() - timedelta(days=10))
    # The first page of a shop creates its settings.
    assert visitor.get("/shop").status_code == 200

    with read_only_database(), nothing_changes():
        assert visitor.get("/shop").status_code == 200
        assert buyer.send("GET", "/user/userInfo")["code"] == 0
        assert refused_as(
            buyer.client.post("/api/v1/pc/order", body, "application/json"), Err.shop_unavailable
        )
        login = {"account": "unknown@example.com", "password": "888888"}
        assert refused_as(visitor.post("/api/v1/pc/login", login, "application/json"), Err.shop_unavailable)
        typed = {"username": "boss", "password": "secret"}
        assert page_refused_as(visitor.post("/admin/login/", typed), Err.shop_unavailable, ENGLISH)
        saved = editor.post(reverse("brands:edit", args=[brand.pk]), form)
        assert page_refused_as(saved, Err.shop_unavailable, ENGLISH)

    assert buyer.send("POST", "/order", body)["code"] == 0
    audit()


@postgresql
@pytest.mark.usefixtures("short_limits")
def test_a_transaction_that_does_nothing_is_ended() -> None:
    class EndedError(Exception):
        """Raised with what the database has answered."""

    def use_after_idling() -> None:
        with transaction.atomic():
            lock_stock()
            own = connection.connection.info.backend_pid
            with psycopg.connect(**connections["default"].get_connection_params()) as other:
                while other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [own]).fetchone():
                    other.rollback()
            lock_stock()

    with pytest.raises(Error) as caught:
        use_after_idling()
    refused = refusal_of(caught.value)
    assert refused
    assert refused.err is Err.shop_busy
    assert StockLevel.objects.count() == 0


def database_error(cause: Exception, kind: type[Error] = OperationalError) -> Error:
    error = kind(*cause.args)
    error.__cause__ = cause
    return error


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("some text")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "err"),
    [
        (database_error(psycopg.errors.LockNotAvailable()), Err.shop_busy),
        (database_error(psycopg.errors.QueryCanceled()), Err.shop_busy),
        (database_error(psycopg.errors.DeadlockDetected()), Err.shop_busy),
        (database_error(psycopg.errors.SerializationFailure()), Err.shop_busy),
        (database_error(psycopg.errors.IdleInTransactionSessionTimeout()), Err.shop_busy),
        (database_error(psycopg.errors.TooManyConnections()), Err.shop_busy),
        (database_error(psycopg.OperationalError("FATAL:  sorry, too many clients already")), Err.shop_busy),
        (database_error(psycopg.errors.AdminShutdown()), Err.shop_unavailable),
        (database_error(psycopg.errors.DiskFull()), Err.shop_unavailable),
        (database_error(psycopg.errors.IoError()), Err.shop_unavailable),
        (database_error(psycopg.errors.ReadOnlySqlTransaction(), InternalError), Err.shop_unavailable),
        (database_error(psycopg.OperationalError("connection timeout expired")), Err.shop_unavailable),
        (database_error(sqlite_error(sqlite3.SQLITE_BUSY)), Err.shop_busy),
        (database_error(sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT)), Err.shop_busy),
        (database_error(sqlite_error(sqlite3.SQLITE_FULL)), Err.shop_unavailable),
        (database_error(sqlite_error(sqlite3.SQLITE_READONLY_DBMOVED)), Err.shop_unavailable),
        (database_error(sqlite_error(sqlite3.SQLITE_ERROR)), None),
        (database_error(psycopg.errors.UndefinedTable()), None),
        (database_error(psycopg.InterfaceError("no connection"), InterfaceError), None),
        (ValueError(), None),
    ],
    ids=lambda value: type(getattr(value, "__cause__", None) or value).__name__,
)
def test_an_error_that_passes_automatically_is_notified_from_a_fault(
    error: Exception, err: Err | None
) -> None:
    refused = refusal_of(error)
    assert (refused and refused.err) is err
