"""What happens to payments, one file for each verb."""

from commerce.payments.services.attempt import pay_order
from commerce.payments.services.notice import take_notice
from commerce.payments.services.query import look_after, query_open_payments, refresh
from commerce.payments.services.settle import settle

__all__ = ["look_after", "pay_order", "query_open_payments", "refresh", "settle", "take_notice"]
