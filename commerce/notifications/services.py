"""Notifies customers of events of their orders, once for each event.

See docs/guarantees/delivery.md#messages-about-orders.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, QuerySet
from django.utils import timezone

from commerce.claims.models import ClaimMessage
from commerce.claims.states import ClaimState
from commerce.invoices.services import invoice_url, make_invoice
from commerce.messaging.recipients import is_email
from commerce.messaging.services import write_message
from commerce.messaging.tasks import send_due_messages
from commerce.notifications.kinds import ANSWER_KINDS, REQUIRED, WORTH_AN_SMS, Kind, kind_of
from commerce.notifications.lasting import LASTING
from commerce.notifications.models import NotificationSwitch
from commerce.notifications.texts import Notification, letter, notification_of, review_notification
from commerce.orders.models import Order, OrderStatusChange
from commerce.payments.models import Certificate, Refund
from commerce.refunds.models import CancellationRequest
from core.due_rows import MAX_SECONDS, monotonic, process_in_batches
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


def due_declined() -> QuerySet[CancellationRequest]:
    """Return the declined requests to cancel whose customers must still be notified."""
    return CancellationRequest.objects.filter(message_due=True)


def notify_due() -> int:
    """Write the due messages, each kind in the order of its events; return their number.

    One task sends all of them: with one task per message, codes would wait behind a thousand tasks. Each kind
    has an equal part of the time that the kinds before have left, so the most frequent kind is the last.
    """
    until, notified = monotonic() + MAX_SECONDS, 0
    kinds = (
        ("refunds", due_refunds(), _notify_refunds),
        ("transfers", due_reviews(), _notify_reviews),
        ("claims", due_answers(), _notify_answers),
        ("requests to cancel", due_declined(), _notify_declined),
        ("orders", due_changes(), _notify_changes),
    )
    for place, (name, due, work) in enumerate(kinds):
        seconds = (until - monotonic()) / (len(kinds) - place)
        notified += process_in_batches(f"notify customers of {name}", due, work, seconds=seconds, size=BATCH)
    if notified:
        enqueue_after_commit(send_due_messages)
    return notified


def _notify_changes(change_ids: list[int]) -> int:
    changes = due_changes().filter(pk__in=change_ids).order_by("pk")
    return sum(notify_status_change(change) for change in changes.select_related("order__customer"))


def notify_status_change(change: OrderStatusChange) -> bool:
    """Notify a customer of a status change, once; return False if that is already done or not wanted.

    A change that is not true any more, such as an unpaid order that was paid since, is not announced. A paid
    order gets its invoice first, so that the message can link to it. Call it outside any transaction.
    """
    kind = kind_of(change)
    is_wanted = kind is not None and change.created_at > timezone.now() - MAX_AGE and _is_on(kind)
    invoice = make_invoice(change.order) if is_wanted and kind == Kind.paid else None
    with transaction.atomic():
        if not _claim(OrderStatusChange.objects.all(), change.pk, kind if is_wanted else None):
            return False
        assert kind
        notification = replace(notification_of(change), invoice=invoice_url(invoice) if invoice else "")
        _write(kind, change.order, notification, change.pk)
        return True


def _claim(rows: QuerySet[Any], pk: int, kind: Kind | None) -> bool:
    """Claim the message about a row; False if another worker has, or if the message is not true any more.

    `kind`: None if no message is wanted. Either way the row is not due any more.
    """
    due = rows.filter(pk=pk, message_due=True)
    lasting = LASTING.get(kind) if kind else None
    mine = due.filter(Exists(lasting(pk))) if lasting else due
    if kind and mine.update(message_due=False):
        return True
    due.update(message_due=False)
    return False


def _notify_refunds(refund_ids: list[int]) -> int:
    refunds = due_refunds().filter(pk__in=refund_ids).order_by("pk")
    return sum(notify_refund(refund) for refund in refunds.select_related("payment__order__customer"))


@transaction.atomic
def notify_refund(refund: Refund) -> bool:
    """Notify a customer of a refund, once; return False if another worker has done so."""
    if not _claim(Refund.objects.all(), refund.pk, Kind.refunded):
        return False
    amount = aud_text(refund.amount) if refund.currency == "AUD" else str(refund)
    notification = Notification(refund=amount, is_in_wallet=refund.to == Refund.To.wallet)
    _write(Kind.refunded, refund.payment.paid_order, notification, refund.pk)
    return True


def _notify_reviews(certificate_ids: list[int]) -> int:
    reviews = due_reviews().filter(pk__in=certificate_ids).order_by("pk")
    return sum(notify_review(review) for review in reviews.select_related("order__customer"))


@transaction.atomic
def notify_review(review: Certificate) -> bool:
    """Notify a customer of the review of their transfer, once.

    Returns False if another worker has done so, if the order is already paid or canceled, or if the customer
    has sent another picture since.
    """
    kind = Kind.rejected if review.state == Certificate.State.rejected else Kind.part_paid
    if not _claim(Certificate.objects.all(), review.pk, kind):
        return False
    order = review.order
    assert order
    _write(kind, order, review_notification(review, order), review.pk)
    return True


def _notify_answers(message_ids: list[int]) -> int:
    answers = due_answers().filter(pk__in=message_ids).order_by("pk")
    return sum(notify_claim_answer(answer) for answer in answers.select_related("claim__order__customer"))


@transaction.atomic
def notify_claim_answer(answer: ClaimMessage) -> bool:
    """Notify a customer of the answer to a claim, once.

    Returns False if another worker has done so, or if the claim has another state by now.
    """
    kind = ANSWER_KINDS[ClaimState(answer.to_state)]
    if not _claim(ClaimMessage.objects.all(), answer.pk, kind):
        return False
    notification = Notification(text=answer.text, claim=answer.claim.claim_no)
    _write(kind, answer.claim.order, notification, answer.pk)
    return True


def _notify_declined(request_ids: list[int]) -> int:
    requests = due_declined().filter(pk__in=request_ids).order_by("pk")
    return sum(notify_declined(request) for request in requests.select_related("order__customer"))


@transaction.atomic
def notify_declined(request: CancellationRequest) -> bool:
    """Notify a customer that a request to cancel was declined, once; False if another worker has done so."""
    if not _claim(CancellationRequest.objects.all(), request.pk, Kind.cancellation_declined):
        return False
    _write(Kind.cancellation_declined, request.order, Notification(text=request.answer), request.pk)
    return True


def _is_on(kind: Kind) -> bool:
    return kind in REQUIRED or not NotificationSwitch.objects.filter(kind=kind, is_on=False).exists()


def _write(kind: Kind, order: Order, notification: Notification, source_id: int) -> None:
    """Write a message; `source_id`: key of the row that it is about."""
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
        state=kind.value if kind in LASTING else "",
        state_id=source_id if kind in LASTING else None,
    )
