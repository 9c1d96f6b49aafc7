"""Finds accepted claims whose refund was not made yet (docs/guarantees/money.md#claims)."""

from datetime import timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from commerce.claims.models import Claim, ClaimLine
from commerce.claims.states import ClaimState
from commerce.refunds.models import OrderRefundLine

# Refunds that are not made within this time are shown to staff.
REFUNDED_WITHIN = timedelta(days=2)
# Only claims decided within this time are considered.
LOOKED_AT = timedelta(days=90)


def without_refund() -> QuerySet[Claim]:
    """Return the recent claims accepted with a refund that have had no refund since.

    If several claims have the same line, its refunded units count for the claim accepted first.
    """
    since = timezone.now() - LOOKED_AT
    claims = Claim.objects.filter(state=ClaimState.refund, decided_at__gt=since)
    before_mine = F("line__claim_lines__refund_target") - F("line__claim_lines__units")
    given_back = OrderRefundLine.objects.filter(
        # A refund of money without units may be for any of the claims.
        Q(units=0) | Q(line__refunded_units__gt=before_mine),
        line__claim_lines__claim=OuterRef("pk"),
        order_refund__created_at__gt=OuterRef("decided_at"),
    )
    return claims.exclude(Exists(given_back))


def is_without_refund(claim: Claim) -> bool:
    """Return True if a claim is one of `without_refund`; one query."""
    return without_refund().filter(pk=claim.pk).exists()


def overdue_refunds() -> QuerySet[Claim]:
    """Return the claims of `without_refund` that were accepted more than REFUNDED_WITHIN ago."""
    return without_refund().filter(decided_at__lt=timezone.now() - REFUNDED_WITHIN)


def units_to_refund(claim: Claim) -> dict[int, int]:
    """Return the units still to refund for a claim accepted with a refund: order line id → units."""
    lines = ClaimLine.objects.filter(claim=claim, refund_target__isnull=False).select_related("line")
    left = {
        each.line_id: min(each.units, (each.refund_target or 0) - each.line.refunded_units) for each in lines
    }
    return {line: units for line, units in left.items() if units > 0}
