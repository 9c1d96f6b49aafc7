"""Builders of customers for tests of any app."""

from functools import cache
from itertools import count
from typing import Any

from django.conf import settings

from commerce.accounts.models import Address, Customer, MemberLevel
from commerce.accounts.passwords import hash_password
from commerce.accounts.pay_hashes import hash_pay_password
from commerce.accounts.services import issue_token

PASSWORD = "888888"
ACCOUNT = "demo@example.com"
RIGHT = {"account": ACCOUNT, "password": PASSWORD}
WRONG = {"account": ACCOUNT, "password": "000000"}
PERTH = {
    "contacts": "Li Wei",
    "contact_phone": "+61412345678",
    "country_name": "Australia",
    "province_name": "WA",
    "area_name": "Perth",
    "address_detail": "1 Hay Street",
    "zip_code": "6000",
}
_numbers = count(1)


@cache
def _hash_of_password(_hasher: str, _pepper: str) -> str:
    """Hash PASSWORD, once for the settings on which the hash depends, since tests change them."""
    return hash_password(PASSWORD)


def make_level(number: int = 1) -> MemberLevel:
    """Make sure that a level exists: a test that empties the tables deletes it."""
    names = {"name_zh": "普通会员", "name_en": "Member"}
    return MemberLevel.objects.get_or_create(number=number, defaults=names)[0]


def make_customer(**kw: Any) -> Customer:
    """Make a customer whose login and pay password is PASSWORD; `pay_password=""` makes one without."""
    make_level(kw.get("level_id", 1))
    fields = {
        "account": f"customer{next(_numbers)}@example.com",
        "password": _hash_of_password(settings.PASSWORD_HASHERS[0], settings.PASSWORD_PEPPER),
        "pay_password": hash_pay_password(PASSWORD),
    }
    return Customer.objects.create(**fields | kw)


def make_address(customer: Customer, **kw: Any) -> Address:
    """Make an address in Perth for a customer; their first is the default."""
    fields = PERTH | {"is_default": not customer.addresses.exists()}
    return Address.objects.create(customer=customer, **fields | kw)


def auth_headers(customer: Customer) -> dict[str, Any]:
    """Log a customer in; returns what Django's test client takes as `headers=`."""
    return {"token": issue_token(customer)}
