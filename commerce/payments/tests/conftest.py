import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def nobody_listens(settings: Settings) -> None:
    """Send notices where nothing answers, unless a test starts a server."""
    settings.SITE_URL = "http://127.0.0.1:1"
