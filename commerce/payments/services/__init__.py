"""The services of payments, one file for each subject."""

from commerce.payments.services.disputes import lose_dispute, open_dispute, undo_dispute
from commerce.payments.services.notices import handle_notice
from commerce.payments.services.pay import pay_order
from commerce.payments.services.query import (
    query_open_payments,
    refresh_for_customer,
    refresh_order,
    refresh_payment,
    refresh_recharge,
)
from commerce.payments.services.recharge import continue_recharge, start_recharge
from commerce.payments.services.record import record_payment
from commerce.payments.services.refunds import (
    note_paid_back,
    request_refund,
    retry_refund,
    return_held_money,
    send_refunds,
)
from commerce.payments.services.settle import settle

__all__ = [
    "continue_recharge",
    "handle_notice",
    "lose_dispute",
    "note_paid_back",
    "open_dispute",
    "pay_order",
    "query_open_payments",
    "record_payment",
    "refresh_for_customer",
    "refresh_order",
    "refresh_payment",
    "refresh_recharge",
    "request_refund",
    "retry_refund",
    "return_held_money",
    "send_refunds",
    "settle",
    "start_recharge",
    "undo_dispute",
]
