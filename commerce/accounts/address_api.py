"""The API of the address book (docs/wire.md#addresses)."""

from typing import Any

from django.http import HttpRequest
from ninja import Router

from commerce.accounts import services
from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.schemas import AddressChange, AddressChoice, AddressId, AddressIn, AddressList
from commerce.accounts.serializers import address_out
from core.errors import Err
from core.wire import Envelope, envelope, path_id

router = Router(auth=token_auth)


@router.post("/v1/pc/setting/deliveryAddressNew", response=Envelope[AddressList])
def list_addresses(request: HttpRequest) -> dict[str, Any]:
    """List the customer's addresses, the default first."""
    return envelope({"list": [address_out(address) for address in customer_of(request).addresses.all()]})


@router.put("/v1/pc/setting/deliveryAddress/default", response=Envelope[int])
def choose_default(request: HttpRequest, body: AddressChoice) -> dict[str, Any]:
    """Make an address the default."""
    services.choose_default_address(customer=customer_of(request), address_id=body.addressId)
    return envelope(1)


@router.post("/v1/pc/setting/deliveryAddress", response=Envelope[AddressId])
def add_address(request: HttpRequest, body: AddressIn) -> dict[str, Any]:
    """Store a new address."""
    address = services.add_address(
        customer=customer_of(request),
        values=body.values(),
        make_default=bool(body.isDefault),
        is_confirmed=body.isConfirmed,
    )
    return envelope({"addressId": address.pk})


@router.put("/v1/pc/setting/deliveryAddress", response=Envelope[AddressId])
def change_address(request: HttpRequest, body: AddressChange) -> dict[str, Any]:
    """Replace an address."""
    address = services.change_address(
        customer=customer_of(request),
        address_id=body.addressId,
        values=body.values(),
        make_default=bool(body.isDefault),
        is_confirmed=body.isConfirmed,
    )
    return envelope({"addressId": address.pk})


@router.delete("/v1/pc/setting/deliveryAddress/{address_id}", response=Envelope[int])
def remove_address(request: HttpRequest, address_id: str) -> dict[str, Any]:
    """Delete an address."""
    services.remove_address(
        customer=customer_of(request), address_id=path_id(address_id, Err.parameter_error)
    )
    return envelope(1)
