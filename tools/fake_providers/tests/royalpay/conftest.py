from collections.abc import Iterator

import httpx
import pytest
from django.conf import LazySettings

from commerce.payments.providers.royalpay import client, provider
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.tests.polls import PATIENCE_SECONDS, asked_in_place


@pytest.fixture
def fake(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRoyalPay]:
    """The fake of RoyalPay, as the one that the shop uses; it sends no notice unasked."""
    monkeypatch.setattr(client, "TIMEOUT", httpx.Timeout(PATIENCE_SECONDS))
    for name in ("QUESTION_SECONDS", "WORK_SECONDS"):
        monkeypatch.setattr(provider, name, PATIENCE_SECONDS)
    fake = FakeRoyalPay(notifies=False)
    with asked_in_place(fake, settings):
        yield fake
