"""Reads PayPal's list of a day (docs/paypal.md#the-list-of-a-day)."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from commerce.payments.providers.base import Settled, SettledPage, UnavailableError
from commerce.payments.providers.paypal.client import Session
from commerce.payments.providers.paypal.orders import checked_id, read_amount
from core.clock import shop_zone

# A page of this size has about a hundred kilobytes.
PAGE_SIZE = 100
# Groups of event codes: payments, and those reversals that refund a payment.
_PAYMENTS = "T00"
_REFUNDS = frozenset({"T1106", "T1107"})
# Done, and reversed later. Refunds under way are included, since the shop has them as being sent.
_DONE = frozenset({"S", "V"})
_UNDER_WAY = "P"


def read_page(session: Session, *, day: date, page: int) -> SettledPage:
    """Read a page of the transactions of a day of the shop's calendar.

    Raises UnavailableError, RefusedError. If one row is unreadable, the whole list is refused, since its
    money would be missing.
    """
    start = datetime.combine(day, time(), shop_zone())
    end = datetime.combine(day + timedelta(days=1), time(), shop_zone()) - timedelta(seconds=1)
    asked = {
        "start_date": start.isoformat(),
        "end_date": end.isoformat(),
        "fields": "transaction_info",
        "page_size": PAGE_SIZE,
        "page": page,
    }
    answer = session.get(f"/v1/reporting/transactions?{urlencode(asked)}")
    rows, pages = answer.get("transaction_details"), answer.get("total_pages")
    if not isinstance(rows, list) or not isinstance(pages, int):
        raise UnavailableError("no list of theirs")
    found = [_settled(row) for row in rows]
    return SettledPage([each for each in found if each], is_last=page >= pages)


def _settled(row: Any) -> Settled | None:
    """Read a row; return None if it is neither payment nor refund, such as a fee, or moved no money."""
    info = row.get("transaction_info") if isinstance(row, dict) else None
    if not isinstance(info, dict):
        raise UnavailableError("no row of theirs")
    code, status = str(info.get("transaction_event_code")), info.get("transaction_status")
    is_refund = code in _REFUNDS
    if not is_refund and not code.startswith(_PAYMENTS):
        return None
    if status not in _DONE and not (is_refund and status == _UNDER_WAY):
        return None
    signed = info.get("transaction_amount")
    if not isinstance(signed, Mapping):
        raise UnavailableError("no amount of theirs")
    value = str(signed.get("value"))
    # Money that the shop itself has paid out is not a customer's payment.
    if value.startswith("-") != is_refund:
        return None
    amount, currency = read_amount({"amount": {**signed, "value": value.removeprefix("-")}})
    try:
        at = datetime.fromisoformat(str(info.get("transaction_initiation_date")))
    except ValueError:
        raise UnavailableError("no time of theirs") from None
    if at.tzinfo is None:
        raise UnavailableError("no time of theirs")
    reference = info.get("invoice_id") or ("" if is_refund else info.get("custom_field")) or ""
    return Settled(is_refund, str(reference), checked_id(info.get("transaction_id")), amount, currency, at)
