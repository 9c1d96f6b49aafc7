"""Texts of a payment's state for staff."""

from django.utils.translation import gettext as _

from commerce.orders.status import OrderStatus
from commerce.payments.models import Payment


def is_unused(payment: Payment) -> bool:
    """Return True if an open payment is not needed any more, since its order is not unpaid now."""
    is_open = payment.state == Payment.State.pending
    return is_open and payment.order is not None and payment.order.status != OrderStatus.unpaid


def shown_state(payment: Payment) -> str:
    """Return the state as staff read it; the payment's order must be loaded."""
    return _("Not used") if is_unused(payment) else payment.get_state_display()


def explained_state(payment: Payment) -> str:
    """Return the state, with the reason if the payment was not used."""
    if not is_unused(payment):
        return shown_state(payment)
    if payment.paid_order.paid_at is None:
        return _("Not used: the order was cancelled")
    return _("Not used: the order was paid in another way")
