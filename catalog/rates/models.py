"""The exchange rate of the prices in CNY."""

from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.update_only import UpdateOnlyModel


class ExchangeRate(UpdateOnlyModel):
    """CNY for one AUD at a time, from a source or from staff; `DEFAULT_RATE` before the first.

    See docs/wire.md#exchangerate. `as_of`: the time for which the source gives the rate.
    `fetched_at`: the last time that the source returned it.
    """

    UPDATE_ONLY = frozenset({"fetched_at", "status", "decided_by", "decided_at", "ended_by", "ended_at"})

    DEFAULT_RATE = Decimal("5")
    # The rate is fetched several times a day, so an older one means a failure.
    STALE = timedelta(days=2)
    NEWEST_FIRST = ["-as_of", "-fetched_at", "-id"]

    class Status(models.TextChoices):
        """Whether prices may be shown with this rate."""

        accepted = "accepted", _("Accepted")
        held = "held", _("Held for staff")
        refused = "refused", _("Refused")

    rate = models.DecimalField(_("CNY per AUD"), max_digits=12, decimal_places=6)
    source = models.CharField(_("source"), max_length=40)
    as_of = models.DateTimeField(_("as of"))

    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.accepted)
    fetched_at = models.DateTimeField(_("fetched"), default=timezone.now, editable=False)
    is_override = models.BooleanField(_("set by staff"), default=False)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided"), null=True, editable=False)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("ended by"),
    )
    ended_at = models.DateTimeField(_("ended"), null=True, editable=False)

    class Meta:
        ordering = ["-as_of", "-fetched_at", "-id"]
        indexes = [models.Index(fields=["-as_of", "-fetched_at", "-id"], name="rate_newest")]
        constraints = [
            models.CheckConstraint(condition=Q(rate__gt=0), name="rate_positive"),
            models.UniqueConstraint(
                fields=["source", "as_of", "rate"],
                condition=Q(is_override=False),
                name="rate_once_per_source_and_day",
            ),
            models.UniqueConstraint(
                fields=["is_override"],
                condition=Q(is_override=True, ended_at=None),
                name="one_override_at_a_time",
            ),
        ]
        verbose_name = _("exchange rate")
        verbose_name_plural = _("exchange rates")

    def __str__(self) -> str:
        return f"{self.rate} ({self.source}, {self.as_of:%Y-%m-%d})"

    @property
    def is_stale(self) -> bool:
        """Whether the last fetch is so old that shoppers should see the date of the rate."""
        return not self.is_override and timezone.now() - self.fetched_at > self.STALE
