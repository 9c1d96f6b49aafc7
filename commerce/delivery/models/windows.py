"""Delivery windows of the van."""

from django.db import models
from django.db.models import F, Q
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from core.update_only import UpdateOnlyModel


class DeliveryWindow(models.Model):
    """A period on a weekday in which the van delivers chilled and frozen products in metropolitan Perth."""

    weekday = models.PositiveSmallIntegerField(_("weekday"), choices=list(WEEKDAYS.items()))
    starts = models.TimeField(_("from"))
    ends = models.TimeField(_("until"))
    capacity = models.PositiveSmallIntegerField(_("orders"), default=8)
    cutoff_hours = models.PositiveSmallIntegerField(
        _("closes, hours before"),
        default=12,
        help_text=_("How long before its beginning it can be booked last."),
    )

    class Meta:
        ordering = ["weekday", "starts"]
        verbose_name = _("delivery window")
        verbose_name_plural = _("delivery windows")
        constraints = [
            models.UniqueConstraint(fields=["weekday", "starts"], name="one_window_per_start"),
            models.CheckConstraint(condition=Q(weekday__lte=6), name="window_weekday_range"),
            models.CheckConstraint(condition=Q(ends__gt=F("starts")), name="window_ends_after_start"),
        ]

    def __str__(self) -> str:
        return f"{self.get_weekday_display()} {self.starts:%H:%M}–{self.ends:%H:%M}"


class DeliveryDayOff(models.Model):
    """A date on which the van does not deliver; existing bookings stay booked."""

    date = models.DateField(_("date"), unique=True)

    class Meta:
        ordering = ["date"]
        verbose_name = _("day without delivery")
        verbose_name_plural = _("days without delivery")

    def __str__(self) -> str:
        return date_format(self.date, "SHORT_DATE_FORMAT")


class DeliverySlot(UpdateOnlyModel):
    """The bookings of a delivery window on one day; the first booking creates the row."""

    UPDATE_ONLY = frozenset({"capacity", "booked"})

    starts_at = models.DateTimeField(unique=True)
    # The window's end at the first booking; each order stores its own.
    ends_at = models.DateTimeField()
    capacity = models.PositiveSmallIntegerField()
    booked = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(booked__lte=F("capacity")), name="window_booked_within_capacity"
            ),
        ]
