"""Requests for a message when a sold-out product is available again."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import Product
from core.update_only import UpdateOnlyModel


class StockAlert(UpdateOnlyModel):
    """A request for one message when a product can be bought again."""

    UPDATE_ONLY = frozenset({"sent_at"})

    product = models.ForeignKey(
        Product, models.CASCADE, related_name="stock_alerts", verbose_name=_("product")
    )
    email = models.EmailField(_("email"))
    language = models.CharField(_("language"), max_length=10, choices=settings.LANGUAGES)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    sent_at = models.DateTimeField(_("sent"), null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("back-in-stock notice")
        verbose_name_plural = _("back-in-stock notices")
        constraints = [
            models.UniqueConstraint(
                fields=["product", "email"], condition=Q(sent_at=None), name="one_open_alert_per_product"
            )
        ]
        indexes = [
            models.Index(fields=["product"], condition=Q(sent_at=None), name="stock_alert_open"),
            models.Index(fields=["email"], name="stock_alert_email"),
        ]

    def __str__(self) -> str:
        return f"{self.product}, {self.email}"
