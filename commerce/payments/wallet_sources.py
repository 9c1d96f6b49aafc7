"""The orders and top-ups behind the entries of wallets and debts."""

from collections.abc import Collection
from typing import NamedTuple

from commerce.payments.models import Dispute, Payment, Recharge, Refund


class Source(NamedTuple):
    """The order or the top-up behind an entry; the columns of the other are None."""

    order_id: int | None
    order_no: str | None
    recharge_id: int | None
    recharge_no: str | None


def sources_of(references: Collection[str]) -> dict[str, Source]:
    """Return the sources of ledger entries by their reference; one query.

    `references`: of payments, refunds and disputes, and numbers of top-ups. Unknown ones are left out.
    """
    columns = "order_id", "order__order_no", "recharge_id", "recharge__number"
    of_payment = [f"payment__{column}" for column in columns]
    payments = Payment.objects.filter(reference__in=references).values_list("reference", *columns)
    refunds = Refund.objects.filter(reference__in=references).values_list("reference", *of_payment)
    disputes = Dispute.objects.filter(reference__in=references).values_list("reference", *of_payment)
    top_ups = Recharge.objects.filter(number__in=references).values_list(
        "number", "payments__order_id", "payments__order__order_no", "pk", "number"
    )
    rows = payments.order_by().union(refunds.order_by(), disputes.order_by(), top_ups.order_by())
    return {reference: Source(*source) for reference, *source in rows}
