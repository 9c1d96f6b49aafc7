"""A PostgreSQL server that accepts requests and never answers (docs/guarantees/operation.md#waiting)."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import pytest
from django.conf import LazySettings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.goods.models import Brand
from catalog.goods.tests.builders import make_brand
from config.tests.test_busy import refused_as
from core.database_errors import refusal_of
from core.database_limits import Role, limit_task, limit_waiting, statement_limit
from core.errors import Err

if connection.vendor != "postgresql":
    pytest.skip("SQLite has no server", allow_module_level=True)

from core import postgresql
from core.postgresql import base

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("short_limits")]

STATEMENT, MARGIN, HEALTH = 0.3, 0.2, 0.1


@pytest.fixture
def short_limits(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The limits of a request, shortened."""
    monkeypatch.setattr(postgresql, "MARGIN_SECONDS", MARGIN)
    monkeypatch.setattr(base, "HEALTH_SECONDS", HEALTH)
    before = settings.DATABASE_LIMITS
    settings.DATABASE_LIMITS = {
        "request": {"lock": 0.2, "statement": STATEMENT, "idle": 5},
        "task": {"lock": 1, "statement": 5, "idle": 5},
        "migration": {"lock": 1, "statement": 0, "idle": 0},
    }
    limit_waiting("request")
    yield
    settings.DATABASE_LIMITS = before
    monkeypatch.undo()
    limit_task()


class Line:
    """A line to the server that passes everything on until it is cut; then it swallows all."""

    def __init__(self, listener: socket.socket, server: Callable[[], socket.socket]) -> None:
        self._listener, self._server = listener, server
        self._is_cut = Event()
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Swallow everything from now on, new connections too."""
        self._is_cut.set()
        # Closing alone would leave it open for the thread that accepts.
        self._listener.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, server = self._listener.accept()[0], self._server()
                for one, other in ((client, server), (server, client)):
                    Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(65536):
                if not self._is_cut.is_set():
                    other.sendall(piece)
            other.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def line() -> Iterator[Line]:
    """A line that this thread's connection goes through."""
    connection.ensure_connection()
    info = connection.connection.info
    host, port = info.host, info.port

    def server() -> socket.socket:
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        opened = socket.socket(socket.AF_UNIX)
        opened.connect(f"{host}/.s.PGSQL.{port}")
        return opened

    before = dict(connection.settings_dict)
    connection.close()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        line = Line(listener, server)
        connection.settings_dict.update(HOST="127.0.0.1", PORT=listener.getsockname()[1])
        yield line
    connection.close()
    connection.settings_dict.clear()
    connection.settings_dict.update(before)


@contextmanager
def ended_within(least: float, most: float) -> Iterator[None]:
    """Assert that the block is refused as without a database, and neither too soon nor too late."""
    started = time.monotonic()
    with pytest.raises(DatabaseError) as caught:
        yield
    assert least <= time.monotonic() - started < most
    refused = refusal_of(caught.value)
    assert refused
    assert refused.err is Err.shop_unavailable


def ask() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def test_a_statement_that_is_never_answered_ends_shortly_after_the_servers_own_limit(line: Line) -> None:
    ask()
    line.cut()
    with ended_within(STATEMENT + MARGIN, STATEMENT + MARGIN + 1):
        ask()
    # No late answer can be taken for that of another statement.
    with ended_within(0, MARGIN):
        ask()


def test_a_transaction_whose_beginning_is_never_answered_ends(line: Line) -> None:
    ask()
    line.cut()
    with ended_within(STATEMENT + MARGIN, STATEMENT + MARGIN + 1), transaction.atomic():
        ask()


def test_a_transaction_whose_commit_is_never_answered_ends(line: Line) -> None:
    brand = make_brand()
    with ended_within(STATEMENT + MARGIN, STATEMENT + MARGIN + 1), transaction.atomic():
        Brand.objects.filter(pk=brand.pk).select_for_update().get()
        line.cut()


def test_a_slow_statement_of_a_living_server_is_still_ended_by_the_server() -> None:
    with pytest.raises(OperationalError) as caught, connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(20)")
    refused = refusal_of(caught.value)
    assert refused
    assert refused.err is Err.shop_busy
    ask()


def test_who_waits_for_notices_for_a_while_keeps_the_connection() -> None:
    ask()
    for seconds in (0, 0.1):
        started = time.monotonic()
        assert list(connection.connection.notifies(timeout=seconds)) == []
        assert time.monotonic() - started < STATEMENT
    ask()


def test_a_silent_server_is_noticed_soon_at_the_beginning_of_a_request(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask()
    monkeypatch.setattr(base, "ANSWERED_SECONDS", 0)
    connection.close_if_unusable_or_obsolete()
    line.cut()
    with ended_within(HEALTH, STATEMENT):
        ask()


def test_a_connection_is_asked_at_the_beginning_of_a_request_unless_it_answered_a_moment_ago(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask()
    with CaptureQueriesContext(connection) as asked:
        assert connection.is_usable()
    assert not asked
    line.cut()
    monkeypatch.setattr(base, "ANSWERED_SECONDS", 0)
    assert not connection.is_usable()


def test_a_connection_that_has_just_failed_is_asked_whether_it_can_be_used(line: Line) -> None:
    ask()
    line.cut()
    assert connection.is_usable()
    with pytest.raises(DatabaseError):
        ask()
    assert not connection.is_usable()


def test_a_call_that_the_server_never_answers_is_refused(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask_in_vain() -> None:
        ask()
        line.cut()
        ask()

    monkeypatch.setattr("catalog.browse.api.current_rate", ask_in_vain)
    assert refused_as(Client().get("/api/v1/pc/exchangeRate"), Err.shop_unavailable)


def test_the_back_office_is_waited_for_longer(line: Line) -> None:
    longer = STATEMENT * 3
    with ended_within(longer + MARGIN, longer + MARGIN + 1), statement_limit(longer):
        line.cut()
        ask()


def test_after_the_back_office_the_limit_is_the_requests_again(line: Line) -> None:
    with statement_limit(30):
        ask()
    line.cut()
    with ended_within(STATEMENT + MARGIN, STATEMENT + MARGIN + 1):
        ask()


@pytest.mark.parametrize(
    ("role", "seconds"), [("request", STATEMENT + MARGIN), ("task", 5.2), ("migration", 0)]
)
def test_a_process_waits_as_long_as_its_server_allows_statements(role: Role, seconds: float) -> None:
    limit_waiting(role)
    connection.ensure_connection()
    assert connection.connection.longest_wait == seconds
