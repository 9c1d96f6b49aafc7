"""The API of a customer's balances and points history (docs/wire.md#useruserinfo)."""

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.schemas import IntegralEntry, UserInfo
from commerce.ledger.serializers import points_entry_out, user_info_out
from core.wire import Envelope, Page, PageQuery, envelope, paged

router = Router()


@router.get("/v1/pc/user/userInfo", response=Envelope[UserInfo], auth=token_auth)
def user_info(request: HttpRequest) -> dict[str, Any]:
    """Return the logged-in customer, their wallet balance and their points."""
    return envelope(user_info_out(customer_of(request)))


@router.get("/v1/pc/user/integral/detailed", response=Envelope[Page[IntegralEntry]], auth=token_auth)
def points_history(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the customer's points entries, newest first."""
    points = LedgerEntry.objects.filter(
        account__customer=customer_of(request), account__kind=LedgerAccount.Kind.points
    )
    page = paged(points, query)
    page["list"] = [points_entry_out(entry) for entry in page["list"]]
    return envelope(page)
