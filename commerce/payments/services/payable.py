"""Makes sure that an order may be paid, and that it stays so while a payment is written."""

from typing import Never

from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from core.errors import Err, ShopError


def check_payable(*, order: Order) -> None:
    """Raise ShopError(order_paid, order_cancelled, order_timeout) for an order that takes no payment now."""
    is_late = order.expires_at is not None and order.expires_at <= timezone.now()
    if order.status != OrderStatus.unpaid or is_late:
        raise _refusal(order)


def lock_payable(*, order: Order, pay_type: str) -> None:
    """Note the pay type chosen for an order, which locks its row until the transaction ends.

    Locks: Order. Raises as `check_payable` does when the order has become unpayable.
    """
    payable = Order.objects.filter(pk=order.pk, status=OrderStatus.unpaid)
    if not payable.exclude(expires_at__lte=timezone.now()).update(pay_type=pay_type):
        refuse_payment(order)


def refuse_payment(order: Order) -> Never:
    """Raise as `check_payable` does for an order that has become unpayable."""
    order.refresh_from_db(fields=["status"])
    raise _refusal(order)


def _refusal(order: Order) -> ShopError:
    if order.status == OrderStatus.unpaid:
        return ShopError(Err.order_timeout)
    return ShopError(Err.order_cancelled if order.status == OrderStatus.canceled else Err.order_paid)
