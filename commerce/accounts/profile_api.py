"""The API of a customer's profile and devices (docs/wire.md#profile)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from commerce.accounts import services
from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.schemas import DeviceList, EndLoginsQuery, ProfileChange
from commerce.accounts.serializers import device_out
from core.errors import Err
from core.ids import digest
from core.wire import Envelope, envelope, path_id

router = Router(auth=token_auth)


@router.put("/v1/pc/setting/profile", response=Envelope[int])
def change_profile(request: HttpRequest, body: ProfileChange) -> dict[str, Any]:
    """Change the nickname and the language, each only if it is sent."""
    services.change_profile(
        customer=customer_of(request), nickname=body.nickname, language=body.language_code()
    )
    return envelope(1)


@router.get("/v1/pc/setting/devices", response=Envelope[DeviceList])
def list_devices(request: HttpRequest) -> dict[str, Any]:
    """List the customer's logged-in devices, most recently used first."""
    current = digest(request.headers["token"])
    logins = services.devices_of(customer_of(request))
    return envelope({"list": [device_out(login, current=current) for login in logins]})


@router.delete("/v1/pc/setting/devices/{login_id}", response=Envelope[int])
def end_login(request: HttpRequest, login_id: str) -> dict[str, Any]:
    """Log out one device."""
    services.end_login(customer=customer_of(request), login_id=path_id(login_id, Err.parameter_error))
    return envelope(1)


@router.delete("/v1/pc/setting/devices", response=Envelope[int])
def end_logins(request: HttpRequest, query: Query[EndLoginsQuery]) -> dict[str, Any]:
    """Log out all other devices; with `everywhere`, this one too."""
    kept = "" if query.everywhere else request.headers["token"]
    services.revoke_all_tokens(customer_of(request), except_token=kept)
    return envelope(1)
