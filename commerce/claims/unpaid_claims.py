"""Which accepted claims have not had their money yet (docs/guarantees/money.md#claims)."""

from datetime import timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from commerce.claims.models import Claim, ClaimLine
from commerce.claims.states import ClaimState
from commerce.refunds.models import OrderRefundLine

# A refund is made by then, if at all.
REFUNDED_WITHIN = timedelta(days=2)
# Older claims are not shown.
LOOKED_AT = timedelta(days=90)


def without_refund() -> QuerySet[Claim]:
    """Return the claims accepted with a refund of late, for which nothing was given back since.

    Of a line that several claims name, units go to those accepted first.
    """
    since = timezone.now() - LOOKED_AT
    claims = Claim.objects.filter(state=ClaimState.refund, decided_at__gt=since)
    before_mine = F("line__claim_lines__refund_target") - F("line__claim_lines__units")
    given_back = OrderRefundLine.objects.filter(
        # Dollars without units may be for any of them.
        Q(units=0) | Q(line__refunded_units__gt=before_mine),
        line__claim_lines__claim=OuterRef("pk"),
        order_refund__created_at__gt=OuterRef("decided_at"),
    )
    return claims.exclude(Exists(given_back))


def is_without_refund(claim: Claim) -> bool:
    """Return True if a claim is one of `without_refund`; a query."""
    return without_refund().filter(pk=claim.pk).exists()


def overdue_refunds() -> QuerySet[Claim]:
    """Return those of `without_refund` that were accepted some days ago."""
    return without_refund().filter(decided_at__lt=timezone.now() - REFUNDED_WITHIN)


def units_to_refund(claim: Claim) -> dict[int, int]:
    """Return what is still to be given back for a claim accepted with a refund: order line id → units."""
    lines = ClaimLine.objects.filter(claim=claim, refund_target__isnull=False).select_related("line")
    left = {
        each.line_id: min(each.units, (each.refund_target or 0) - each.line.refunded_units) for each in lines
    }
    return {line: units for line, units in left.items() if units > 0}
