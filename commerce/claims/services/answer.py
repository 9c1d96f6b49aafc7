"""Staff's answers and customers' replies to claims; each is a message of the claim's thread.

See docs/guarantees/money.md#claims.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.db.models import F, Max
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.claims.models import Claim, ClaimLine, ClaimMessage
from commerce.claims.services.find import find_claim
from commerce.claims.services.pictures import CopiedUpload, add_pictures, copied_uploads, take_uploads
from commerce.claims.states import ANSWERS, OPEN, TRANSITIONS, ClaimState
from commerce.orders.models import Order
from commerce.payments.services.certificates import find_upload
from commerce.rate_limits.services import RateLimit, consume_in_transaction
from core.errors import Err, ShopError
from core.transactions import in_transaction

# The limit for replies in a thread; staff may always answer.
MAX_MESSAGES = 30
REPLIES_PER_DAY = RateLimit("claim reply", maximum=20, window=timedelta(days=1))


@in_transaction
def answer_claim(*, claim: Claim, to: ClaimState, text: str, staff: User, seen: int) -> ClaimMessage:
    """Answer a claim as staff: ask the customer, accept or decline; the customer is notified.

    `text`: read by the customer. `seen`: number of messages that the staff member has seen, so that no unread
    message is answered and a repeated form answers once. Locks: the order's row, Claim. Raises
    ShopError(note_missing, claim_moved).
    """
    if to not in ANSWERS:
        raise ValueError(f"staff do not answer a claim with {to}")
    if not text.strip():
        raise ShopError(Err.note_missing, fields={"text": Err.note_missing.name})
    # The lock keeps refunds out, since the refund targets depend on the units refunded so far.
    Order.objects.select_for_update(no_key=True).get(pk=claim.order_id)
    state = ClaimState(Claim.objects.values_list("state", flat=True).get(pk=claim.pk))
    if to not in TRANSITIONS[state] or not _move(claim, state, to, seen):
        raise ShopError(Err.claim_moved)
    if to == ClaimState.refund:
        _set_targets(claim)
    return ClaimMessage.objects.create(
        claim=claim,
        author=ClaimMessage.Author.staff,
        staff=staff,
        text=text.strip(),
        from_state=state,
        to_state=to,
        message_due=True,
    )


def _move(claim: Claim, seen_state: ClaimState, to: ClaimState, seen: int) -> bool:
    unchanged = Claim.objects.filter(pk=claim.pk, state=seen_state, messages=seen)
    decided_at = None if to in OPEN else timezone.now()
    if not unchanged.update(state=to, messages=F("messages") + 1, decided_at=decided_at):
        return False
    claim.refresh_from_db(fields=["state", "messages", "decided_at"])
    return True


def _set_targets(claim: Claim) -> None:
    """Set the refund target of each line of an accepted claim."""
    for each in claim.lines.select_related("line"):
        accepted = each.line.claim_lines.aggregate(most=Max("refund_target"))["most"] or 0
        before = max(each.line.refunded_units, accepted)
        target = min(each.line.amount, before + each.units)
        ClaimLine.objects.filter(pk=each.pk).update(refund_target=target)


def reply_to_claim(*, customer: Customer, claim_no: str, text: str, image_urls: Sequence[str] = ()) -> Claim:
    """Add a customer's message to their open claim, which then waits for the shop; a repeat adds nothing.

    Call it outside any transaction. Locks: the customer's counter, Claim, Certificate. Raises
    ShopError(claim_not_found, claim_closed, too_frequent), and parameter_error if the text is empty, the
    thread is full, or a picture cannot be used.
    """
    claim = find_claim(customer=customer, claim_no=claim_no)
    written = text.strip()
    if not written:
        raise ShopError(Err.parameter_error, fields={"text": Err.parameter_error.name})
    is_new = any(find_upload(customer=customer, image_url=url) for url in image_urls)
    if _is_repeated(claim, written) and not is_new:
        return claim
    with copied_uploads(customer, image_urls) as copies:
        return _reply(claim, written, copies)


def _is_repeated(claim: Claim, text: str) -> bool:
    last = claim.thread.last()
    return last is not None and (last.author, last.text) == (ClaimMessage.Author.customer, text)


@in_transaction
def _reply(claim: Claim, text: str, copies: Sequence[CopiedUpload]) -> Claim:
    consume_in_transaction((REPLIES_PER_DAY, str(claim.customer_id)))
    locked = Claim.objects.select_for_update(no_key=True).get(pk=claim.pk)
    if not copies and _is_repeated(locked, text):
        return claim
    state = ClaimState(locked.state)
    if ClaimState.waiting not in TRANSITIONS[state]:
        raise ShopError(Err.claim_closed)
    if locked.messages >= MAX_MESSAGES:
        raise ShopError(Err.parameter_error, fields={"text": Err.parameter_error.name})
    if not _move(claim, state, ClaimState.waiting, locked.messages):
        raise ShopError(Err.claim_moved)
    take_uploads(copies)
    message = ClaimMessage.objects.create(
        claim=claim,
        author=ClaimMessage.Author.customer,
        text=text,
        from_state=state,
        to_state=ClaimState.waiting,
    )
    add_pictures(message, copies)
    return claim
