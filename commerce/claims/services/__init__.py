"""Services for claims, one file per subject."""

from commerce.claims.services.answer import answer_claim, reply_to_claim
from commerce.claims.services.find import find_claim
from commerce.claims.services.make import LineClaim, make_claim
from commerce.claims.services.settle import settle_otherwise

__all__ = ["LineClaim", "answer_claim", "find_claim", "make_claim", "reply_to_claim", "settle_otherwise"]
