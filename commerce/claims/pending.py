"""Dashboard cards of claims that wait for staff."""

from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from commerce.claims.models import Claim
from commerce.claims.states import ClaimState
from commerce.claims.unpaid_claims import overdue_refunds
from core.pending import SHOWN, Card, Item, when


def claims_to_answer(user: Any) -> Card | None:
    """Return the claims that wait for staff's answer, oldest first; two queries."""
    if not user.has_perm("claims.view_claim") or not user.has_perm("claims.answer_claim"):
        return None
    waiting = Claim.objects.filter(state=ClaimState.waiting)
    return Card(
        "claims",
        _("Claims to answer"),
        "warning",
        _items(waiting.order_by("pk")),
        waiting.count(),
        f"{reverse('claims:index')}?state={ClaimState.waiting}",
        _("All claims to answer"),
    )


def claims_to_refund(user: Any) -> Card | None:
    """Return the claims whose accepted refund is overdue, oldest first; two queries."""
    if not user.has_perm("claims.view_claim") or not user.has_perm("refunds.refund_order"):
        return None
    overdue = overdue_refunds()
    return Card(
        "claims-to-refund",
        _("Accepted claims not refunded yet"),
        "rotate",
        _items(overdue.order_by("decided_at")),
        overdue.count(),
        f"{reverse('claims:index')}?state={ClaimState.refund}",
        _("All claims accepted with a refund"),
    )


def _items(claims: QuerySet[Claim]) -> list[Item]:
    return [
        Item(
            str(claim),
            reverse("claims:inspect", args=[claim.pk]),
            f"{claim.order} · {claim.customer} · {when(claim.created_at)}",
        )
        for claim in claims.select_related("order", "customer")[:SHOWN]
    ]
