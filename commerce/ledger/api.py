"""What a customer has (CONTRACT 5)."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router

from commerce.accounts.auth import customer_of, token_auth
from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.schemas import BalanceEntry, IntegralEntry, UserInfo
from commerce.ledger.services import balance_of
from core.wire import Envelope, Page, PageQuery, envelope, paged

router = Router()

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason
# The wire tells reasons in Chinese whatever the language; clients translate them.
REASON_ZH = {
    Reason.opening: "期初余额",
    Reason.payment: "订单付款",
    Reason.refund: "退款",
    Reason.recharge: "充值",
    Reason.adjustment: "管理员调整",
}


@router.get("/v1/pc/user/userInfo", response=Envelope[UserInfo], auth=token_auth)
def user_info(request: HttpRequest) -> dict[str, Any]:
    """Tell who is logged in and what they have."""
    customer = customer_of(request)
    return envelope(
        {
            "account": customer.account,
            "nickname": customer.nickname,
            "level": customer.level.number,
            "levelName": customer.level.name_zh,
            "levelNameEn": customer.level.name_en,
            "balance": balance_of(customer, Kind.wallet),
            "integral": int(balance_of(customer, Kind.points)),
            "hasPayPassword": bool(customer.pay_password),
        }
    )


@router.get("/v1/pc/user/balance/detailed", response=Envelope[Page[BalanceEntry]], auth=token_auth)
def balance_history(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the movements of the wallet, newest first."""
    page = paged(_entries(customer_of(request), Kind.wallet), query)
    page["list"] = [
        _entry_out(entry) | {"amount": entry.amount, "refNo": entry.reference} for entry in page["list"]
    ]
    return envelope(page)


@router.get("/v1/pc/user/integral/detailed", response=Envelope[Page[IntegralEntry]], auth=token_auth)
def points_history(request: HttpRequest, query: Query[PageQuery]) -> dict[str, Any]:
    """List the movements of the points, newest first."""
    page = paged(_entries(customer_of(request), Kind.points), query)
    page["list"] = [
        _entry_out(entry) | {"integral": int(entry.amount), "orderNo": entry.reference}
        for entry in page["list"]
    ]
    return envelope(page)


def _entries(customer: Customer, kind: LedgerAccount.Kind) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(account__customer=customer, account__kind=kind)


def _entry_out(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "id": entry.pk,
        "balance": entry.balance,
        "reason": REASON_ZH[Reason(entry.reason)],
        "createTime": entry.created_at,
    }
