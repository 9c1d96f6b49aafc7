from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from commerce.accounts.tests.builders import make_level
from commerce.accounts.tests.phone import Phone


@pytest.fixture(autouse=True)
def small_and_private(settings: LazySettings, tmp_path: Path) -> None:
    """Keep each test's outbox to itself, and make captchas quick."""
    settings.DATA_DIR = tmp_path
    settings.CAPTCHA_COST = 1


@pytest.fixture
def phone(db: None, client: Any, django_capture_on_commit_callbacks: Any) -> Phone:
    """A customer's telephone: calls the API, solves captchas and reads messages."""
    make_level()
    return Phone(client, django_capture_on_commit_callbacks)
