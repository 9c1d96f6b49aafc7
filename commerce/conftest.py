"""Fixtures of the tests of commerce."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from commerce.accounts.services import captcha


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
