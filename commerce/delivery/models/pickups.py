"""Pick-up shops, their hours and booked slots."""

from django.db import models
from django.db.models import F, Q
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel

from catalog.goods.models import TwoNames
from catalog.stock.models import Location
from core.update_only import UpdateOnlyModel

SAME_DAY = _("There is already an entry for this shop and date.")

# The defaults of a pick-up shop.
DEFAULT_CUTOFF_HOURS, DEFAULT_PER_HOUR = 2, 10


class PickupShop(TwoNames, ClusterableModel):
    """A shop where orders can be picked up, with its own stock."""

    location = models.OneToOneField(Location, models.PROTECT, verbose_name=_("stock location"))
    address = models.CharField(_("address"), max_length=200)
    is_open = models.BooleanField(_("takes orders"), default=True)
    cutoff_hours = models.PositiveSmallIntegerField(
        _("hours to prepare an order"),
        default=DEFAULT_CUTOFF_HOURS,
        db_default=DEFAULT_CUTOFF_HOURS,
        help_text=_("An hour can be booked until so many hours before it begins."),
    )
    sort = models.PositiveIntegerField(_("place in the list"), default=0)

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("pick-up shop")
        verbose_name_plural = _("pick-up shops")


class PickupHours(models.Model):
    """A shop's pick-up hours on a weekday, and the maximum customers per hour."""

    shop = ParentalKey(PickupShop, on_delete=models.CASCADE, related_name="hours", db_index=False)
    weekday = models.PositiveSmallIntegerField(_("weekday"), choices=list(WEEKDAYS.items()))
    opens = models.TimeField(_("opens"))
    closes = models.TimeField(_("closes"))
    per_hour = models.PositiveSmallIntegerField(_("customers per hour"), default=DEFAULT_PER_HOUR)

    class Meta:
        ordering = ["weekday"]
        verbose_name = _("hours of a pick-up shop")
        verbose_name_plural = _("hours of a pick-up shop")
        constraints = [
            models.UniqueConstraint(fields=["shop", "weekday"], name="one_row_per_weekday"),
            models.CheckConstraint(condition=Q(weekday__lte=6), name="weekday_range"),
            models.CheckConstraint(condition=Q(closes__gt=F("opens")), name="closes_after_opens"),
        ]


class PickupException(models.Model):
    """A date on which one pick-up shop, or every shop, is closed or open at other hours.

    Existing bookings stay booked.
    """

    shop = models.ForeignKey(
        PickupShop,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="exceptions",
        db_index=False,
        verbose_name=_("pick-up shop"),
        help_text=_("Empty means every shop."),
    )
    date = models.DateField(_("date"))
    opens = models.TimeField(_("opens"), null=True, blank=True)
    closes = models.TimeField(_("closes"), null=True, blank=True)

    class Meta:
        ordering = ["date", "shop"]
        verbose_name = _("holiday or other hours")
        verbose_name_plural = _("holidays and other hours")
        constraints = [
            models.UniqueConstraint(
                fields=["shop", "date"],
                name="one_exception_per_shop_and_day",
                violation_error_message=SAME_DAY,
            ),
            models.UniqueConstraint(
                fields=["date"],
                condition=Q(shop=None),
                name="one_exception_of_all_per_day",
                violation_error_message=SAME_DAY,
            ),
            models.CheckConstraint(
                condition=Q(opens=None, closes=None) | Q(opens__isnull=False, closes__gt=F("opens")),
                name="exception_closed_or_open",
                violation_error_message=_("Leave both hours empty for a closed day, or close after opening."),
            ),
        ]

    def __str__(self) -> str:
        shop = self.shop or gettext("every shop")
        return f"{date_format(self.date, 'SHORT_DATE_FORMAT')} {shop}"


class PickupSlot(UpdateOnlyModel):
    """The bookings of one hour at one shop; the first booking creates the row."""

    UPDATE_ONLY = frozenset({"capacity", "booked"})

    shop = models.ForeignKey(PickupShop, models.CASCADE, related_name="slots", db_index=False)
    starts_at = models.DateTimeField()
    capacity = models.PositiveSmallIntegerField()
    booked = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["shop", "starts_at"], name="one_slot_per_hour"),
            models.CheckConstraint(condition=Q(booked__lte=F("capacity")), name="booked_within_capacity"),
        ]
