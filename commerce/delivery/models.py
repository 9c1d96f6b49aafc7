"""What sending costs, and where and when products can be picked up."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel

from catalog.goods.models import Storage, TwoNames
from catalog.stock.models import Location
from core.countries import country_codes
from core.update_only import UpdateOnlyModel


class FreightRule(models.Model):
    """The price of one parcel of a storage kind to a part of the world.

    The most specific rule wins: a post code prefix before a province, a province before a country, a
    country before none.
    """

    country = models.CharField(_("country, English name"), max_length=60, blank=True)
    province = models.CharField(_("state or province"), max_length=60, blank=True)
    zip_prefix = models.CharField(_("post codes that begin with"), max_length=12, blank=True)
    storage = models.CharField(_("storage"), max_length=10, choices=Storage.choices)
    first_grams = models.PositiveIntegerField(_("grams in the first price"))
    first_price = models.DecimalField(_("first price, AUD"), max_digits=12, decimal_places=2)
    step_grams = models.PositiveIntegerField(_("grams per further step"))
    step_price = models.DecimalField(_("price per further step, AUD"), max_digits=12, decimal_places=2)

    class Meta:
        ordering = ["country", "province", "zip_prefix", "storage"]
        verbose_name = _("freight rule")
        verbose_name_plural = _("freight rules")
        constraints = [
            models.UniqueConstraint(
                fields=["country", "province", "zip_prefix", "storage"], name="one_freight_rule_per_place"
            ),
            models.CheckConstraint(
                condition=Q(first_grams__gt=0, step_grams__gt=0), name="freight_grams_positive"
            ),
            models.CheckConstraint(
                condition=Q(first_price__gte=0, step_price__gte=0), name="freight_prices_not_negative"
            ),
        ]

    def __str__(self) -> str:
        place = " ".join(filter(None, [self.country, self.province, self.zip_prefix])) or "*"
        return f"{place}, {self.get_storage_display()}"

    def clean(self) -> None:
        """Refuse a country that no address can have; raises ValidationError."""
        if self.country and self.country not in country_codes():
            raise ValidationError({"country": _("Not an English name of the country list.")})


class PickupShop(TwoNames, ClusterableModel):
    """A shop where orders can be picked up, with a stock of its own."""

    location = models.OneToOneField(Location, models.PROTECT, verbose_name=_("stock location"))
    address = models.CharField(_("address"), max_length=200)
    is_open = models.BooleanField(_("takes orders"), default=True)
    sort = models.PositiveIntegerField(_("place in the list"), default=0)

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("pick-up shop")
        verbose_name_plural = _("pick-up shops")


class PickupHours(models.Model):
    """When a shop hands out orders on a weekday, and to how many customers an hour."""

    shop = ParentalKey(PickupShop, on_delete=models.CASCADE, related_name="hours", db_index=False)
    weekday = models.PositiveSmallIntegerField(_("weekday"), choices=list(WEEKDAYS.items()))
    opens = models.TimeField(_("opens"))
    closes = models.TimeField(_("closes"))
    per_hour = models.PositiveSmallIntegerField(_("customers per hour"), default=10)

    class Meta:
        ordering = ["weekday"]
        verbose_name = _("hours of a pick-up shop")
        verbose_name_plural = _("hours of a pick-up shop")
        constraints = [
            models.UniqueConstraint(fields=["shop", "weekday"], name="one_row_per_weekday"),
            models.CheckConstraint(condition=Q(weekday__lte=6), name="weekday_range"),
            models.CheckConstraint(condition=Q(closes__gt=F("opens")), name="closes_after_opens"),
        ]


class PickupSlot(UpdateOnlyModel):
    """One hour at one shop that somebody has booked; it exists from its first booking."""

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
