"""Refusals that services raise, in tests."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.errors import Err, ShopError


@contextmanager
def refusal(err: Err, fields: dict[str, str] | None = None) -> Iterator[None]:
    """Assert that the block is refused with an error, and where they are given, with its fields."""
    with pytest.raises(ShopError) as refused:
        yield
    assert refused.value.err is err
    assert fields is None or refused.value.fields == fields
