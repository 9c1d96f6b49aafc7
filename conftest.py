"""What every test of the shop can count on."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.core.cache import caches
from django.db import transaction
from django.db.backends.postgresql.operations import DatabaseOperations
from django.utils import translation
from pytest_django import DjangoDbBlocker


def _empties_the_database(test: pytest.Item) -> bool:
    marker = test.get_closest_marker("django_db")
    asked_for = {"live_server", "transactional_db"} & set(getattr(test, "fixturenames", ()))
    return bool(asked_for or (marker and marker.kwargs.get("transaction")))


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Keep the test database for the next run, unless a test takes away what the migrations have put in."""
    keeps = request.config.getoption("reuse_db")
    return bool(keeps and not any(map(_empties_the_database, request.session.items)))


@pytest.fixture(autouse=True, scope="session")
def _empty_tables_quickly() -> Iterator[None]:
    """Empty the tables after a test that commits by DELETE; TRUNCATE makes files and waits for the disk."""
    truncate = DatabaseOperations.sql_flush

    def delete(ops: Any, style: Any, tables: Sequence[str], **options: bool) -> list[str]:
        if options.get("reset_sequences"):
            return truncate(ops, style, tables, **options)
        return [f"DELETE FROM {ops.quote_name(table)}" for table in tables]  # noqa: S608  Django's tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", delete)
        yield


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    """Let no test find what another one has cached."""
    yield
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(autouse=True)
def _no_ones_goods() -> None:
    """Let no test see the lists and promotions of another one."""
    from catalog.browse import snapshot
    from catalog.promotions import offers

    snapshot.forget()
    offers.forget()


@pytest.fixture(autouse=True)
def _no_ones_language() -> Iterator[None]:
    """Let no test speak the language that another one's page was in."""
    yield
    translation.deactivate()


@pytest.fixture(scope="module")
def demo_content(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Load the demonstration's pages once for a module, over an empty catalogue; each test starts from them.

    Not for a module with tests that commit.
    """
    from content.demo import load_demo_content

    with django_db_blocker.unblock(), transaction.atomic():
        load_demo_content()
        yield
        transaction.set_rollback(True)
