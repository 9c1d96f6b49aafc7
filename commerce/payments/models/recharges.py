"""Top-ups of wallets."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer


class Recharge(models.Model):
    """A top-up of a customer's wallet, which is credited once it is paid (docs/wire.md#recharge)."""

    number = models.CharField(_("number"), max_length=24, unique=True)
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="recharges", verbose_name=_("customer"), db_index=False
    )
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    # Where it was started, in the client's own words.
    source = models.CharField(_("source"), max_length=16, blank=True)
    created_at = models.DateTimeField(_("begun at"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("top-up")
        verbose_name_plural = _("top-ups")
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="recharge_amount_positive")]
        indexes = [models.Index(fields=["customer", "-id"], name="recharge_of_customer")]

    def __str__(self) -> str:
        return self.number
