from pathlib import Path

import pytest
from django.conf import LazySettings

from commerce.accounts.tests.builders import make_address, make_customer
from commerce.orders.tests.builders import Buyer


@pytest.fixture(autouse=True)
def own_outbox(settings: LazySettings, tmp_path: Path) -> None:
    """Give each test its own outbox."""
    settings.DATA_DIR = tmp_path


@pytest.fixture
def buyer(db: None) -> Buyer:
    """A customer with an email address and an address in Perth."""
    customer = make_customer(account="mei@example.com")
    make_address(customer)
    return Buyer(customer)
