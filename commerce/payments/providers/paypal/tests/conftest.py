from collections.abc import Iterator

import httpx
import pytest
from django.conf import LazySettings

from commerce.payments.doubles.paypal import PayPalDouble
from commerce.payments.doubles.paypal_signing import Signer
from commerce.payments.providers.paypal import client, notices
from commerce.payments.providers.paypal import provider as provider_module
from commerce.payments.providers.paypal.provider import PayPalProvider
from commerce.payments.tests.doubles import asked_in_place

# Longer than a busy machine takes.
PATIENCE_SECONDS = 60


@pytest.fixture(scope="session")
def signer() -> Signer:
    """The keys of every double, since they take a while to make."""
    return Signer()


@pytest.fixture
def paypal(settings: LazySettings, signer: Signer, monkeypatch: pytest.MonkeyPatch) -> Iterator[PayPalDouble]:
    """The double of PayPal, as the one that the shop asks; it sends no notice by itself."""
    monkeypatch.setattr(client, "TIMEOUT", httpx.Timeout(PATIENCE_SECONDS))
    for module, name in (
        (provider_module, "QUESTION_SECONDS"),
        (provider_module, "WORK_SECONDS"),
        (notices, "MAX_SECONDS"),
    ):
        monkeypatch.setattr(module, name, PATIENCE_SECONDS)
    double = PayPalDouble(notifies=False, signer=signer)
    with asked_in_place(double, settings):
        yield double


@pytest.fixture
def provider() -> PayPalProvider:
    """The shop's side, with nothing in its memory."""
    return PayPalProvider()
