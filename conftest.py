"""Fixtures and options of every test."""

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.core.management.commands import flush
from django.test import Client
from django.utils import translation
from pytest_django import DjangoDbBlocker

from tests import databases

# Django fills these tables after the migrations, with the same rows for every test.
FILLED_AFTER_MIGRATIONS = frozenset({"django_content_type", "auth_permission"})


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that choose which tests run (docs/testing.md)."""
    parser.addoption("--quick", action="store_true", help="Leave out slow tests, races and the browser.")
    parser.addoption(
        "--second-database", action="store_true", help="Run only the tests that depend on the database."
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect slow tests in a quick run, and most tests in the run on the second database."""
    out = []
    if config.getoption("quick"):
        out = [item for item in items if _is_slow(item)]
    if config.getoption("second_database"):
        out += [item for item in items if not _depends_on_database(item)]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in set(out)]


def pytest_collection_finish() -> None:
    """Collect garbage more rarely, and never look through what lives as long as the tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    return bool(
        (mark and mark.kwargs.get("transaction"))
        or {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    )


def _is_slow(item: pytest.Item) -> bool:
    return _commits(item) or bool(item.get_closest_marker("slow") or item.get_closest_marker("browser"))


def _depends_on_database(item: pytest.Item) -> bool:
    return _commits(item) or item.get_closest_marker("both_databases") is not None


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
def _answers_keep_their_schemas() -> Iterator[None]:
    """Check every answer that a call writes itself against the schema that it declares."""
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
    """Forget what has failed in another test: rows of periodic jobs, gateways."""
    from core import due_rows, gateways

    due_rows._failures.clear()
    gateways.gateway.cache_clear()


@pytest.fixture(autouse=True, scope="session")
def _own_files() -> Iterator[None]:
    """Let each folder be that of the database, also in fixtures of many tests; tests of the mark undo it."""
    from core import data_mark

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_mark, "_latest", data_mark._Result("", float("inf")))
        yield


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


@pytest.fixture
def staff(client: Client) -> Client:
    """Log in a user with all permissions."""
    from django.contrib.auth.models import User

    client.force_login(User.objects.create_superuser("manager"))
    return client
