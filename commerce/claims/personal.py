"""Personal data in claims; claimed units and decisions stay with the order.

See docs/guarantees/customers.md#privacy, docs/guarantees/money.md#claims.
"""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Obstacle, Row, Section, by_pages, labels
from commerce.claims.models import Claim, ClaimLine, ClaimMessage, ClaimPicture
from commerce.claims.services.pictures import delete_pictures
from commerce.claims.states import OPEN
from commerce.claims.unpaid_claims import without_refund
from core.languages import in_both_languages


def _lines(customer: Customer) -> Iterator[Row]:
    wishes, kinds, states = labels(Claim, "wish"), labels(ClaimLine, "kind"), labels(Claim, "state")
    lines = ClaimLine.objects.filter(claim__customer=customer)
    for each in by_pages(lines.select_related("claim__order", "line")):
        yield {
            "number": each.claim.claim_no,
            "order": each.claim.order.order_no,
            "sku": each.line.sku,
            "units": each.units,
            "kind": kinds[each.kind],
            "wish": wishes[each.claim.wish],
            "claimed": each.claim.created_at,
            "state": states[each.claim.state],
        }


def _messages(customer: Customer) -> Iterator[Row]:
    authors = labels(ClaimMessage, "author")
    thread = ClaimMessage.objects.filter(claim__customer=customer)
    for message in by_pages(thread.select_related("claim").prefetch_related("pictures")):
        yield {
            "number": message.claim.claim_no,
            "time": message.created_at,
            "from": authors[message.author],
            "text": message.text,
            "pictures": len(message.pictures.all()),
        }


def _open_claims(customer: Customer) -> Iterable[Obstacle]:
    if customer.claims.filter(state__in=sorted(OPEN)).exists():
        text = in_both_languages(lambda: gettext("You have an open claim: please wait until it is decided."))
        yield Obstacle(text, "/home/account/claims")
    if without_refund().filter(customer=customer).exists():
        text = in_both_languages(lambda: gettext("A refund for a claim is due to you: please wait for it."))
        yield Obstacle(text, "/home/account/claims")


def _erase(customer_id: int) -> None:
    """Delete a customer's pictures and the texts of their messages."""
    delete_pictures(ClaimPicture.objects.filter(message__claim__customer=customer_id))
    theirs = ClaimMessage.objects.filter(claim__customer=customer_id, author=ClaimMessage.Author.customer)
    theirs.update(text="")


def wipe(order_ids: list[int]) -> None:
    """Delete all texts in the claims of orders: staff's texts may name the customer too."""
    ClaimMessage.objects.filter(claim__order__in=order_ids).update(text="")


PERSONAL = Holding(
    tables=frozenset({"claims.Claim"}),
    sections=(
        Section(
            "claims",
            _("claims"),
            {
                "number": _("claim number"),
                "order": _("order number"),
                "sku": _("SKU"),
                "units": _("units"),
                "kind": _("what is wrong"),
                "wish": _("wish"),
                "claimed": _("claimed at"),
                "state": _("state"),
            },
            _lines,
        ),
        Section(
            "claimMessages",
            _("messages of claims"),
            {
                "number": _("claim number"),
                "time": _("time"),
                "from": _("written by"),
                "text": _("text"),
                "pictures": _("pictures"),
            },
            _messages,
        ),
    ),
    obstacles=_open_claims,
    erase=_erase,
    wipe=wipe,
)
