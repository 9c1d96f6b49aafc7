"""For how long an unpaid order is held, by the way it is paid (docs/guarantees.md#unpaid-orders)."""

from datetime import datetime, timedelta

from django.conf import settings

from commerce.delivery.shipping import ShippingType
from commerce.delivery.slots import LENGTH
from commerce.orders.models import Order
from commerce.orders.status import PAY_IN_STORE_IMAGE, PAY_ON_DELIVERY_IMAGE

CUSTOMER_SERVICE, TRANSFER, CASH = "1", "transfer", "cashOnDelivery"
# Staff collect these; the shop only holds the order meanwhile.
COLLECTED_BY_STAFF = frozenset({CUSTOMER_SERVICE, TRANSFER, CASH})


def held_until(order: Order, pay_type: str) -> datetime:
    """Return until when an order is held that is paid by a type that staff collect.

    Counted from when the order was made, so that choosing again prolongs nothing. Cash is paid at the latest
    in the hour of the pick-up, or when the van comes. A query for an order with an hour or a window.
    """
    if pay_type == CUSTOMER_SERVICE:
        return order.created_at + timedelta(hours=settings.CUSTOMER_SERVICE_HOLD_HOURS)
    if pay_type == CASH and order.pickup_slot is not None:
        return order.pickup_slot.starts_at + LENGTH
    if pay_type == CASH and order.delivery_slot is not None:
        return order.delivery_slot.ends_at
    return order.created_at + timedelta(days=settings.TRANSFER_HOLD_DAYS)


def in_store_image(order: Order) -> str:
    """Return the image that stands for cash: in the shop, or on delivery (docs/wire.md#paytypes)."""
    is_pickup = order.shipping_type == ShippingType.pickup
    return PAY_IN_STORE_IMAGE if is_pickup else PAY_ON_DELIVERY_IMAGE
