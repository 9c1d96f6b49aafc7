import pytest

from commerce.payments.models import PayType
from commerce.payments.tests.builders import make_pay_types


@pytest.fixture(autouse=True)
def pay_types(db: None) -> None:
    """Make the pay types again where a test has emptied the tables."""
    if not PayType.objects.exists():
        make_pay_types()
