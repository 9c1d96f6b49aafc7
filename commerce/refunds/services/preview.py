"""Says what a refund would give back, before staff confirm it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from commerce.orders.models import Order
from commerce.orders.points import points_of_refunds
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.registry import WALLET
from commerce.refunds.services.refund_order import check_refundable, left_of_payments
from commerce.refunds.services.stock import check_restocked, units_not_sent
from commerce.refunds.worth import FreightPart, LineWish, PricedRefund, allocate, price_refund


@dataclass(frozen=True)
class RefundPreview:
    """What would go back; `not_sent`: order line id → units.

    `money`: each payment, how many dollars of it, and whether these go to the wallet. `points`: of those that
    the order has spent.
    """

    priced: PricedRefund
    not_sent: Mapping[int, int]
    money: Sequence[tuple[Payment, Decimal, bool]]
    points: int


def preview_refund(
    *, order: Order, lines: Sequence[LineWish], freight: FreightPart, to: Refund.To
) -> RefundPreview:
    """Return what `refund_order` would give back now; nothing is written. Raises as it does."""
    check_refundable(order)
    priced = price_refund(order=order, lines=list(order.lines.all()), wishes=lines, freight=freight)
    not_sent = units_not_sent(order, priced)
    check_restocked(priced, not_sent)
    parts = allocate(priced.amount, left_of_payments(order))
    payments = Payment.objects.in_bulk(parts)
    money = [
        (payments[pk], amount, to == Refund.To.wallet or payments[pk].provider == WALLET)
        for pk, amount in parts.items()
    ]
    units = {each.line.pk: each.units for each in priced.lines}
    points = points_of_refunds(order, units) - order.points_returned
    return RefundPreview(priced, not_sent, money, points)
