"""The states of a claim and the transitions between them (docs/product.md#claims)."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ClaimState(models.TextChoices):
    """The state of a claim: which side must act next, or how it ended."""

    waiting = "waiting", _("Waiting for the shop")
    asking = "asking", _("Waiting for the customer’s answer")
    refund = "refund", _("Accepted, with a refund")
    replacement = "replacement", _("Accepted, with a replacement")
    declined = "declined", _("Declined")
    settled = "settled", _("Accepted, settled otherwise")


OPEN = frozenset({ClaimState.waiting, ClaimState.asking})
# The next states of an open claim: a reply makes it wait for the shop again, and staff may ask again.
_ANSWERED = frozenset(ClaimState) - {ClaimState.settled}
TRANSITIONS: dict[str, frozenset[str]] = {
    ClaimState.waiting: _ANSWERED,
    ClaimState.asking: _ANSWERED,
    # Possible if no refund was made, for example because the products were sent again.
    ClaimState.refund: frozenset({ClaimState.settled}),
    ClaimState.replacement: frozenset(),
    ClaimState.declined: frozenset(),
    ClaimState.settled: frozenset(),
}
# The states that staff may choose as an answer.
ANSWERS = _ANSWERED - {ClaimState.waiting}


class ClaimKind(models.TextChoices):
    """What is wrong with the units of a line."""

    damaged = "damaged", _("Damaged")
    missing = "missing", _("Missing")
    wrong = "wrong", _("Wrong product")


class ClaimWish(models.TextChoices):
    """The customer's wish."""

    refund = "refund", _("A refund")
    replacement = "replacement", _("A replacement")
