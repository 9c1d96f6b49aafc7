"""API calls for a customer's consent, data copy and account deletion (docs/wire.md#account)."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from ninja import Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.services import check_login_password
from commerce.ledger.models import LedgerAccount
from commerce.ledger.services import balance_of
from commerce.privacy import services
from commerce.privacy.models import ConsentChange
from commerce.privacy.schemas import ConsentIn, ConsentOut, DeletionIn, DeletionOut, MyDataIn, MyDataOut
from commerce.privacy.serializers import consent_out, obstacles_out
from core.client import client_language
from core.wire import Envelope, envelope

router = Router()


@router.get("/v1/pc/setting/consent", response=Envelope[ConsentOut], auth=token_auth)
def get_consent(request: HttpRequest) -> dict[str, Any]:
    """Return whether the customer agrees to messages about offers, and when that changed."""
    return envelope(consent_out(customer_of(request)))


@router.put("/v1/pc/setting/consent", response=Envelope[ConsentOut], auth=token_auth)
def put_consent(request: HttpRequest, body: ConsentIn) -> dict[str, Any]:
    """Give or withdraw the customer's consent to marketing messages."""
    services.change_consent(
        customer=customer_of(request),
        is_given=body.marketing,
        source=ConsentChange.Source.account,
        language=client_language(request),
    )
    return envelope(consent_out(customer_of(request)))


@router.post("/v1/pc/setting/myData", response=Envelope[MyDataOut], auth=token_auth)
def give_my_data(request: HttpRequest, body: MyDataIn) -> dict[str, Any]:
    """Return a copy of all data that the shop stores about the customer; requires the login password."""
    file = services.give_copy(
        customer=customer_of(request),
        password=body.password,
        format=body.format,
        language=client_language(request),
        token=request.headers["token"],
    )
    return envelope({"fileName": file.name, "contentType": file.content_type, "content": file.content})


@router.get("/v1/pc/setting/deletion", response=Envelope[DeletionOut], auth=token_auth)
def get_deletion(request: HttpRequest) -> dict[str, Any]:
    """Return what blocks a deletion of the account, and what the customer would lose."""
    customer = customer_of(request)
    points = balance_of(customer=customer, kind=LedgerAccount.Kind.points)
    return envelope(
        {
            "obstacles": obstacles_out(services.obstacles_of(customer)),
            "points": max(0, int(points)),
            "recordYears": settings.TAX_RECORD_YEARS,
        }
    )


@router.post("/v1/pc/setting/deletion", response=Envelope[int], auth=token_auth)
def delete_my_account(request: HttpRequest, body: DeletionIn) -> dict[str, Any]:
    """Delete the customer's account; requires the login password."""
    customer = customer_of(request)
    check_login_password(customer=customer, password=body.password, token=request.headers["token"])
    services.delete_account(customer=customer, language=client_language(request))
    return envelope(1)
