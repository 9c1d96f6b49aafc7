"""Daily counts of refused notices in the name of a provider."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.update_only import UpdateOnlyModel


class RefusedNotice(UpdateOnlyModel):
    """The refused notices of one day, in the name of one provider and for one reason."""

    UPDATE_ONLY = frozenset({"count", "last_at"})

    class Reason(models.TextChoices):
        """Why a notice is refused."""

        forged = "forged", _("forged")
        unreadable = "unreadable", _("unreadable")
        unknown = "unknown", _("about something unknown")

    # In the shop's time zone.
    day = models.DateField(_("day"))
    provider = models.CharField(_("provider"), max_length=20)
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices)
    count = models.PositiveBigIntegerField(_("how many"), default=0)
    last_at = models.DateTimeField(_("the last at"))

    class Meta:
        ordering = ["-day", "provider", "reason"]
        verbose_name = _("refused notices")
        verbose_name_plural = _("refused notices")
        constraints = [
            models.UniqueConstraint(fields=["day", "provider", "reason"], name="one_count_per_day_and_reason")
        ]

    def __str__(self) -> str:
        return f"{self.provider}, {self.get_reason_display()}"
