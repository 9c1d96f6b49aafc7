from collections.abc import Iterator

import httpx
import pytest
from django.conf import LazySettings

from commerce.payments.doubles.royalpay import RoyalPayDouble
from commerce.payments.providers.royalpay import client, provider
from commerce.payments.tests.doubles import asked_in_place

# Longer than a busy machine takes.
PATIENCE_SECONDS = 60


@pytest.fixture
def double(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[RoyalPayDouble]:
    """The double of RoyalPay, as the one that the shop asks; it sends no notice by itself."""
    monkeypatch.setattr(client, "TIMEOUT", httpx.Timeout(PATIENCE_SECONDS))
    for name in ("QUESTION_SECONDS", "WORK_SECONDS"):
        monkeypatch.setattr(provider, name, PATIENCE_SECONDS)
    double = RoyalPayDouble(notifies=False)
    with asked_in_place(double, settings):
        yield double
