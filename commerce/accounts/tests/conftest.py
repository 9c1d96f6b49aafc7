from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from huey.contrib.djhuey import HUEY

from commerce.accounts.tests.phone import Phone


@pytest.fixture(autouse=True)
def small_and_private(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep each test's outbox to itself, make captchas quick and tasks run where they are called."""
    settings.DATA_DIR = tmp_path
    settings.CAPTCHA_COST = 1
    monkeypatch.setattr(HUEY, "immediate", True)


@pytest.fixture
def phone(client: Any, django_capture_on_commit_callbacks: Any) -> Phone:
    """A customer's telephone: calls the API, solves captchas and reads messages."""
    return Phone(client, django_capture_on_commit_callbacks)
