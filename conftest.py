"""What every test of the shop can count on."""

from collections.abc import Iterator

import pytest
from django.core.cache import caches


@pytest.fixture(autouse=True)
def _empty_caches() -> Iterator[None]:
    """Let no test find what another one has cached."""
    yield
    for cache in caches.all(initialized_only=True):
        cache.clear()
