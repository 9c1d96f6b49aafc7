import pytest

from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_customer
from commerce.cart.tests.test_api import Caller


@pytest.fixture
def customer(db: None) -> Customer:
    return make_customer()


@pytest.fixture
def caller(customer: Customer) -> Caller:
    return Caller(customer)
