"""Notices of providers that change nothing: counts of refused ones, and genuine ones that match nothing."""

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


class UnmatchedNotice(models.Model):
    """A genuine notice whose payment or parcel the shop does not know; stored once for staff."""

    provider = models.CharField(_("provider"), max_length=20)
    # The provider's id of the event, or of the parcel if its notices have none.
    event_id = models.CharField(_("event"), max_length=80)
    kind = models.CharField(_("kind"), max_length=100, blank=True)
    # The references by which the shop has looked for it, separated by commas.
    named = models.CharField(_("refers to"), max_length=300, blank=True)
    # The stored fields of the notice, one per line.
    content = models.TextField(_("content"), blank=True)
    created_at = models.DateTimeField(_("received at"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("unmatched notice")
        verbose_name_plural = _("unmatched notices")
        constraints = [
            models.UniqueConstraint(fields=["provider", "event_id"], name="one_unmatched_notice_per_event")
        ]
        indexes = [models.Index(fields=["created_at"], name="unmatched_by_time")]

    def __str__(self) -> str:
        return f"{self.provider}: {self.named or self.event_id}"
