"""What claims keep of a customer: for who asks for it, and for who wants it deleted.

See docs/guarantees.md#claims.
"""

from typing import Any

from commerce.accounts.models import Customer
from commerce.claims.models import ClaimMessage, ClaimPicture
from commerce.claims.serializers import claim_out, claims_in_full
from commerce.claims.services.pictures import delete_pictures


def export_of(customer: Customer) -> list[dict[str, Any]]:
    """Return all claims of a customer with their threads, as the wire has them, links to pictures too."""
    return [claim_out(claim) for claim in claims_in_full(customer.claims.order_by("pk"))]


def delete_of(customer: Customer) -> None:
    """Delete what a customer has written and shown in their claims.

    Their pictures go, and the words of their messages; which units were claimed, how it was decided and what
    staff have said stays with the order, as books. Call it outside any transaction.
    """
    delete_pictures(ClaimPicture.objects.filter(message__claim__customer=customer))
    theirs = ClaimMessage.objects.filter(claim__customer=customer, author=ClaimMessage.Author.customer)
    theirs.update(text="")
