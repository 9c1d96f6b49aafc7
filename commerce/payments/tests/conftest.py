import pytest
from pytest_django import Settings

from commerce.orders.tests.builders import Buyer
from commerce.payments.tests.builders import make_pay_types


@pytest.fixture(autouse=True)
def _pay_types(db: None) -> None:
    """Restore what the migration wrote, since tests that commit empty the tables."""
    make_pay_types()


@pytest.fixture(autouse=True)
def _unreachable_notice_url(settings: Settings) -> None:
    """Send notices to a closed port, unless a test starts a server."""
    settings.PRODUCTION, settings.SITE_URL = True, "http://127.0.0.1:1"


@pytest.fixture
def buyer(_pay_types: None) -> Buyer:
    """A customer with an address in Perth, at the API."""
    return Buyer()
