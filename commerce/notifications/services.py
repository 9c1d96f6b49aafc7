"""Notifies customers of events of their orders, once for each event.

See docs/guarantees/delivery.md#messages-about-orders.
"""

from dataclasses import replace
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from commerce.claims.models import ClaimMessage
from commerce.claims.states import ClaimState
from commerce.invoices.services import invoice_url, make_invoice
from commerce.messaging.recipients import is_email
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_due_messages
from commerce.notifications.kinds import ANSWER_KINDS, REQUIRED, WORTH_AN_SMS, Kind, kind_of
from commerce.notifications.models import NotificationSwitch
from commerce.notifications.texts import Notification, letter, notification_of, review_notification
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import OrderStatus
from commerce.payments.models import Certificate, Refund
from core.due_rows import MAX_SECONDS, process_in_batches
from core.enqueue import enqueue_after_commit
from core.money import aud_text

# Customers are not notified of older events, such as after a long outage.
MAX_AGE = timedelta(days=3)
BATCH = 50


def due_changes() -> QuerySet[OrderStatusChange]:
    """Return the status changes of orders whose customers must still be notified."""
    return OrderStatusChange.objects.filter(message_due=True)


def due_refunds() -> QuerySet[Refund]:
    """Return the completed refunds whose customers must still be notified."""
    return Refund.objects.filter(message_due=True, state=Refund.State.done)


def due_reviews() -> QuerySet[Certificate]:
    """Return the reviewed transfers whose customers must still be notified."""
    return Certificate.objects.filter(message_due=True)


def due_answers() -> QuerySet[ClaimMessage]:
    """Return the answers of staff to claims whose customers must still be notified."""
    return ClaimMessage.objects.filter(message_due=True)


def notify_due() -> int:
    """Write the due messages, each kind in the order of its events; return their number.

    One task sends all of them: with one task per message, codes would wait behind a thousand tasks.
    """
    notified = process_in_batches(
        "notify customers of orders", due_changes(), _notify_changes, seconds=MAX_SECONDS / 4, size=BATCH
    )
    notified += process_in_batches(
        "notify customers of refunds", due_refunds(), _notify_refunds, seconds=MAX_SECONDS / 4, size=BATCH
    )
    notified += process_in_batches(
        "notify customers of transfers", due_reviews(), _notify_reviews, seconds=MAX_SECONDS / 4, size=BATCH
    )
    notified += process_in_batches(
        "notify customers of claims", due_answers(), _notify_answers, seconds=MAX_SECONDS / 4, size=BATCH
    )
    if notified:
        enqueue_after_commit(send_due_messages)
    return notified


def _notify_changes(change_ids: list[int]) -> int:
    changes = due_changes().filter(pk__in=change_ids).order_by("pk")
    return sum(notify_status_change(change) for change in changes.select_related("order__customer"))


def notify_status_change(change: OrderStatusChange) -> bool:
    """Notify a customer of a status change, once; return False if that is already done or not wanted.

    A paid order gets its invoice first, so that the message can link to it. Call it outside any transaction.
    """
    kind = kind_of(change)
    is_wanted = kind is not None and change.created_at > timezone.now() - MAX_AGE and _is_on(kind)
    invoice = make_invoice(change.order) if is_wanted and kind == Kind.paid else None
    with transaction.atomic():
        mine = OrderStatusChange.objects.filter(pk=change.pk, message_due=True).update(message_due=False)
        if not mine or not is_wanted or kind is None:
            return False
        notification = replace(notification_of(change), invoice=invoice_url(invoice) if invoice else "")
        _write(kind, change.order, notification)
        return True


def _notify_refunds(refund_ids: list[int]) -> int:
    refunds = due_refunds().filter(pk__in=refund_ids).order_by("pk")
    return sum(notify_refund(refund) for refund in refunds.select_related("payment__order__customer"))


@transaction.atomic
def notify_refund(refund: Refund) -> bool:
    """Notify a customer of a refund, once; return False if another worker has done so."""
    if not Refund.objects.filter(pk=refund.pk, message_due=True).update(message_due=False):
        return False
    amount = aud_text(refund.amount) if refund.currency == "AUD" else str(refund)
    notification = Notification(refund=amount, is_in_wallet=refund.to == Refund.To.wallet)
    _write(Kind.refunded, refund.payment.paid_order, notification)
    return True


def _notify_reviews(certificate_ids: list[int]) -> int:
    reviews = due_reviews().filter(pk__in=certificate_ids).order_by("pk")
    return sum(notify_review(review) for review in reviews.select_related("order__customer"))


@transaction.atomic
def notify_review(review: Certificate) -> bool:
    """Notify a customer of the review of their transfer, once.

    Returns False if another worker has done so, or if the order is already paid or canceled.
    """
    mine = Certificate.objects.filter(pk=review.pk, message_due=True).update(message_due=False)
    order = review.order
    if not mine or order is None or order.status != OrderStatus.unpaid:
        return False
    kind = Kind.rejected if review.state == Certificate.State.rejected else Kind.part_paid
    _write(kind, order, review_notification(review, order))
    return True


def _notify_answers(message_ids: list[int]) -> int:
    answers = due_answers().filter(pk__in=message_ids).order_by("pk")
    return sum(notify_claim_answer(answer) for answer in answers.select_related("claim__order__customer"))


@transaction.atomic
def notify_claim_answer(answer: ClaimMessage) -> bool:
    """Notify a customer of the answer to a claim, once; return False if another worker has done so."""
    if not ClaimMessage.objects.filter(pk=answer.pk, message_due=True).update(message_due=False):
        return False
    notification = Notification(text=answer.text, claim=answer.claim.claim_no)
    _write(ANSWER_KINDS[ClaimState(answer.to_state)], answer.claim.order, notification)
    return True


def _is_on(kind: Kind) -> bool:
    return kind in REQUIRED or not NotificationSwitch.objects.filter(kind=kind, is_on=False).exists()


def _write(kind: Kind, order: Order, notification: Notification) -> None:
    to = order.customer.account
    if order.customer.is_deleted:
        return
    if not is_email(to) and kind not in WORTH_AN_SMS:
        return
    written = letter(kind=kind, order=order, language=order.language, notification=notification)
    write_message(
        to=to,
        subject=written.subject,
        text=written.text if is_email(to) else written.sms,
        html=written.html,
        code="",
        expires_at=timezone.now() + MAX_AGE,
    )
