"""The address book: at most fifty addresses, one of them the default (docs/product.md#addresses)."""

from collections.abc import Mapping
from typing import Any

import phonenumbers
from phonenumbers import NumberParseException

from commerce.accounts.models import Address, Customer
from commerce.accounts.regions import Parts, wrong_part
from commerce.accounts.services.lock import lock_customer
from core.countries import country_codes
from core.errors import Err, ShopError
from core.transactions import in_transaction

MAX_ADDRESSES = 50
# Countries that require a post code or a city (docs/product.md#checkout).
REGION_REQUIRED = frozenset({"Australia", "China", "Malaysia", "Taiwan"})


@in_transaction
def add_address(
    *, customer: Customer, values: Mapping[str, Any], make_default: bool, is_confirmed: bool = False
) -> Address:
    """Store a new address; a customer's first address is always the default.

    `values`: fields of Address by name, texts trimmed. `is_confirmed`: as in `wrong_part`.
    Locks: the customer's row.
    Raises ShopError(parameter_error) with the wrong fields, or if the customer has MAX_ADDRESSES;
    ShopError(address_error) with the part that contradicts the others.
    """
    _check(values, is_confirmed)
    lock_customer(customer)
    others = customer.addresses.count()
    if others >= MAX_ADDRESSES:
        raise ShopError(Err.parameter_error)
    address = Address.objects.create(customer=customer, **values)
    if make_default or not others:
        _make_default(address)
    return address


@in_transaction
def change_address(
    *,
    customer: Customer,
    address_id: int,
    values: Mapping[str, Any],
    make_default: bool,
    is_confirmed: bool = False,
) -> Address:
    """Replace an address of the customer; it stays the default until another address becomes the default.

    `values`, `is_confirmed`: as in `add_address`. Locks: the customer's row. The region is checked only if it
    changes, since the region data may be newer than the stored address.
    Raises ShopError(parameter_error) with the wrong fields, or if the address is not the customer's;
    ShopError(address_error) with the part that contradicts the others.
    """
    lock_customer(customer)
    address = _own(customer, address_id)
    _check(values, is_confirmed, stored=address)
    for name, value in values.items():
        setattr(address, name, value)
    address.save(update_fields=list(values))
    if make_default:
        _make_default(address)
    return address


@in_transaction
def remove_address(*, customer: Customer, address_id: int) -> None:
    """Delete an address; if it was the default, the newest other address becomes the default.

    Locks: the customer's row. Raises ShopError(parameter_error) if the address is not the customer's.
    """
    lock_customer(customer)
    address = _own(customer, address_id)
    address.delete()
    newest = customer.addresses.order_by("-id").first()
    if address.is_default and newest:
        _make_default(newest)


@in_transaction
def choose_default_address(*, customer: Customer, address_id: int) -> None:
    """Make an address the only default.

    Locks: the customer's row. Raises ShopError(parameter_error) if the address is not the customer's.
    """
    lock_customer(customer)
    _make_default(_own(customer, address_id))


def _own(customer: Customer, address_id: int) -> Address:
    address = customer.addresses.filter(pk=address_id).first()
    if address is None:
        raise ShopError(Err.parameter_error)
    return address


def _make_default(address: Address) -> None:
    Address.objects.filter(customer=address.customer_id, is_default=True).update(is_default=False)
    Address.objects.filter(pk=address.pk).update(is_default=True)


def _check(values: Mapping[str, Any], is_confirmed: bool, stored: Address | None = None) -> None:
    wrong: dict[str, str] = {}
    if not values["contacts"]:
        wrong["contacts"] = Err.parameter_error.name
    if not values["address_detail"]:
        wrong["addressDetail"] = Err.address_error.name
    country = country_codes().get(values["country_name"])
    if country is None:
        wrong["countryName"] = Err.address_error.name
    if not _is_possible_number(values["contact_phone"], country):
        wrong["contactPhone"] = Err.parameter_error.name
    if values["country_name"] in REGION_REQUIRED and not (values["zip_code"] or values["city_name"]):
        wrong["zipCode"] = Err.address_error.name
    if wrong:
        raise ShopError(Err.parameter_error, fields=wrong)
    parts = _parts(values)
    is_same_place = stored is not None and parts == _parts(vars(stored))
    if not is_same_place and (part := wrong_part(parts, is_confirmed=is_confirmed)):
        raise ShopError(Err.address_error, fields={part: Err.address_error.name})


def _parts(values: Mapping[str, Any]) -> Parts:
    return Parts(
        country=values["country_name"],
        province=values.get("province_name", ""),
        city=values["city_name"],
        area=values.get("area_name", ""),
        post_code=values["zip_code"],
    )


def _is_possible_number(phone: str, country: str | None) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(phone, country))
    except NumberParseException:
        return False
