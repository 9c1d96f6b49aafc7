import pytest

from commerce.orders.tests.builders import Buyer


@pytest.fixture
def buyer(db: None) -> Buyer:
    """A customer with an address in Perth, at the API."""
    return Buyer()
