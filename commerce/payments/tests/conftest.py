from importlib import import_module

import pytest
from django.apps import apps
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _pay_types(db: None) -> None:
    """Bring back what the migration wrote: tests that commit leave an empty database behind."""
    import_module("commerce.payments.migrations.0002_pay_types").add_pay_types(apps, None)


@pytest.fixture(autouse=True)
def _nobody_listens(settings: Settings) -> None:
    """Send notices where nothing answers, unless a test starts a server."""
    settings.PRODUCTION, settings.SITE_URL = True, "http://127.0.0.1:1"
