"""Refunds money: each amount once, and never more than the payment collected.

See docs/guarantees/money.md#refunds.
"""

import logging
import re
from decimal import Decimal

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.approvals.services import check_alone
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, lock_ledger, post
from commerce.orders.status import OrderStatus
from commerce.payments.models import Payment, Refund
from commerce.payments.providers.base import Provider, RefundOutcome, UnavailableError
from commerce.payments.providers.registry import STAFF, WALLET, provider_named
from commerce.payments.providers.slots import gateway_slot
from commerce.payments.services.left_to_pay import lock_order
from commerce.payments.services.polling import claim_poll
from core.audit import cents
from core.due_rows import process_due_rows
from core.errors import Err, ShopError
from core.money import ZERO
from core.transactions import in_callers_transaction, in_transaction

log = logging.getLogger(__name__)

State = Refund.State

# No bank can take back money from the wallet or from staff.
NOT_OF_A_BANK = frozenset({WALLET, STAFF})
# The customer gets no message about these refunds.
_WITHOUT_MESSAGE = frozenset({Refund.Reason.chargeback, Refund.Reason.wallet_debt})
# The wallet's currency.
CURRENCY = "AUD"


@in_callers_transaction
def request_refund(
    *,
    payment: Payment,
    amount: Decimal,
    reason: Refund.Reason,
    to: Refund.To = Refund.To.source,
    staff: User | None = None,
    note: str = "",
) -> Refund:
    """Refund an amount of a payment; a refund to a wallet is available immediately.

    Money that a provider collected is refunded by a periodic job, money that staff collected by staff. Money
    that a bank has taken is gone already. A deleted account's wallet gets nothing, so its part waits for
    staff. `amount`: in the payment's currency. Locks: Payment, then as `lock_wallet`. Raises
    ShopError(refund_above_paid) for more than the payment has collected and not refunded. Raises
    refund_to_wallet for another currency than the wallet's, or for money that a bank has taken.
    """
    payment.refresh_from_db(fields=["received_amount", "received_currency"])
    currency = payment.collected[1]
    goes_to = Refund.To.wallet if payment.provider == WALLET else to
    is_taken = reason == Refund.Reason.chargeback
    if goes_to == Refund.To.wallet and (currency != CURRENCY or is_taken):
        raise ShopError(Err.refund_to_wallet)
    _take(payment, amount)
    if goes_to == Refund.To.wallet and not lock_wallet(payment.customer):
        goes_to = Refund.To.source
    has_provider = goes_to == Refund.To.source and not is_taken and provider_named(payment.provider)
    is_done = goes_to == Refund.To.wallet or is_taken
    now = timezone.now()
    refund = Refund.objects.create(
        payment=payment,
        # The payment's row is locked, so no concurrent refund of it gets the same number.
        reference=f"{payment.reference}-r{payment.refunds.count() + 1}",
        amount=amount,
        currency=currency,
        reason=reason,
        to=goes_to,
        state=State.done if is_done else State.due,
        settled_at=now if is_done else None,
        # For a chargeback, the bank notifies the customer; top-ups have no messages.
        message_due=reason not in _WITHOUT_MESSAGE and payment.order_id is not None,
        staff=staff,
        note=note,
        next_query_at=now if has_provider else None,
    )
    if goes_to == Refund.To.wallet:
        post(
            customer=payment.customer,
            kind=LedgerAccount.Kind.wallet,
            amount=amount,
            reason=LedgerEntry.Reason.refund,
            reference=refund.reference,
        )
    return refund


def lock_wallet(customer: Customer) -> bool:
    """Return True if money can go to a customer's wallet; False if the account is deleted.

    That stays true until the transaction ends. Locks: wallet and points by pk, then the customer's row.
    """
    try:
        lock_ledger(customer)
    except ShopError:
        return False
    return True


def _take(payment: Payment, amount: Decimal) -> None:
    """Count an amount as refunded; raises ShopError(refund_above_paid) if the payment has less left."""
    collected = Coalesce("received_amount", "amount")
    # No joined table, so that PostgreSQL checks the row again after waiting for its lock. Whole cents, since
    # SQLite calculates in binary fractions.
    rows = Payment.objects.filter(
        pk=payment.pk, state=Payment.State.paid, refunded__lte=cents(collected - amount)
    ).update(refunded=cents(F("refunded") + amount))
    if not rows:
        raise ShopError(Err.refund_above_paid)


def send_refunds() -> int:
    """Send the refunds that are due, and poll those on their way; return how many were processed."""
    return process_due_rows("send refunds", _due().order_by("next_query_at"), _send_due)


def _due() -> QuerySet[Refund]:
    return Refund.objects.filter(next_query_at__lte=timezone.now())


def _send_due(refund_id: int) -> bool:
    refund = _due().select_related("payment__order").filter(pk=refund_id).first()
    if refund is None:
        return False
    if refund.sent_at is None and refund.payment.disputed_at is not None:
        return _leave_to_staff(refund)
    provider = provider_named(refund.payment.provider)
    if provider is None:
        raise UnavailableError(refund.payment.provider)
    now = timezone.now()
    # Two jobs may run concurrently. Sending is recorded before it happens.
    noted = {"state": State.sending, "sent_at": Coalesce("sent_at", now)}
    with claim_poll(refund, now, **noted) as mine:
        if mine:
            try:
                settle_refund(refund=refund, outcome=_ask(provider, refund))
            except UnavailableError:
                log.warning("refund %s: the provider could not be asked", refund.reference)
    return mine


def _leave_to_staff(refund: Refund) -> bool:
    """Stop a refund whose money the bank may return already; staff see it and decide."""
    unsent = Refund.objects.filter(pk=refund.pk, next_query_at=refund.next_query_at, sent_at=None)
    if unsent.update(next_query_at=None):
        log.error("refund %s: its payment is disputed, nothing was sent", refund.reference)
    return False


def _ask(provider: Provider, refund: Refund) -> RefundOutcome:
    with gateway_slot(provider.name):
        # An earlier request may have arrived although its answer did not.
        known = provider.query_refund(refund=refund) if refund.sent_at else None
        return known or provider.refund(refund=refund)


@in_transaction
def settle_refund(*, refund: Refund, outcome: RefundOutcome) -> None:
    """Store a provider's answer about a refund; a repeat changes nothing.

    A failed refund is still owed: staff send it again, or pay it back by hand. Locks: Refund.
    """
    mine = Refund.objects.filter(pk=refund.pk, state=State.sending)
    if outcome.state == State.sending:
        mine.update(provider_ref=outcome.provider_ref)
        return
    settled = mine.update(
        state=outcome.state,
        provider_ref=outcome.provider_ref,
        detail=outcome.detail[:200],
        settled_at=timezone.now(),
        next_query_at=None,
    )
    if settled and outcome.state == State.failed:
        log.error("refund %s: the provider refused it: %s", refund.reference, outcome.detail)


def retry_refund(*, refund: Refund) -> None:
    """Send a failed refund again, under a new reference.

    Raises ShopError(refund_moved) if it is not failed any more or no provider can send it; payment_disputed.
    """
    if refund.payment.disputed_at is not None:
        raise ShopError(Err.payment_disputed)
    if provider_named(refund.payment.provider) is None or not refund.reference:
        raise ShopError(Err.refund_moved)
    if not Refund.objects.filter(pk=refund.pk, state=State.failed, reference=refund.reference).update(
        reference=_next_attempt(refund.reference),
        provider_ref="",
        state=State.due,
        sent_at=None,
        settled_at=None,
        queries=0,
        detail="",
        next_query_at=timezone.now(),
    ):
        raise ShopError(Err.refund_moved)


def _next_attempt(reference: str) -> str:
    """Return …-r1-2 after …-r1, and …-r1-3 after that."""
    first, _, attempt = re.fullmatch(r"(.*-r\d+)(-(\d+))?", reference).groups()  # type: ignore[union-attr]
    return f"{first}-{int(attempt or 1) + 1}"


def can_be_paid_back(refund: Refund) -> bool:
    """Return True if staff may record a refund as paid back by hand: no provider may be sending it.

    A provider that is not configured any more neither sends nor is polled.
    """
    is_asked = refund.next_query_at is not None and provider_named(refund.payment.provider) is not None
    return refund.state in Refund.OPEN and not is_asked


@in_transaction
def note_paid_back(*, refund: Refund, staff: User, note: str, is_approved: bool = False) -> None:
    """Record that staff have paid a refund back by hand, for example by transfer.

    The refund must satisfy `can_be_paid_back`. `is_approved`: True if a second person has approved it. Locks:
    the staff's totals, Refund. Raises ShopError(refund_moved) if it is done or on its way; note_missing,
    second_person_needed.
    """
    if not note.strip():
        raise ShopError(Err.note_missing, fields={"note": "note_missing"})
    subject = f"order {refund.payment.order_id}" if refund.payment.order_id else str(refund.payment)
    check_alone(staff=staff, subject=subject, amount=refund.amount, is_approved=is_approved)
    owed = Refund.objects.filter(pk=refund.pk, state__in=Refund.OPEN)
    if provider_named(refund.payment.provider) is not None:
        # A refund that a provider sends or is polled about has a `next_query_at`.
        owed = owed.filter(next_query_at=None)
    now = timezone.now()
    if not owed.update(state=State.done, settled_at=now, next_query_at=None, staff=staff, note=note):
        raise ShopError(Err.refund_moved)


def return_held_money(customer: Customer | None = None) -> int:
    """Refund the held parts of orders that ended before they were paid in full; return how many.

    The held parts of a customer who owes the shop money return to the wallet too, which settles the debt.
    `customer`: only this customer's parts.
    """
    owes = LedgerAccount.objects.filter(
        customer=OuterRef("order__customer"), kind=LedgerAccount.Kind.debt, balance__gt=0
    )
    due = Q(order__status=OrderStatus.canceled) | Q(Exists(owes), provider=WALLET)
    held = Payment.objects.filter(due, is_held=True)
    if customer is not None:
        held = held.filter(order__customer=customer)
    return process_due_rows("return held money", held.order_by("pk"), _return_held)


@in_transaction
def _return_held(payment_id: int) -> bool:
    payment = Payment.objects.get(pk=payment_id)
    order = lock_order(payment)
    is_over = order.status == OrderStatus.canceled
    # A late payment may have reopened the order, which then uses this part.
    if not is_over and not (payment.provider == WALLET and _owes(order.customer)):
        return False
    if not Payment.objects.filter(pk=payment.pk, is_held=True).update(is_held=False):
        return False
    reason = Refund.Reason.order_ended if is_over else Refund.Reason.wallet_debt
    request_refund(payment=payment, amount=payment.amount, reason=reason)
    return True


def _owes(customer: Customer) -> bool:
    return balance_of(customer=customer, kind=LedgerAccount.Kind.debt) > ZERO
