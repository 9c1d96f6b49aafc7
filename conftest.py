"""What every test of the shop can count on."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches
from django.utils import translation


def _empties_the_database(test: pytest.Item) -> bool:
    marker = test.get_closest_marker("django_db")
    asked_for = {"live_server", "transactional_db"} & set(getattr(test, "fixturenames", ()))
    return bool(asked_for or (marker and marker.kwargs.get("transaction")))


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Keep the test database for the next run, unless a test takes away what the migrations have put in."""
    keeps = request.config.getoption("reuse_db")
    return bool(keeps and not any(map(_empties_the_database, request.session.items)))


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    """Let no test find what another one has cached."""
    yield
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(autouse=True)
def _no_ones_language() -> Iterator[None]:
    """Let no test speak the language that another one's page was in."""
    yield
    translation.deactivate()
