"""What staff moved alone, and what waits for a second member of staff."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.update_only import UpdateOnlyModel


class StaffTotal(UpdateOnlyModel):
    """The dollars that one member of staff moved alone: on one day, or for one order or customer.

    See docs/guarantees/money.md#second-approval.
    """

    UPDATE_ONLY = frozenset({"total"})

    staff = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    # A day of the shop's calendar, or what the money was for.
    scope = models.CharField(max_length=80)
    total = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["staff", "scope"], name="one_total_per_scope")]
        indexes = [models.Index(fields=["created_at"], name="staff_total_by_age")]


class Approval(UpdateOnlyModel):
    """A movement of money that waits until a second member of staff approves or declines it."""

    UPDATE_ONLY = frozenset({"state", "decided_by", "decided_at"})

    class Kind(models.TextChoices):
        receipt = "receipt", _("Record a payment")
        wallet_refund = "wallet_refund", _("Refund to the wallet")
        points = "points", _("Adjust the points")
        paid_back = "paid_back", _("Paid back by hand")
        debt = "debt", _("Settle a debt")
        dispute_over = "dispute_over", _("Undo a dispute")

    class State(models.TextChoices):
        waiting = "waiting", _("Waiting for a second person")
        approved = "approved", _("Approved")
        declined = "declined", _("Declined")

    kind = models.CharField(_("what"), max_length=16, choices=Kind.choices)
    # An order or a customer, and the path of its page in the back office.
    subject = models.CharField(_("Belongs to"), max_length=300)
    path = models.CharField(max_length=200)
    amount = models.DecimalField(_("amount, AUD"), max_digits=12, decimal_places=2)
    # The arguments of the service, in the form that its kind reads.
    values = models.JSONField()
    note = models.CharField(_("note"), max_length=200)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        verbose_name=_("entered by"),
        db_index=False,
    )
    asked_at = models.DateTimeField(_("entered at"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.waiting)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("decided by"),
        db_index=False,
    )
    decided_at = models.DateTimeField(_("decided at"), null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("second approval")
        verbose_name_plural = _("second approvals")
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "path"], condition=Q(state="waiting"), name="one_waiting_approval_per_subject"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.subject}"
