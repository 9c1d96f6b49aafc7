"""Records that an accepted claim was settled without its refund, for example by sending the products again.

See docs/guarantees/money.md#claims.
"""

from django.contrib.auth.models import User
from django.db.models import F

from commerce.claims.models import Claim, ClaimLine, ClaimMessage
from commerce.claims.states import ClaimState
from commerce.claims.unpaid_claims import is_without_refund
from commerce.orders.models import Order
from core.errors import Err, ShopError
from core.transactions import in_transaction


@in_transaction
def settle_otherwise(*, claim: Claim, text: str, staff: User, seen: int) -> ClaimMessage:
    """Record that a claim accepted with a refund gets no refund any more; the customer is notified.

    `text`: how it was settled, read by the customer. `seen`: as for `answer_claim`. Locks: the order's row,
    Claim. Raises ShopError(note_missing, claim_moved); claim_moved also if a refund has been made.
    """
    if not text.strip():
        raise ShopError(Err.note_missing, fields={"text": Err.note_missing.name})
    # The lock makes a concurrent refund visible here, or makes it wait; refunds do not check claims.
    Order.objects.select_for_update(no_key=True).get(pk=claim.order_id)
    if not is_without_refund(claim):
        raise ShopError(Err.claim_moved)
    unchanged = Claim.objects.filter(pk=claim.pk, state=ClaimState.refund, messages=seen)
    if not unchanged.update(state=ClaimState.settled, messages=F("messages") + 1):
        raise ShopError(Err.claim_moved)
    claim.refresh_from_db(fields=["state", "messages"])
    _free_units(claim)
    return ClaimMessage.objects.create(
        claim=claim,
        author=ClaimMessage.Author.staff,
        staff=staff,
        text=text.strip(),
        from_state=ClaimState.refund,
        to_state=ClaimState.settled,
        message_due=True,
    )


def _free_units(claim: Claim) -> None:
    """Make a claim's units claimable again, and lower the refund targets of claims accepted later."""
    for each in claim.lines.filter(refund_target__isnull=False).select_related("line"):
        target = each.refund_target or 0
        units = max(0, min(each.units, target - each.line.refunded_units))
        ClaimLine.objects.filter(pk=each.pk).update(refund_target=None)
        later = ClaimLine.objects.filter(line=each.line, refund_target__gt=target)
        later.update(refund_target=F("refund_target") - units)
