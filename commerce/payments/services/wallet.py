"""Pays orders from the customer's own balance."""

from django.utils import timezone

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from commerce.orders.models import Order
from commerce.orders.services import pay_in_time
from commerce.payments.models import Payment, PayType
from commerce.payments.services.payable import refuse_payment
from core.transactions import in_transaction


@in_transaction
def pay_from_wallet(*, order: Order, pay_type: PayType) -> None:
    """Take an order's amount from its customer's wallet and mark it paid, both or neither.

    Locks: Order, Payment, LedgerAccount. Raises ShopError(balance_insufficient), and as `check_payable` does.
    """
    if not pay_in_time(order=order, pay_type=pay_type.code):
        refuse_payment(order)
    payment = Payment.objects.create(
        order=order,
        reference=Payment.next_reference(order),
        pay_type=pay_type.code,
        provider=pay_type.provider,
        amount=order.pay_amount,
        state=Payment.State.paid,
        settled_at=timezone.now(),
    )
    post(
        customer=order.customer,
        kind=LedgerAccount.Kind.wallet,
        amount=-payment.amount,
        reason=LedgerEntry.Reason.payment,
        reference=payment.reference,
    )
