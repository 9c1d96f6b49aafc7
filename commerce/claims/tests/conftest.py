from pathlib import Path

import pytest
from django.conf import LazySettings

from commerce.orders.tests.builders import Buyer
from commerce.payments.models import PayType
from commerce.payments.tests.builders import make_pay_types


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    """Keep the files of each test apart; returns the folder of its pictures."""
    settings.DATA_DIR = tmp_path
    return tmp_path / "claims"


@pytest.fixture(autouse=True)
def pay_types(db: None) -> None:
    """Make the pay types again where a test has emptied the tables."""
    if not PayType.objects.exists():
        make_pay_types()


@pytest.fixture
def buyer(pay_types: None) -> Buyer:
    """A customer with an address in Perth, at the API."""
    return Buyer()
