"""What happens to payments, one file for each subject."""

from commerce.payments.services.notices import handle_notice
from commerce.payments.services.pay import pay_order
from commerce.payments.services.query import (
    query_open_payments,
    refresh_for_customer,
    refresh_order,
    refresh_payment,
)
from commerce.payments.services.settle import settle

__all__ = [
    "handle_notice",
    "pay_order",
    "query_open_payments",
    "refresh_for_customer",
    "refresh_order",
    "refresh_payment",
    "settle",
]
