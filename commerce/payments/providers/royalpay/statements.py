"""Reads RoyalPay's list of a day (docs/royalpay.md#the-list-of-a-day)."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from typing import Any

from commerce.payments.providers.base import AnsweredError, Settled, SettledPage, UnavailableError
from commerce.payments.providers.royalpay.client import (
    LIST_SECONDS,
    MAX_LIST_BYTES,
    Deadline,
    RefusedError,
    amount_of,
    ask,
    path_of,
)

# The time zone of their times, all year round.
ZONE = timezone(timedelta(hours=10))
_TIME = "%Y%m%d%H%M%S"
_IS_REFUND = {"Credit": False, "Debit": True}


def read_list(day: date) -> SettledPage:
    """Read the transactions of a day of RoyalPay's calendar; raises UnavailableError.

    If one row is unreadable, the whole list is refused, since its money would be missing.
    """
    try:
        answer = ask(
            "GET",
            path_of("gateway/partners/{partner}/transactions"),
            deadline=Deadline(LIST_SECONDS),
            query={"date": f"{day:%Y%m%d}"},
            max_bytes=MAX_LIST_BYTES,
        )
    except RefusedError as refusal:
        raise AnsweredError(str(refusal)) from None
    rows = answer.get("transactions")
    if not isinstance(rows, list) or answer.get("transaction_count", len(rows)) != len(rows):
        raise UnavailableError("no list of theirs")
    seen: Counter[tuple[bool, str]] = Counter()
    return SettledPage([_settled(row, seen) for row in rows], is_last=True)


def _settled(row: Any, seen: Counter[tuple[bool, str]]) -> Settled:
    if not isinstance(row, Mapping) or row.get("type") not in _IS_REFUND:
        raise UnavailableError("no row of theirs")
    is_refund = _IS_REFUND[row["type"]]
    number, reference = (
        str(row.get(name) or "")
        for name in (("refund_id", "partner_refund_id") if is_refund else ("order_id", "partner_order_id"))
    )
    seen[is_refund, number] += 1
    times = seen[is_refund, number]
    try:
        at = datetime.strptime(str(row.get("transaction_time")), _TIME).replace(tzinfo=ZONE)
    except ValueError:
        raise UnavailableError("no time of theirs") from None
    return Settled(
        is_refund,
        reference,
        # A repeated number means that money moved twice, which staff must see.
        number if times == 1 else f"{number}-{times}",
        amount_of(row.get("total_amount")),
        str(row.get("currency", "")),
        at,
    )
