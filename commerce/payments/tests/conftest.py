from importlib import import_module

import pytest
from django.apps import apps
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _pay_types(db: None) -> None:
    """Restore what the migration wrote, since tests that commit empty the tables."""
    import_module("commerce.payments.migrations.0001_initial").add_pay_types(apps, None)


@pytest.fixture(autouse=True)
def _unreachable_notice_url(settings: Settings) -> None:
    """Send notices to a closed port, unless a test starts a server."""
    settings.PRODUCTION, settings.SITE_URL = True, "http://127.0.0.1:1"
