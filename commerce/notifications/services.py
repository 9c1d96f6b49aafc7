"""Tells customers what happens to their orders, each thing once.

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
from commerce.messaging.tasks import sweep_messages
from commerce.notifications.kinds import ANSWER_KINDS, REQUIRED, WORTH_AN_SMS, Kind, kind_of
from commerce.notifications.models import NotificationSwitch
from commerce.notifications.texts import News, letter, news_of, news_of_review
from commerce.orders.models import Order, OrderStatusChange
from commerce.orders.status import OrderStatus
from commerce.payments.models import Certificate, Refund
from core.due_rows import MAX_SECONDS, process_in_batches
from core.enqueue import enqueue_after_commit
from core.money import aud_text

# What is older is no news any more, such as after a long outage.
NEWS_FOR = timedelta(days=3)
BATCH = 50


def due_changes() -> QuerySet[OrderStatusChange]:
    """Return the moves of orders that their customers are still to be told of."""
    return OrderStatusChange.objects.filter(message_due=True)


def due_refunds() -> QuerySet[Refund]:
    """Return the refunds that are done and that their customers are still to be told of."""
    return Refund.objects.filter(message_due=True, state=Refund.State.done)


def due_reviews() -> QuerySet[Certificate]:
    """Return the reviewed transfers that their customers are still to be told of."""
    return Certificate.objects.filter(message_due=True)


def due_answers() -> QuerySet[ClaimMessage]:
    """Return the answers of staff to claims that their customers are still to be told of."""
    return ClaimMessage.objects.filter(message_due=True)


def notify_due() -> int:
    """Write the messages that are due, in the order of what happened; returns how many.

    One task sends all of them, in this order: with a task for each, codes would wait behind a thousand.
    """
    told = process_in_batches(
        "tell customers of orders", due_changes(), _tell_changes, seconds=MAX_SECONDS / 4, size=BATCH
    )
    told += process_in_batches(
        "tell customers of refunds", due_refunds(), _tell_refunds, seconds=MAX_SECONDS / 4, size=BATCH
    )
    told += process_in_batches(
        "tell customers of transfers", due_reviews(), _tell_reviews, seconds=MAX_SECONDS / 4, size=BATCH
    )
    told += process_in_batches(
        "tell customers of claims", due_answers(), _tell_answers, seconds=MAX_SECONDS / 4, size=BATCH
    )
    if told:
        enqueue_after_commit(sweep_messages)
    return told


def _tell_changes(change_ids: list[int]) -> int:
    changes = due_changes().filter(pk__in=change_ids).order_by("pk")
    return sum(tell_change(change) for change in changes.select_related("order__customer"))


def tell_change(change: OrderStatusChange) -> bool:
    """Tell a customer of a move of their order, once; False where somebody else does, or it is no news.

    A paid order gets its invoice first, so that the message leads to it. Call it outside any transaction.
    """
    kind = kind_of(change)
    is_news = kind is not None and change.created_at > timezone.now() - NEWS_FOR and _is_on(kind)
    invoice = make_invoice(change.order) if is_news and kind == Kind.paid else None
    with transaction.atomic():
        mine = OrderStatusChange.objects.filter(pk=change.pk, message_due=True).update(message_due=False)
        if not mine or not is_news or kind is None:
            return False
        news = replace(news_of(change), invoice=invoice_url(invoice) if invoice else "")
        _write(kind, change.order, news)
        return True


def _tell_refunds(refund_ids: list[int]) -> int:
    refunds = due_refunds().filter(pk__in=refund_ids).order_by("pk")
    return sum(tell_refund(refund) for refund in refunds.select_related("payment__order__customer"))


@transaction.atomic
def tell_refund(refund: Refund) -> bool:
    """Tell a customer that money has gone back, once; False where somebody else does."""
    if not Refund.objects.filter(pk=refund.pk, message_due=True).update(message_due=False):
        return False
    amount = aud_text(refund.amount) if refund.currency == "AUD" else str(refund)
    news = News(refund=amount, is_in_wallet=refund.to == Refund.To.wallet)
    _write(Kind.refunded, refund.payment.paid_order, news)
    return True


def _tell_reviews(certificate_ids: list[int]) -> int:
    reviews = due_reviews().filter(pk__in=certificate_ids).order_by("pk")
    return sum(tell_review(review) for review in reviews.select_related("order__customer"))


@transaction.atomic
def tell_review(review: Certificate) -> bool:
    """Tell a customer what is still to do after the review of their transfer, once.

    False where somebody else does, or nothing is to do, since the order is paid or canceled by now.
    """
    mine = Certificate.objects.filter(pk=review.pk, message_due=True).update(message_due=False)
    order = review.order
    if not mine or order is None or order.status != OrderStatus.unpaid:
        return False
    kind = Kind.rejected if review.state == Certificate.State.rejected else Kind.part_paid
    _write(kind, order, news_of_review(review, order))
    return True


def _tell_answers(message_ids: list[int]) -> int:
    answers = due_answers().filter(pk__in=message_ids).order_by("pk")
    return sum(tell_answer(answer) for answer in answers.select_related("claim__order__customer"))


@transaction.atomic
def tell_answer(answer: ClaimMessage) -> bool:
    """Tell a customer what staff have said of their claim, once; False where somebody else does."""
    if not ClaimMessage.objects.filter(pk=answer.pk, message_due=True).update(message_due=False):
        return False
    news = News(said=answer.text, claim=answer.claim.claim_no)
    _write(ANSWER_KINDS[ClaimState(answer.to_state)], answer.claim.order, news)
    return True


def _is_on(kind: Kind) -> bool:
    return kind in REQUIRED or not NotificationSwitch.objects.filter(kind=kind, is_on=False).exists()


def _write(kind: Kind, order: Order, news: News) -> None:
    to = order.customer.account
    if order.customer.is_deleted:
        return
    if not is_email(to) and kind not in WORTH_AN_SMS:
        return
    written = letter(kind=kind, order=order, language=order.language, news=news)
    write_message(
        to=to,
        subject=written.subject,
        text=written.text if is_email(to) else written.sms,
        html=written.html,
        code="",
        expires_at=timezone.now() + NEWS_FOR,
    )
