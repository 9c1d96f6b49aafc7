"""Serialises balances and their entries for the wire (docs/wire.md#histories)."""

from typing import Any

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.points import order_no_of
from commerce.ledger.services import balance_of
from core.languages import WIRE_LANGUAGE

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason
# The wire always has reasons in Chinese; clients translate them.
REASON_ZH = {
    Reason.opening: "期初余额",
    Reason.payment: "订单付款",
    Reason.refund: "退款",
    Reason.recharge: "充值",
    Reason.adjustment: "管理员调整",
    Reason.earned: "订单金额赠送积分",
    Reason.chargeback: "撤销结算扣回积分",
    Reason.returned: "退货扣回积分",
    Reason.canceled: "取消订单扣回积分",
    Reason.spent: "积分抵扣订单",
    Reason.given_back: "退回已用积分",
    Reason.dispute: "银行撤回款项",
    Reason.dispute_over: "争议解除返还余额",
}
# The text of a chargeback in the wallet; the text above is for points.
CHARGEBACK_OF_WALLET_ZH = "撤销结算扣回余额"


def user_info_out(customer: Customer) -> dict[str, Any]:
    """Serialise a customer with wallet balance and points; two queries."""
    return {
        "account": customer.account,
        "nickname": customer.nickname,
        "language": WIRE_LANGUAGE.get(customer.language, ""),
        "level": customer.level_number,
        "levelName": customer.level.name_zh,
        "levelNameEn": customer.level.name_en,
        "balance": balance_of(customer=customer, kind=Kind.wallet),
        "integral": int(balance_of(customer=customer, kind=Kind.points)),
        "hasPayPassword": bool(customer.pay_password),
    }


def balance_entry_out(entry: LedgerEntry) -> dict[str, Any]:
    """Serialise a wallet entry."""
    written = _entry_out(entry) | {"amount": entry.amount, "refNo": entry.reference}
    return written | {"reason": CHARGEBACK_OF_WALLET_ZH} if entry.reason == Reason.chargeback else written


def points_entry_out(entry: LedgerEntry) -> dict[str, Any]:
    """Serialise a points entry; an adjustment by staff has no order number."""
    order_no = "" if entry.reason == Reason.adjustment else order_no_of(entry.reference)
    return _entry_out(entry) | {"integral": int(entry.amount), "orderNo": order_no}


def _entry_out(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "id": entry.pk,
        "balance": entry.balance,
        "reason": REASON_ZH[Reason(entry.reason)],
        "createTime": entry.created_at,
    }
