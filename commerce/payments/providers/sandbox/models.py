"""The sandbox gateway's own records: the shop's charges and refunds, and their outcomes."""

from datetime import timedelta

from django.db import models
from django.utils import timezone

from core.update_only import UpdateOnlyModel

# How long a charge can be paid.
OPEN_FOR = timedelta(hours=24)


class SandboxCharge(UpdateOnlyModel):
    """One charge at the sandbox gateway; no money moves."""

    UPDATE_ONLY = frozenset({"state", "decided_at"})

    class State(models.TextChoices):
        open = "open"
        paid = "paid"
        declined = "declined"

    reference = models.CharField(max_length=60, unique=True)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    title = models.CharField(max_length=128)
    notify_url = models.URLField(max_length=500)
    return_url = models.URLField(max_length=500)
    state = models.CharField(max_length=10, choices=State.choices, default=State.open)
    created_at = models.DateTimeField(auto_now_add=True)
    # When it was paid or declined on the sandbox's page.
    decided_at = models.DateTimeField(null=True)

    @property
    def has_expired(self) -> bool:
        """Return True if the charge was open for too long, so that it cannot be paid any more."""
        return self.state == self.State.open and self.created_at <= timezone.now() - OPEN_FOR


class SandboxRefund(models.Model):
    """A refund of a charge; each reference exists once."""

    charge = models.ForeignKey(SandboxCharge, models.CASCADE, related_name="refunds")
    reference = models.CharField(max_length=60, unique=True)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    created_at = models.DateTimeField(auto_now_add=True)
