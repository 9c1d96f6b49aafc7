"""The life of a claim: its states and the moves between them (docs/product.md#claims)."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class ClaimState(models.TextChoices):
    """Whose turn it is, or how the claim has ended."""

    waiting = "waiting", _("Waiting for the shop")
    asking = "asking", _("Waiting for the customer’s answer")
    refund = "refund", _("Accepted, with a refund")
    replacement = "replacement", _("Accepted, with a replacement")
    declined = "declined", _("Declined")
    settled = "settled", _("Accepted, settled otherwise")


OPEN = frozenset({ClaimState.waiting, ClaimState.asking})
# A reply brings a claim back to the shop, and adds to one that waits there; staff may ask once more.
_ANSWERED = frozenset(ClaimState) - {ClaimState.settled}
TRANSITIONS: dict[str, frozenset[str]] = {
    ClaimState.waiting: _ANSWERED,
    ClaimState.asking: _ANSWERED,
    # If no refund was made, but for example the products were sent again.
    ClaimState.refund: frozenset({ClaimState.settled}),
    ClaimState.replacement: frozenset(),
    ClaimState.declined: frozenset(),
    ClaimState.settled: frozenset(),
}
# What staff may answer with.
ANSWERS = _ANSWERED - {ClaimState.waiting}


class ClaimKind(models.TextChoices):
    """What is wrong with the units of a line."""

    damaged = "damaged", _("Damaged")
    missing = "missing", _("Missing")
    wrong = "wrong", _("Wrong product")


class ClaimWish(models.TextChoices):
    """What the customer wishes for."""

    refund = "refund", _("A refund")
    replacement = "replacement", _("A replacement")
