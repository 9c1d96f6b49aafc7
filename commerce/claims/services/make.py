"""Creates claims: units of an order's lines, what is wrong with them, and the customer's wish.

See docs/guarantees/money.md#claims.
"""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from datetime import timedelta

from django.conf import settings

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.claims.claimable import check_claimable, units_to_claim
from commerce.claims.models import Claim, ClaimLine, ClaimMessage
from commerce.claims.services.pictures import CopiedUpload, add_pictures, copied_uploads, take_uploads
from commerce.claims.states import OPEN, ClaimKind, ClaimState, ClaimWish
from commerce.orders.models import Order, OrderLine
from commerce.orders.services import find_order
from commerce.rate_limits.services import RateLimit, consume_in_transaction
from core.errors import Err, ShopError
from core.ids import digest, new_number
from core.transactions import in_transaction

PER_DAY = RateLimit("claim", maximum=10, window=timedelta(days=1))


@dataclass(frozen=True)
class LineClaim:
    """Units of an order line, and what is wrong with them; `promotion_id`: None for an ordinary line."""

    product_id: int
    promotion_id: int | None
    units: int
    kind: ClaimKind


@dataclass(frozen=True)
class _Wish:
    """The content of a claim request; its hash identifies a repeated request."""

    lines: Sequence[LineClaim]
    wish: ClaimWish
    text: str
    image_urls: Sequence[str]

    @property
    def hash(self) -> str:
        lines = sorted(json.dumps(astuple(line)) for line in self.lines)
        pictures = sorted(url.partition("?")[0] for url in self.image_urls)
        return digest(json.dumps([lines, self.wish, self.text, pictures]))


def make_claim(
    *,
    customer: Customer,
    order_no: str,
    lines: Sequence[LineClaim],
    wish: ClaimWish,
    text: str,
    image_urls: Sequence[str] = (),
) -> Claim:
    """Create a claim about a customer's order; a repeated request returns the same claim while it is open.

    `text`: what happened. `image_urls`: URLs of uploads of the last day. Call it outside any transaction.
    Locks: the customer's counter, Order, Certificate, the customer's row. Raises ShopError(order_not_found,
    not_claimable, claim_above_left, too_many_claims, too_frequent). Raises parameter_error for a line of
    another order, a repeated line, no line, no text, or a picture that cannot be used. Raises login_invalid
    if the account was deleted in the meantime.
    """
    order = find_order(customer=customer, order_no=order_no)
    wished = _Wish(lines, wish, text.strip(), image_urls)
    if (same := _same(order, wished)) is not None:
        return same
    check_claimable(order)
    if not wished.text:
        raise ShopError(Err.parameter_error, fields={"text": Err.parameter_error.name})
    with copied_uploads(customer, image_urls) as copies:
        return _make(customer, order, wished, copies)


def _same(order: Order, wished: _Wish) -> Claim | None:
    return order.claims.filter(request_hash=wished.hash, state__in=sorted(OPEN)).first()


@in_transaction
def _make(customer: Customer, order: Order, wished: _Wish, copies: Sequence[CopiedUpload]) -> Claim:
    # The counter is locked first, so that a customer's concurrent claims about any orders run one by one.
    consume_in_transaction((PER_DAY, str(customer.pk)))
    order = Order.objects.select_for_update(no_key=True).get(pk=order.pk)
    if (same := _same(order, wished)) is not None:
        return same
    check_claimable(order)
    if customer.claims.filter(state__in=sorted(OPEN)).count() >= settings.MAX_OPEN_CLAIMS:
        raise ShopError(Err.too_many_claims)
    chosen = _chosen(order, wished.lines)
    take_uploads(copies)
    # A concurrent deletion of the account must not leave a new claim behind.
    lock_customer(customer)
    claim = Claim.objects.create(
        claim_no=new_number("C"),
        customer=customer,
        order=order,
        wish=wished.wish,
        request_hash=wished.hash,
    )
    ClaimLine.objects.bulk_create(
        ClaimLine(claim=claim, line=line, kind=each.kind, units=each.units) for line, each in chosen
    )
    message = ClaimMessage.objects.create(
        claim=claim,
        author=ClaimMessage.Author.customer,
        text=wished.text,
        to_state=ClaimState.waiting,
    )
    add_pictures(message, copies)
    return claim


def _chosen(order: Order, lines: Sequence[LineClaim]) -> list[tuple[OrderLine, LineClaim]]:
    """Return the claimed lines of the order; raises ShopError(parameter_error, claim_above_left)."""
    left = {
        (line.product_id, line.promotion_id): (line, units) for line, units in units_to_claim(order).items()
    }
    wished = {(each.product_id, each.promotion_id): each for each in lines}
    if not lines or len(wished) < len(lines) or not wished.keys() <= left.keys():
        raise ShopError(Err.parameter_error, fields={"lines": Err.parameter_error.name})
    chosen = []
    for key, each in wished.items():
        line, units = left[key]
        if not 1 <= each.units <= units:
            raise ShopError(Err.claim_above_left, fields={"lines": Err.claim_above_left.name})
        chosen.append((line, each))
    return sorted(chosen, key=lambda pair: pair[0].pk)
