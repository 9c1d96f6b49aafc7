"""Computes what a refund would return, before staff confirm it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from commerce.orders.models import Order
from commerce.orders.points import points_of_refunds
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.registry import WALLET, provider_named
from commerce.refunds.services.refund_order import check_refundable, left_of_payments
from commerce.refunds.services.stock import check_restocked, units_not_sent
from commerce.refunds.worth import FreightPart, LineWish, PricedRefund, allocate, price_refund


class Way(StrEnum):
    """How money is returned: to the wallet immediately, by the provider, or by staff."""

    wallet = "wallet"
    provider = "provider"
    by_hand = "by_hand"


@dataclass(frozen=True)
class RefundPreview:
    """What a refund would return; `not_sent`: order line id → units.

    `money`: each payment, its dollars, and how they are returned. `points`: the spent points that are
    returned.
    """

    priced: PricedRefund
    not_sent: Mapping[int, int]
    money: Sequence[tuple[Payment, Decimal, Way]]
    points: int


def preview_refund(
    *, order: Order, lines: Sequence[LineWish], freight: FreightPart, to: Refund.To
) -> RefundPreview:
    """Return what `refund_order` would refund now, without writing. Raises the same errors."""
    check_refundable(order)
    priced = price_refund(order=order, lines=list(order.lines.all()), wishes=lines, freight=freight)
    not_sent = units_not_sent(order, priced)
    check_restocked(order, priced, not_sent)
    parts = allocate(priced.amount, left_of_payments(order))
    payments = Payment.objects.in_bulk(parts)
    money = [(payments[pk], amount, _way(order, payments[pk], to)) for pk, amount in parts.items()]
    units = {each.line.pk: each.units for each in priced.lines}
    points = points_of_refunds(order, units) - order.points_returned
    return RefundPreview(priced, not_sent, money, points)


def _way(order: Order, payment: Payment, to: Refund.To) -> Way:
    is_for_wallet = to == Refund.To.wallet or payment.provider == WALLET
    if is_for_wallet and not order.customer.is_deleted:
        return Way.wallet
    return Way.provider if provider_named(payment.provider) else Way.by_hand
