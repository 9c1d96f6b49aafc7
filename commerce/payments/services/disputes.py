"""Records disputes of payments, and undoes those that are won or were recorded by mistake.

See docs/guarantees/money.md#disputes.
"""

from dataclasses import dataclass
from decimal import Decimal

from django.contrib.auth.models import User
from django.db.models import F, Q, Sum
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.approvals.services import check_alone, subject_of_customer
from commerce.ledger.debts import cancel_debt, owe
from commerce.orders.models import Order
from commerce.orders.services.dispute import dispute_order
from commerce.orders.status import OrderStatus
from commerce.payments.models import Dispute, Payment, Refund
from commerce.payments.providers.base import Outcome
from commerce.payments.services.left_to_pay import left_to_pay, lock_order
from commerce.payments.services.record import subject_of
from commerce.payments.services.refunds import (
    NOT_OF_A_BANK,
    lock_wallet,
    request_refund,
    return_held_money,
)
from commerce.payments.services.settle import use_money
from commerce.shipments.services import reinstate_order
from core.audit import cents
from core.errors import Err, ShopError
from core.money import ZERO, aud
from core.transactions import in_transaction

State = Dispute.State


@dataclass(frozen=True)
class Undone:
    """What staff must do by hand after a dispute was undone: units that lack, dollars to pay back."""

    lacking_units: int
    by_hand: Decimal


def amount_in_dispute(payment: Payment) -> tuple[Decimal, Decimal]:
    """Return what a bank would take back of a payment, and the part of it that is or was in the wallet.

    Only refunds to the source reduce the first amount; one query.
    """
    left = payment.collected[0] - payment.refunded
    total = payment.refunds.filter(to=Refund.To.wallet).aggregate(total=Sum("amount"))["total"]
    # SQLite adds up with more decimal places.
    to_wallet = aud(total or ZERO)
    was_credited = payment.recharge_id is not None
    return left + to_wallet, to_wallet + (left if was_credited else ZERO)


def can_be_disputed(payment: Payment) -> bool:
    """Return True if a dispute would take money of a payment; at most one query."""
    is_open = payment.state == Payment.State.paid and payment.disputed_at is None
    return is_open and payment.provider not in NOT_OF_A_BANK and amount_in_dispute(payment)[0] > ZERO


def open_dispute(*, payment: Payment, note: str, staff: User | None = None) -> Dispute:
    """Record that a bank takes back a payment: its order stops, and its money leaves the wallet.

    Money of the payment that is not in the wallet any more becomes the customer's debt. Held parts of unpaid
    orders return to the wallet first, which settles that debt. `note`: the provider's event, or the reason of
    staff. `staff`: None for a notice. Locks: Order, Payment, the ledger accounts, the customer's row, the
    slot or window, and stock by pk. Raises ShopError(not_disputable) for a payment that no bank can take
    back, or that is disputed already; note_missing.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    dispute = _open(payment=payment, note=note.strip(), staff=staff)
    # In transactions of their own, since each locks another order; the job repeats what fails here.
    return_held_money(customer=payment.customer)
    return dispute


@in_transaction
def _open(*, payment: Payment, note: str, staff: User | None) -> Dispute:
    order = lock_order(payment) if payment.order_id is not None else None
    mine = Payment.objects.filter(pk=payment.pk, state=Payment.State.paid, disputed_at=None)
    mine = mine.exclude(provider__in=NOT_OF_A_BANK)
    # A held part of an unpaid order is not there any more.
    if not mine.update(disputed_at=timezone.now(), is_held=False):
        raise ShopError(Err.not_disputable)
    payment.refresh_from_db()
    lock_wallet(payment.customer)
    amount, from_wallet = amount_in_dispute(payment)
    if amount <= ZERO:
        raise ShopError(Err.not_disputable)
    reference = f"{payment.reference}-d{payment.disputes.count() + 1}"
    before = {}
    if order is not None:
        slots = {"pickup_slot": order.pickup_slot, "delivery_slot": order.delivery_slot}
        status = order.status
        if dispute_order(order=order, staff=staff, note=note, reference=reference):
            before = {"order_status": status, **slots}
    if left := payment.collected[0] - payment.refunded:
        request_refund(payment=payment, amount=left, reason=Refund.Reason.chargeback)
    dispute = Dispute.objects.create(
        payment=payment,
        reference=reference,
        amount=amount,
        from_wallet=from_wallet,
        note=note,
        staff=staff,
        **before,
    )
    if from_wallet:
        owe(customer=payment.customer, amount=from_wallet, reference=reference)
    return dispute


@in_transaction
def lose_dispute(*, dispute: Dispute, staff: User, note: str) -> None:
    """Close a dispute that the bank has decided for the customer: its money stays away.

    Raises ShopError(dispute_closed), note_missing.
    """
    _close(dispute, State.lost, staff, note)


@in_transaction
def undo_dispute(
    *, dispute: Dispute, state: Dispute.State, staff: User, note: str, is_approved: bool = False
) -> Undone:
    """Close a dispute whose money the shop has: the order continues, and the wallet gets its money back.

    `state`: won or mistaken. A part that was disputed before its order was paid is used like new money. If
    another payment of the order is still disputed, the order stays disputed. The result is what staff do by
    hand. `is_approved`: a second person has approved it. Locks: as `open_dispute`, and before the ledger
    accounts the totals of the person; then as `mark_paid`. Raises ShopError(dispute_closed),
    note_missing, second_person_needed.
    """
    payment = dispute.payment
    order = lock_order(payment) if payment.order_id is not None else None
    _close(dispute, state, staff, note)
    subject = subject_of(order) if order else subject_of_customer(payment.customer.pk)
    check_alone(staff=staff, subject=subject, amount=dispute.amount, is_approved=is_approved)
    has_wallet = lock_wallet(payment.customer)
    _return_chargeback(payment)
    by_hand = ZERO
    if dispute.from_wallet:
        by_hand = cancel_debt(
            customer=payment.customer,
            amount=dispute.from_wallet,
            reference=dispute.reference,
            has_wallet=has_wallet,
            settled_by_staff=_settled_by_staff(payment.customer),
        )
        Dispute.objects.filter(pk=dispute.pk).update(by_hand=by_hand)
    if order and _was_part(dispute, order):
        _use_part(order, payment)
    return Undone(_reinstate(order, staff, note.strip()) if order else 0, by_hand)


def _settled_by_staff(customer: Customer) -> Decimal:
    """Return what staff settled of a customer's debts, without the part of undone disputes; two queries."""
    mine = Q(payment__order__customer=customer) | Q(payment__recharge__customer=customer)
    undone = Dispute.objects.filter(mine).aggregate(total=Sum("by_hand"))["total"] or ZERO
    return (customer.debt_settlements.aggregate(total=Sum("amount"))["total"] or ZERO) - undone


def _close(dispute: Dispute, state: Dispute.State, staff: User, note: str) -> None:
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    still_open = Dispute.objects.filter(pk=dispute.pk, state=State.open)
    if not still_open.update(
        state=state, closed_at=timezone.now(), closed_by=staff, closing_note=note.strip()
    ):
        raise ShopError(Err.dispute_closed)


def _return_chargeback(payment: Payment) -> None:
    """Stop counting a disputed payment's money as taken by the bank."""
    taken = payment.refunds.filter(reason=Refund.Reason.chargeback, state=Refund.State.done)
    amount = taken.aggregate(total=Sum("amount"))["total"] or ZERO
    taken.update(state=Refund.State.reversed)
    Payment.objects.filter(pk=payment.pk).update(disputed_at=None, refunded=cents(F("refunded") - amount))


def _was_part(dispute: Dispute, order: Order) -> bool:
    """Return True if a dispute took a part of an order that was not paid in full then."""
    return dispute.order_status is None and (order.paid_at is None or dispute.opened_at < order.paid_at)


def _use_part(order: Order, payment: Payment) -> None:
    """Use a part that was disputed before its order was paid, as if the money came now."""
    collected = Outcome(Payment.State.paid, payment.reference, *payment.collected)
    use_money(order=order, payment=payment, collected=collected, left=left_to_pay(order))


def _reinstate(order: Order, staff: User, note: str) -> int:
    """Continue an order unless another payment of it is disputed; return the units that lack."""
    disputes = Dispute.objects.filter(payment__order=order)
    stopped = disputes.filter(order_status__isnull=False).order_by("-pk").first()
    is_disputed = disputes.filter(state__in=Dispute.STANDING).exists()
    if order.status != OrderStatus.chargeback or stopped is None or is_disputed:
        return 0
    assert stopped.order_status is not None
    return reinstate_order(
        order=order,
        to=OrderStatus(stopped.order_status),
        pickup_slot=stopped.pickup_slot,
        delivery_slot=stopped.delivery_slot,
        staff=staff,
        note=note,
        reference=stopped.reference,
    )
