"""What a customer has (docs/wire.md#useruserinfo)."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.schemas import BalanceEntry, IntegralEntry, UserInfo
from commerce.ledger.serializers import balance_entry_out, points_entry_out, user_info_out
from core.wire import Envelope, Page, PageQuery, envelope, paged

router = Router()

Kind = LedgerAccount.Kind


@router.get("/v1/pc/user/userInfo", response=Envelope[UserInfo], auth=token_auth)
def user_info(request: HttpRequest) -> dict[str, Any]:
    """Say who is logged in and what they have."""
    return envelope(user_info_out(customer_of(request)))


@router.get("/v1/pc/user/balance/detailed", response=Envelope[Page[BalanceEntry]], auth=token_auth)
def balance_history(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the entries of the wallet, newest first."""
    page = paged(_entries(customer_of(request), Kind.wallet), query)
    page["list"] = [balance_entry_out(entry) for entry in page["list"]]
    return envelope(page)


@router.get("/v1/pc/user/integral/detailed", response=Envelope[Page[IntegralEntry]], auth=token_auth)
def points_history(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the entries of the points, newest first."""
    page = paged(_entries(customer_of(request), Kind.points), query)
    page["list"] = [points_entry_out(entry) for entry in page["list"]]
    return envelope(page)


def _entries(customer: Customer, kind: LedgerAccount.Kind) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(account__customer=customer, account__kind=kind)
