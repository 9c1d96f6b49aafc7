"""Fixtures and options of every test."""

import gc
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from _pytest import runner
from django.core.cache import caches
from django.core.management.commands import flush
from django.test import TransactionTestCase
from django.utils import translation
from pytest_django import DjangoDbBlocker

from tests import databases

# Django fills these tables after the migrations, with the same rows for every test.
FILLED_AFTER_MIGRATIONS = frozenset({"django_content_type", "auth_permission"})


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run leave out what another run has."""
    parser.addoption("--quick", action="store_true", help="Leave out slow tests, races and the browser.")
    parser.addoption(
        "--database-only", action="store_true", help="Leave out the tests that no database changes."
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests from a quick run, and from that on a second database what it could not change."""
    out = []
    if config.getoption("quick"):
        out = [item for item in items if _is_slow(item)]
    if config.getoption("database_only"):
        out += [item for item in items if not _depends_on_database(item)]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in set(out)]


def pytest_collection() -> None:
    """Keep the bytecode of the tests, which every process of every part of a run needs."""
    sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Collect garbage more rarely, and never look through what lives as long as the tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test where all its calls find room, which saves a tenth of its time.

    Python takes the memory of calls in pieces of 16 KB. A loop that calls across the end of a piece would ask
    the system for the next one, and give it back, at every turn.
    """
    return _run_in_a_large_piece(item, nextitem)


def _run_in_a_large_piece(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    return runner.pytest_runtest_protocol(item, nextitem)


# A call's memory is in one piece: of this one's megabyte the call itself has 800 KB, those within the rest.
_run_in_a_large_piece.__code__ = _run_in_a_large_piece.__code__.replace(co_stacksize=100_000)


def _is_slow(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    commits = mark and mark.kwargs.get("transaction")
    return bool(commits or item.get_closest_marker("slow") or item.get_closest_marker("browser"))


def _depends_on_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("any_database"):
        return False
    # To any test without these pytest-django refuses every connection.
    fixtures = {"db", "transactional_db", "live_server", "django_db_setup"}
    return bool(
        item.get_closest_marker("django_db")
        or fixtures & set(getattr(item, "fixturenames", ()))
        or issubclass(getattr(item, "cls", None) or object, TransactionTestCase)
    )


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Give this process a copy of the migrated database."""
    with django_db_blocker.unblock():
        name = databases.create()
        databases.use(name)
    yield
    with django_db_blocker.unblock():
        databases.drop(name)


@pytest.fixture(autouse=True, scope="session")
def _empty_tables_quickly() -> Iterator[None]:
    """Empty the tables after a test that commits, except those of FILLED_AFTER_MIGRATIONS."""

    def delete(_style: Any, connection: Any, **_options: bool) -> list[str]:
        # TRUNCATE makes files and waits for the disk.
        tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False))
        quoted = map(connection.ops.quote_name, tables - FILLED_AFTER_MIGRATIONS)
        return [f"DELETE FROM {name}" for name in quoted]  # noqa: S608  Django's tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "sql_flush", delete)
        # Its handlers would only fill the tables that are left alone.
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_arguments: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_pauses_for_other_writers() -> Iterator[None]:
    """Write batch after batch: nobody else waits for the test's file of SQLite."""
    from core import batches

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "SQLITE_PAUSE_SECONDS", 0)
        yield


@pytest.fixture(autouse=True, scope="session")
def _answers_keep_their_schemas() -> Iterator[None]:
    """Hold every answer that a call writes by itself to the schema that it declares."""
    from ninja.operation import Operation

    from tests.declared_answers import check_answer

    write = Operation._result_to_response

    def checked(self: Operation, request: Any, result: Any, temporal_response: Any) -> Any:
        response = write(self, request, result, temporal_response)
        if response is result:
            try:
                check_answer(self, request, response)
            except (AssertionError, ValueError) as error:
                # The API would turn it into a server error.
                pytest.fail(str(error))
        return response

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Operation, "_result_to_response", checked)
        yield


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    """Empty the caches after each test."""
    yield
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(autouse=True)
def _no_failures() -> None:
    """Forget what has failed in another test: rows of sweeps, gateways."""
    from core import due_rows, gateways

    due_rows._failures.clear()
    gateways.gateway.cache_clear()


@pytest.fixture(autouse=True)
def _no_cached_snapshots() -> None:
    """Forget the lists, promotions and settings that another test has cached."""
    from core.snapshots import invalidate_all

    invalidate_all()


@pytest.fixture(autouse=True)
def _default_language() -> Iterator[None]:
    """Reset the language that a page of the test has activated."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def demo_database(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Load the demonstration's pages, over an empty catalogue, into a database of their own."""
    from content.demo import load_demo_content

    with django_db_blocker.unblock():
        name = databases.create_filled("_demo", load_demo_content)
    yield name
    with django_db_blocker.unblock():
        databases.drop(name)


@pytest.fixture(scope="module")
def demo_content(demo_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Start each test of a module from the demonstration's pages; not for tests that commit."""
    with django_db_blocker.unblock():
        before = databases.use(demo_database)
    yield
    with django_db_blocker.unblock():
        databases.use(before)
