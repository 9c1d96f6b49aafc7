"""The amount that is left to pay of an order, of which a part may be paid already."""

from decimal import Decimal

from django.db.models import F, QuerySet, Sum

from commerce.orders.models import Order
from commerce.payments.models import Payment
from commerce.payments.providers.registry import WALLET
from core.money import ZERO, aud


def left_to_pay(order: Order) -> Decimal:
    """Return what is left to pay of an unpaid order, in dollars; one query.

    While the order's row is locked, it cannot change.
    """
    return aud(order.pay_amount - held_for(order))


def held_for(order: Order) -> Decimal:
    """Return the held part of an order's amount, in dollars; one query."""
    return _total_of(order.payments.filter(is_held=True))


def held_by_wallet(order: Order) -> Decimal:
    """Return how much of the held part the customer's wallet paid, in dollars; one query."""
    return _total_of(order.payments.filter(is_held=True, provider=WALLET))


def _total_of(held: QuerySet[Payment]) -> Decimal:
    return aud(held.aggregate(total=Sum(F("amount") - F("refunded")))["total"] or ZERO)


def lock_order(payment: Payment) -> Order:
    """Lock the order of a payment until the transaction ends, and return it as it is now."""
    orders = Order.objects.select_for_update(no_key=True)
    return orders.get(pk=payment.order_id)  # type: ignore[misc]  # never called for a top-up
