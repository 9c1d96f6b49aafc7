"""Handles notices of providers."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress

from django.db.models import QuerySet

from commerce.payments.models import Payment, PaymentEvent
from commerce.payments.providers.base import BadNoticeError, Notice, Provider, UnavailableError
from commerce.payments.providers.slots import gateway_slot
from commerce.payments.services.disputes import can_be_disputed, open_dispute
from commerce.payments.services.query import refresh_payment
from commerce.refused_notices.services import store_unmatched
from core.errors import ShopError

log = logging.getLogger(__name__)


def handle_notice(*, provider: Provider, notice: Notice) -> None:
    """Store a notice, and poll the provider if the payment is not paid (docs/guarantees/money.md#notices).

    The content of the notice is stored for the audit only; a notice that matches no payment is stored for
    staff. Call it outside any transaction. Raises BadNoticeError for another payment's event, or for too many
    unmatched notices; UnavailableError if the provider should retry.
    """
    payment = _payment_of(provider, notice)
    if payment is None:
        store_unmatched(
            provider=provider.name,
            event_id=notice.event_id,
            kind=str(notice.body.get("event_type", "")),
            named=filter(None, (notice.reference, *notice.other_refs)),
            content=notice.body,
        )
        return
    event, _ = PaymentEvent.objects.get_or_create(
        provider=provider.name,
        event_id=notice.event_id,
        defaults={"payment": payment, "body": dict(notice.body), "reports_paid": notice.reports_paid},
    )
    if event.payment_id != payment.pk:
        raise BadNoticeError("its event was of another payment")
    if payment.state != Payment.State.paid:
        refresh_payment(payment=payment)
    if notice.dispute_ref:
        _dispute(provider, payment, notice)


def _payment_of(provider: Provider, notice: Notice) -> Payment | None:
    """Return the payment that a notice is about: by the shop's references first, then by the provider's.

    One query for a notice with the payment's reference.
    """
    payments = Payment.objects.filter(provider=provider.name)
    found = payments.filter(reference=notice.reference).first() if notice.reference else None
    return found or next(_matches(payments, [notice.reference, *notice.other_refs]), None)


def _matches(payments: QuerySet[Payment], named: Sequence[str]) -> Iterator[Payment]:
    wanted = [name for name in named if name]
    columns = ("reference", "refunds__reference", "capture_ref", "provider_ref", "refunds__provider_ref")
    for column in columns if wanted else ():
        yield from payments.filter(**{f"{column}__in": wanted}).order_by("pk")[:1]


def _dispute(provider: Provider, payment: Payment, notice: Notice) -> None:
    """Record a dispute of a payment, once its provider confirms it; a repeat changes nothing.

    A dispute of money that was refunded to its source already is only logged.
    """
    payment.refresh_from_db()
    if not can_be_disputed(payment) or not _is_disputed(provider, payment, notice):
        log.error("payment %s: disputed by event %s", payment.reference, notice.event_id)
        return
    with suppress(ShopError):
        # Refused if another worker has recorded it since.
        open_dispute(payment=payment, note=notice.event_id)


def _is_disputed(provider: Provider, payment: Payment, notice: Notice) -> bool:
    try:
        with gateway_slot(provider.name):
            return provider.is_disputed(payment=payment, dispute_ref=notice.dispute_ref)
    except UnavailableError as error:
        log.error(
            "payment %s: dispute %s cannot be asked about: %s", payment.reference, notice.dispute_ref, error
        )
        raise
