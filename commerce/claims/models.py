"""Customers' claims about damaged, missing or wrong products of orders, and their messages."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.accounts.models import Customer
from commerce.claims.states import OPEN, ClaimKind, ClaimState, ClaimWish
from commerce.orders.models import Order, OrderLine
from core.update_only import UpdateOnlyModel

# The maximum number of characters in a message.
MAX_MESSAGE = 1_000


class Claim(UpdateOnlyModel):
    """One claim about lines of one order (docs/guarantees/money.md#claims).

    `messages`: number of messages in its thread, including the first; staff must have seen all of them to
    answer. `request_hash`: hash of the request, so that a repeated request creates no second claim.
    """

    UPDATE_ONLY = frozenset({"state", "messages", "decided_at"})

    claim_no = models.CharField(_("claim number"), max_length=24, unique=True)
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="claims", verbose_name=_("customer"), db_index=False
    )
    order = models.ForeignKey(Order, models.PROTECT, related_name="claims", verbose_name=_("order"))
    wish = models.CharField(_("wish"), max_length=11, choices=ClaimWish.choices)
    state = models.CharField(
        _("state"), max_length=11, choices=ClaimState.choices, default=ClaimState.waiting
    )
    messages = models.PositiveSmallIntegerField(default=1, editable=False)
    request_hash = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(_("claimed at"), auto_now_add=True)
    decided_at = models.DateTimeField(_("decided at"), null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("claim")
        verbose_name_plural = _("claims")
        permissions = [("answer_claim", gettext_noop("Can answer claims"))]
        indexes = [
            models.Index(fields=["customer", "-id"], name="claim_of_customer"),
            models.Index(fields=["id"], condition=Q(state=ClaimState.waiting), name="claim_waiting"),
            models.Index(
                fields=["decided_at"], condition=Q(state=ClaimState.refund), name="claim_with_refund"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(decided_at=None, state__in=sorted(OPEN))
                | Q(Q(decided_at__isnull=False), ~Q(state__in=sorted(OPEN))),
                name="claim_decided_or_open",
            )
        ]

    def __str__(self) -> str:
        return self.claim_no

    @property
    def is_open(self) -> bool:
        """True if the claim is not decided yet."""
        return self.state in OPEN


class ClaimLine(UpdateOnlyModel):
    """Units of an order's line that a claim is about.

    `refund_target`: if the claim is accepted with a refund, the total of refunded units that the order line
    has once this claim's units are refunded; null before that, and for other outcomes.
    """

    UPDATE_ONLY = frozenset({"refund_target"})

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="lines", db_index=False)
    line = models.ForeignKey(OrderLine, models.PROTECT, related_name="claim_lines")
    kind = models.CharField(_("what is wrong"), max_length=7, choices=ClaimKind.choices)
    units = models.PositiveIntegerField(_("units"))
    refund_target = models.PositiveIntegerField(null=True, editable=False)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["claim", "line"], name="one_row_per_claim_and_line"),
            models.CheckConstraint(condition=Q(units__gte=1), name="claim_of_some_units"),
        ]


class ClaimMessage(UpdateOnlyModel):
    """One message of a claim's thread, which is also its log: author, text and the claim's new state."""

    UPDATE_ONLY = frozenset({"message_due", "text"})

    class Author(models.TextChoices):
        customer = "customer", _("customer")
        staff = "staff", _("staff")

    claim = models.ForeignKey(Claim, models.PROTECT, related_name="thread")
    author = models.CharField(max_length=8, choices=Author.choices)
    # The member of staff; null for messages of the customer, and after the staff account is deleted.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    text = models.CharField(max_length=MAX_MESSAGE)
    from_state = models.CharField(max_length=11, choices=ClaimState.choices, blank=True)
    to_state = models.CharField(max_length=11, choices=ClaimState.choices)
    # Whether the customer must still be notified.
    message_due = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["id"], condition=Q(message_due=True), name="claim_message_untold")]


class ClaimPicture(UpdateOnlyModel):
    """A picture that the customer sent with a message; only the customer and staff may see it.

    `name`: random name of its URL and file.
    """

    UPDATE_ONLY = frozenset({"deleted_at"})

    message = models.ForeignKey(ClaimMessage, models.PROTECT, related_name="pictures")
    name = models.CharField(max_length=43, unique=True)
    # Set after the file was deleted; the row stays.
    deleted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["id"], condition=Q(deleted_at=None), name="claim_picture_kept")]
