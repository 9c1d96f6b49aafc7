"""Limits of customs for one order."""

from datetime import date

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import Category, is_chinese
from commerce.delivery.territories import HOME_COUNTRY
from core.countries import country_codes, country_name


class ExportLimit(models.Model):
    """The maximum that a country's customs allow in one order (docs/freight.md#export)."""

    country = models.CharField(_("country, English name"), max_length=60)
    category = models.ForeignKey(
        Category,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("category"),
        help_text=_("Empty means all products together."),
    )
    max_units = models.PositiveIntegerField(_("most units"), null=True, blank=True)
    max_value = models.DecimalField(
        _("highest value, AUD"),
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        help_text=_("A single unit may cost more."),
    )
    why_en = models.CharField(_("reason in English"), max_length=200, blank=True)
    why_zh = models.CharField(_("reason in Chinese"), max_length=200, blank=True)
    valid_from = models.DateField(
        _("valid from"), null=True, blank=True, help_text=_("The first day. Leave it empty for no first day.")
    )
    valid_until = models.DateField(
        _("valid until"), null=True, blank=True, help_text=_("The last day. Empty means without an end.")
    )

    class Meta:
        ordering = ["country", "id"]
        verbose_name = _("export limit")
        verbose_name_plural = _("export limits")
        constraints = [
            models.CheckConstraint(
                condition=~Q(max_units=None) | ~Q(max_value=None),
                name="export_limit_limits",
                violation_error_message=_("Enter the most units or the highest value an order may have."),
            ),
            models.CheckConstraint(
                condition=(Q(max_units=None) | Q(max_units__gt=0)) & (Q(max_value=None) | Q(max_value__gt=0)),
                name="export_limit_positive",
                violation_error_message=_("A limit must be above 0."),
            ),
            models.CheckConstraint(
                condition=Q(valid_from=None) | Q(valid_until=None) | Q(valid_until__gte=F("valid_from")),
                name="export_limit_dates_in_order",
                violation_error_message=_("The last day cannot be before the first one."),
            ),
        ]

    def __str__(self) -> str:
        country = country_name(country_codes().get(self.country, self.country))
        place = {"larger": country, "smaller": self.category or gettext("all products")}
        return gettext("%(larger)s, %(smaller)s") % place

    @property
    def why(self) -> str:
        """The reason in the reader's language."""
        return self.why_zh if is_chinese() else self.why_en

    def is_valid_on(self, day: date) -> bool:
        """Return True if the limit is valid on a day in the shop's time zone; both ends are included."""
        return (self.valid_from is None or self.valid_from <= day) and (
            self.valid_until is None or day <= self.valid_until
        )

    def clean(self) -> None:
        """Refuse an unknown country and the shop's own country; raises ValidationError."""
        if self.country not in country_codes():
            raise ValidationError({"country": _("Not an English name of the country list.")})
        if self.country == HOME_COUNTRY:
            raise ValidationError({"country": _("Nothing is exported to the country of the shop.")})
