"""Finds a customer's own claims; claims of other customers are treated as missing.

See docs/guarantees/customers.md#own-objects-only.
"""

from commerce.accounts.models import Customer
from commerce.claims.models import Claim
from core.errors import Err, ShopError
from core.ids import may_be_number


def find_claim(*, customer: Customer, claim_no: str) -> Claim:
    """Return a customer's claim by its number, with its order; raises ShopError(claim_not_found)."""
    claim = None
    if may_be_number(claim_no):
        claim = customer.claims.select_related("order").filter(claim_no=claim_no).first()
    if claim is None:
        raise ShopError(Err.claim_not_found)
    return claim
