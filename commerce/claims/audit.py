"""Audit rules for claims (docs/guarantees/money.md#claims)."""

from collections.abc import Iterator

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum
from django.utils.translation import gettext_noop as _

from commerce.claims.models import Claim, ClaimLine, ClaimMessage, ClaimPicture
from commerce.claims.services.pictures import has_file
from commerce.claims.states import OPEN, ClaimState
from commerce.orders.models import OrderLine
from core.audit import Difference, about, label_of, run_rules

# Only the files of the newest pictures are checked.
FILES = 5_000


@about(Claim, ClaimLine, ClaimPicture)
def differences() -> Iterator[Difference]:
    """Yield a difference for each claim with wrong units, order, state or pictures."""
    yield from run_rules(_units, _orders, _states, _pictures)


def _units() -> Iterator[Difference]:
    """Compare the units of open claims and of accepted refunds with the units of the order line."""
    is_open = Q(claim_lines__claim__state__in=sorted(OPEN))
    lines = OrderLine.objects.filter(claim_lines__isnull=False).annotate(
        claimed=Sum("claim_lines__units", filter=is_open)
    )
    for line in lines.filter(claimed__gt=F("amount")).order_by("pk").iterator():
        yield Difference(
            "claim-units",
            f"order line {line.pk}",
            _("%(claimed)s claimed of %(amount)s"),
            claimed=line.claimed,
            amount=line.amount,
        )
    over = ClaimLine.objects.filter(refund_target__gt=F("line__amount")).select_related("line")
    for each in over.order_by("pk").iterator():
        yield Difference(
            "claim-units",
            f"order line {each.line_id}",
            _("%(units)s to be given back of %(amount)s"),
            units=each.refund_target,
            amount=each.line.amount,
        )


def _orders() -> Iterator[Difference]:
    """Yield a difference for each claim of another customer's order, or with a line of another order."""
    for claim in Claim.objects.exclude(customer=F("order__customer")).order_by("pk").iterator():
        yield Difference("claim-order", f"claim {claim}", _("its order is another customer’s"))
    strange = ClaimLine.objects.exclude(line__order=F("claim__order")).select_related("claim")
    for each in strange.order_by("pk").iterator():
        yield Difference("claim-order", f"claim {each.claim}", _("has a line of another order"))


def _states() -> Iterator[Difference]:
    """Compare the state and message count of each claim with its thread, which is its log."""
    thread = ClaimMessage.objects.filter(claim=OuterRef("pk"))
    claims = Claim.objects.annotate(
        written=Count("thread"), moved_to=Subquery(thread.order_by("-pk").values("to_state")[:1])
    )
    wrong = claims.exclude(Q(moved_to__isnull=False), state=F("moved_to"), messages=F("written"))
    for claim in wrong.order_by("pk").iterator():
        yield Difference(
            "claim-state",
            f"claim {claim}",
            _("%(state)s with %(messages)s messages, its thread %(moved_to)s with %(written)s"),
            state=label_of(ClaimState, claim.state),
            messages=claim.messages,
            moved_to=label_of(ClaimState, claim.moved_to),
            written=claim.written,
        )


def _pictures() -> Iterator[Difference]:
    kept = ClaimPicture.objects.filter(deleted_at=None).select_related("message__claim")
    for picture in kept.order_by("-pk")[:FILES]:
        if not has_file(picture):
            yield Difference(
                "claim-picture", f"claim {picture.message.claim}", _("a picture’s file is missing")
            )
