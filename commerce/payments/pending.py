"""Cards of the dashboard about money that awaits staff."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from commerce.orders.models import Order
from commerce.orders.pay_types import pay_type_name_of_row
from commerce.orders.status import OrderStatus
from commerce.payments.hold_times import COLLECTED_BY_STAFF, TRANSFER
from commerce.payments.models import Certificate, Dispute, Payment, Refund
from commerce.payments.providers.names import provider_name
from core.money import aud_text
from core.pending import SHOWN, Card, Item, when

# Providers usually give an outcome within a day.
SLOW_AFTER = timedelta(days=1)


def transfers_to_review(user: Any) -> Card | None:
    """Return the card of certificates that await review, oldest first; two queries."""
    if not user.has_perm("payments.view_certificate") or not user.has_perm("payments.review_certificate"):
        return None
    waiting = Certificate.objects.filter(state=Certificate.State.waiting).select_related("order", "customer")
    items = [
        Item(
            str(certificate),
            reverse("payment_certificates:inspect", args=[certificate.pk]),
            f"{certificate.customer} · {when(certificate.created_at)}",
        )
        for certificate in waiting.order_by("pk")[:SHOWN]
    ]
    return Card(
        "transfers",
        _("Transfers to review"),
        "image",
        items,
        waiting.count(),
        f"{reverse('payment_certificates:index')}?state={Certificate.State.waiting}",
        _("All transfers to review"),
    )


def money_to_record(user: Any) -> Card | None:
    """Return the card of unpaid orders whose cash or agreed money staff record, by deadline; two queries."""
    if not user.has_perm("orders.view_order") or not user.has_perm("payments.record_payment"):
        return None
    ways = sorted(COLLECTED_BY_STAFF - {TRANSFER})
    unpaid = Order.objects.filter(status=OrderStatus.unpaid, pay_type__in=ways)
    rows = unpaid.select_related("customer").annotate(pay_type_name=pay_type_name_of_row())
    items = [
        Item(
            f"{order} · {aud_text(order.pay_amount)}",
            reverse("orders:inspect", args=[order.pk]),
            f"{order.customer} · {order.pay_type_name}"
            + (_(" · held until %(time)s") % {"time": when(order.expires_at)} if order.expires_at else ""),
        )
        for order in rows.order_by("expires_at", "pk")[:SHOWN]
    ]
    chosen = urlencode({"status": OrderStatus.unpaid.value, "pay_type": ways}, doseq=True)
    return Card(
        "money-to-record",
        _("Orders whose payment you record"),
        "form",
        items,
        unpaid.count(),
        f"{reverse('orders:index')}?{chosen}",
        _("All orders whose payment you record"),
    )


def refunds_due(user: Any) -> Card | None:
    """Return the card of refunds that staff must check, oldest first; two queries.

    These are refunds that a provider has refused, that staff pay back, or that have been under way for a day.
    """
    if not user.has_perm("payments.view_refund"):
        return None
    is_slow = Q(next_query_at__isnull=False, created_at__lte=timezone.now() - SLOW_AFTER)
    stuck = Q(next_query_at=None) | is_slow
    due = Refund.objects.filter(stuck, state__in=Refund.OPEN).select_related("payment")
    items = [
        Item(
            str(refund),
            reverse("refunds:inspect", args=[refund.pk]),
            f"{refund.payment.reference} · {refund.get_reason_display()} · {refund.get_state_display()}",
        )
        for refund in due.order_by("pk")[:SHOWN]
    ]
    return Card(
        "refunds",
        _("Refunds to look into"),
        "rotate",
        items,
        due.count(),
        f"{reverse('refunds:index')}?state={Refund.State.due}&state={Refund.State.failed}",
        _("All refunds due"),
    )


def open_disputes(user: Any) -> Card | None:
    """Return the card of disputes that staff must answer and close, oldest first; two queries."""
    if not user.has_perm("payments.view_dispute"):
        return None
    waiting = Dispute.objects.filter(state=Dispute.State.open)
    items = [
        Item(
            f"{dispute.payment} · {dispute.payment.collected[1]} {dispute.amount}",
            reverse("disputes:inspect", args=[dispute.pk]),
            f"{dispute.payment.number} · {when(dispute.opened_at)}",
        )
        for dispute in waiting.select_related("payment__order", "payment__recharge").order_by("pk")[:SHOWN]
    ]
    return Card(
        "disputes",
        _("Disputed payments"),
        "warning",
        items,
        waiting.count(),
        f"{reverse('disputes:index')}?state={Dispute.State.open}",
        _("All open disputes"),
    )


def overdue_payments(user: Any) -> Card | None:
    """Return the card of overdue payments, oldest first; two queries."""
    if not user.has_perm("payments.view_payment"):
        return None
    overdue = Payment.objects.filter(state=Payment.State.pending, overdue_at__isnull=False)
    items = [
        Item(
            payment.reference,
            reverse("payments:inspect", args=[payment.pk]),
            f"{provider_name(payment.provider)} · {when(payment.created_at)}",
        )
        for payment in overdue.order_by("overdue_at")[:SHOWN]
    ]
    return Card(
        "overdue-payments",
        _("Payments without an outcome for more than a day"),
        "warning",
        items,
        overdue.count(),
        f"{reverse('payments:index')}?state={Payment.State.pending}",
        _("All open payments"),
    )
