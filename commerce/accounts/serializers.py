"""Serialises customers and addresses for the wire (docs/wire.md#account)."""

from typing import Any

from django.utils.timezone import localdate

from commerce.accounts.devices import Device
from commerce.accounts.models import Address, AuthToken, Customer
from commerce.accounts.services.tokens import SLIDES_BY


def login_out(customer: Customer, token: str) -> dict[str, Any]:
    """Serialise a customer who has logged in, with the new token."""
    return {
        "token": token,
        "nickname": customer.nickname,
        "level": customer.level_number,
        "account": customer.account,
    }


def device_out(login: AuthToken, *, current: str) -> dict[str, Any]:
    """Serialise a login; `current` is the hash of the caller's token."""
    names = Device(login.browser, login.system).names()
    return {
        "id": login.pk,
        "device": names.en,
        "deviceZh": names.zh,
        "loginTime": login.created_at,
        # The previous release recorded the last use of a token only through its expiry time.
        "lastUsed": login.used_on or localdate(login.expires_at - SLIDES_BY),
        "isCurrent": login.token_hash == current,
    }


def address_copy(address: Address) -> dict[str, Any]:
    """Return the address fields that an order stores."""
    return {
        "addressId": address.pk,
        "addType": address.add_type,
        "contacts": address.contacts,
        "contactPhone": address.contact_phone,
        "countryName": address.country_name,
        "provinceName": address.province_name,
        "cityName": address.city_name,
        "areaName": address.area_name,
        "addressDetail": address.address_detail,
        "zipCode": address.zip_code,
    }


def address_out(address: Address) -> dict[str, Any]:
    """Serialise an address in the server's form (docs/product.md#things-and-their-fields)."""
    return address_copy(address) | {"isDefault": address.is_default}
