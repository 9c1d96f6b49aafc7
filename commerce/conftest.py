"""Fixtures of the tests of any app of commerce."""

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client

from commerce.accounts.services import captcha
from commerce.orders.tests.builders import Buyer


@pytest.fixture(autouse=True)
def _own_data(settings: LazySettings, tmp_path: Path) -> None:
    """Give each test its own outbox and private files."""
    settings.DATA_DIR = tmp_path


@pytest.fixture(autouse=True)
def _quick_captchas(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make captchas quick."""
    settings.CAPTCHA_COST = 1
    monkeypatch.setattr(captcha, "MIN_DERIVATIONS", 1)
    monkeypatch.setattr(captcha, "MAX_DERIVATIONS", 3)


@pytest.fixture
def buyer(db: None) -> Buyer:
    """A customer with an address in Perth, at the API."""
    return Buyer()


@pytest.fixture
def boss(db: None) -> Client:
    """The back office, open to a superuser."""
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client
