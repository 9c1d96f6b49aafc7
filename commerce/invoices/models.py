"""Tax invoices of paid orders."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from commerce.orders.models import Order
from core.update_only import UpdateOnlyModel


class Invoice(UpdateOnlyModel):
    """The tax invoice of an order: a PDF that is made once and stored unchanged.

    `name`: random name of its URL and file; `sha256`: the file's hash in hexadecimal digits, empty after the
    deletion of a deleted customer's file. `missing_characters`: those that no font has. See
    docs/guarantees/money.md#invoices.
    """

    UPDATE_ONLY = frozenset({"sha256", "missing_characters"})
    MAX_MISSING = 100

    order = models.OneToOneField(Order, models.PROTECT, related_name="invoice", verbose_name=_("order"))
    number = models.CharField(_("invoice number"), max_length=32, unique=True)
    name = models.CharField(max_length=43, unique=True)
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField(_("date of issue"))
    missing_characters = models.CharField(
        _("characters not printed"), max_length=MAX_MISSING, blank=True, db_default="", default=""
    )

    class Meta:
        ordering = ["-id"]
        verbose_name = _("invoice")
        verbose_name_plural = _("invoices")
        indexes = [
            models.Index(
                fields=["made_at"], condition=~Q(missing_characters=""), name="invoice_missing_characters"
            )
        ]

    def __str__(self) -> str:
        return self.number
