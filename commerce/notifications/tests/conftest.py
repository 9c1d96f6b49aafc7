import pytest

from commerce.accounts.tests.builders import make_customer
from commerce.orders.tests.builders import Buyer


@pytest.fixture
def buyer(db: None) -> Buyer:
    """A customer with an email address and an address in Perth."""
    return Buyer(make_customer(account="mei@example.com"))
