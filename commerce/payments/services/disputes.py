"""Records confirmed disputes, and takes the money of disputed top-ups out of wallets.

See docs/guarantees/money.md#refunds.
"""

from django.utils import timezone

from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from commerce.orders.moves import Move, is_offered
from commerce.orders.services import move_order
from commerce.orders.status import OrderStatus
from commerce.payments.models import Payment, Refund
from commerce.payments.services.refunds import request_refund
from core.money import ZERO
from core.transactions import in_transaction

Reason = Refund.Reason


def can_be_disputed(payment: Payment) -> bool:
    """Return True if a dispute would take money of a payment that was not refunded before.

    For an already disputed order, that requires that its provider has named a disputed payment. If only staff
    have set the status, all its payments are booked already. At most two queries.
    """
    if payment.state != Payment.State.paid or payment.refunded >= payment.collected[0]:
        return False
    order = payment.order
    if order is None or is_offered(Move.dispute, order):
        return True
    named = order.payments.filter(disputed_at__isnull=False)
    return order.status == OrderStatus.chargeback and named.exists()


@in_transaction
def note_dispute(*, payment: Payment, note: str) -> None:
    """Record a dispute of a payment: its order becomes disputed, or its top-up leaves the wallet.

    A repeat changes nothing. `note`: for the order's history. Locks: Order or LedgerAccount, and Payment.
    Raises ShopError(order_moved) if the order's status has changed.
    """
    order = payment.order
    if order is None:
        _take_back_top_up(payment)
    elif order.status != OrderStatus.chargeback:
        move_order(order=order, move=Move.dispute, seen=OrderStatus(order.status), note=note)
    Payment.objects.filter(pk=payment.pk, disputed_at=None).update(disputed_at=timezone.now())


def _take_back_top_up(payment: Payment) -> None:
    """Take a disputed top-up out of the wallet, as far as the balance allows; staff see the rest."""
    payment = Payment.objects.select_for_update(no_key=True, of=("self",)).get(pk=payment.pk)
    left = payment.collected[0] - payment.refunded
    if left <= ZERO:
        return
    wallets = LedgerAccount.objects.filter(customer=payment.customer, kind=LedgerAccount.Kind.wallet)
    # The lock prevents the customer from spending this money concurrently.
    there = min(left, wallets.select_for_update(no_key=True).get().balance)
    if there:
        taken = request_refund(payment=payment, amount=there, reason=Reason.chargeback)
        post(
            customer=payment.customer,
            kind=LedgerAccount.Kind.wallet,
            amount=-there,
            reason=LedgerEntry.Reason.chargeback,
            reference=taken.reference,
        )
    if there < left:
        request_refund(payment=payment, amount=left - there, reason=Reason.not_in_wallet)
