from collections.abc import Iterator

import httpx
import pytest
from django.conf import LazySettings

from commerce.payments.providers.paypal import client, notices
from commerce.payments.providers.paypal import provider as provider_module
from commerce.payments.providers.paypal.provider import PayPalProvider
from tools.fake_providers.paypal import FakePayPal
from tools.fake_providers.paypal_signing import Signer
from tools.fake_providers.tests.polls import PATIENCE_SECONDS, asked_in_place


@pytest.fixture(scope="session")
def signer() -> Signer:
    """The keys of every fake, since they take a while to make."""
    return Signer()


@pytest.fixture
def paypal(settings: LazySettings, signer: Signer, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePayPal]:
    """The fake of PayPal, as the one that the shop uses; it sends no notice unasked."""
    monkeypatch.setattr(client, "TIMEOUT", httpx.Timeout(PATIENCE_SECONDS))
    for module, name in (
        (provider_module, "QUESTION_SECONDS"),
        (provider_module, "WORK_SECONDS"),
        (notices, "MAX_SECONDS"),
    ):
        monkeypatch.setattr(module, name, PATIENCE_SECONDS)
    fake = FakePayPal(notifies=False, signer=signer)
    with asked_in_place(fake, settings):
        yield fake


@pytest.fixture
def provider() -> PayPalProvider:
    """The shop's side, with nothing in its memory."""
    return PayPalProvider()
