"""How long an unpaid order is held for each way to pay (docs/guarantees/orders.md#unpaid-orders)."""

from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.utils import timezone

from commerce.delivery.shipping import ShippingType
from commerce.orders.models import Order
from commerce.orders.status import PAY_IN_STORE_IMAGE, PAY_ON_DELIVERY_IMAGE, OrderStatus
from core.clock import shop_zone

CUSTOMER_SERVICE, TRANSFER, CASH = "1", "transfer", "cashOnDelivery"
# Staff collect these payments; the shop only holds the order until then.
COLLECTED_BY_STAFF = frozenset({CUSTOMER_SERVICE, TRANSFER, CASH})


def held_until(order: Order, pay_type: str) -> datetime:
    """Return until when an order is held if it is paid by a type that staff collect.

    The time counts from the placing of the order, so choosing again does not extend it. Cash is paid on the
    day of the pick-up or delivery. One query for an order with a pick-up hour or a delivery window.
    """
    if pay_type == CUSTOMER_SERVICE:
        return order.created_at + timedelta(hours=settings.CUSTOMER_SERVICE_HOLD_HOURS)
    booked = order.pickup_slot or order.delivery_slot
    if pay_type == CASH and booked is not None:
        # Late customers are still served, and staff may record the money the next morning.
        return _end_of_day(booked.starts_at) + timedelta(hours=settings.CASH_GRACE_HOURS)
    return order.created_at + timedelta(days=settings.TRANSFER_HOLD_DAYS)


def is_held_for_staff(order: Order) -> bool:
    """Return True if an order now awaits money that staff collect."""
    is_over = order.expires_at is not None and order.expires_at <= timezone.now()
    return order.status == OrderStatus.unpaid and order.pay_type in COLLECTED_BY_STAFF and not is_over


def _end_of_day(moment: datetime) -> datetime:
    """Return the end of a moment's day in the shop's calendar, in UTC."""
    tomorrow = timezone.localdate(moment, shop_zone()) + timedelta(days=1)
    return datetime.combine(tomorrow, time.min, tzinfo=shop_zone()).astimezone(UTC)


def in_store_image(order: Order) -> str:
    """Return the image of a cash payment: in store or on delivery (docs/wire.md#paytypes)."""
    is_pickup = order.shipping_type == ShippingType.pickup
    return PAY_IN_STORE_IMAGE if is_pickup else PAY_ON_DELIVERY_IMAGE
