"""Rules for the price of a parcel."""

from collections.abc import Collection, Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import Storage
from commerce.delivery.regions import (
    ANY_COUNCIL,
    COUNCILS_COUNTRY,
    COUNCILS_PROVINCE,
    ZONES_COUNTRY,
    Zone,
    councils,
    provinces,
)
from core.countries import country_codes, country_name
from core.money import ZERO, aud_text

DIGITS = RegexValidator(r"\A[0-9]+\Z", _("Digits only."))
OVERLAP = _("There is already a rule for this place and storage at the same time.")

# Values of the price columns, which are never null, if a rule without delivery has no prices.
NO_PRICE: dict[str, int | Decimal] = {
    "first_grams": 1,
    "first_price": ZERO,
    "step_grams": 1,
    "step_price": ZERO,
}
# The most working days until delivery.
MAX_DAYS = 90
# The fields that limit a rule to a region, the narrowest first.
REGION_FIELDS = ("zip_prefix", "zip_from", "zip_to", "council", "province", "zone", "country")


class FreightRule(models.Model):
    """The price of one parcel of a storage kind to a region, or the exclusion of deliveries to it.

    The most specific rule that is valid on the day wins (docs/freight.md#which-rule-wins).
    """

    country = models.CharField(_("country, English name"), max_length=60, blank=True)
    province = models.CharField(_("state or province"), max_length=60, blank=True)
    zone = models.CharField(
        _("part of Malaysia"), max_length=20, choices=Zone.choices, blank=True, default="", db_default=""
    )
    council = models.CharField(_("council of Perth"), max_length=60, blank=True, default="", db_default="")
    zip_prefix = models.CharField(_("postcodes that begin with"), max_length=12, blank=True)
    zip_from = models.CharField(
        _("postcodes from"), max_length=12, validators=[DIGITS], blank=True, default="", db_default=""
    )
    zip_to = models.CharField(
        _("postcodes up to"),
        max_length=12,
        validators=[DIGITS],
        blank=True,
        default="",
        db_default="",
        help_text=_("This postcode is included. As many digits as the first one."),
    )
    storage = models.CharField(_("storage"), max_length=10, choices=Storage.choices)
    first_grams = models.PositiveIntegerField(_("grams in the first price"))
    first_price = models.DecimalField(_("first price, AUD"), max_digits=12, decimal_places=2)
    step_grams = models.PositiveIntegerField(_("grams per further step"))
    step_price = models.DecimalField(_("price per further step, AUD"), max_digits=12, decimal_places=2)
    surcharge = models.DecimalField(
        _("remote surcharge, AUD"),
        max_digits=12,
        decimal_places=2,
        default=ZERO,
        db_default=ZERO,
        help_text=_("Is added to the price of each parcel."),
    )
    free_from = models.DecimalField(
        _("free from, AUD"),
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        help_text=_(
            "What the products of an order must cost, after promotions and vouchers, for these parcels to be "
            "sent for nothing. Empty means never."
        ),
    )
    days_from = models.PositiveSmallIntegerField(
        _("working days, from"),
        null=True,
        blank=True,
        help_text=_("From payment to delivery. Empty means that nothing is promised."),
    )
    days_to = models.PositiveSmallIntegerField(_("working days, up to"), null=True, blank=True)
    excluded = models.BooleanField(_("nothing is sent there"), default=False, db_default=False)
    why_en = models.CharField(_("reason in English"), max_length=200, blank=True, default="", db_default="")
    why_zh = models.CharField(_("reason in Chinese"), max_length=200, blank=True, default="", db_default="")
    valid_from = models.DateField(
        _("valid from"), null=True, blank=True, help_text=_("The first day. Leave it empty for no first day.")
    )
    valid_until = models.DateField(
        _("valid until"), null=True, blank=True, help_text=_("The last day. Empty means without an end.")
    )

    class Meta:
        ordering = [
            "country",
            "province",
            "zone",
            "council",
            "zip_prefix",
            "zip_from",
            "storage",
            "valid_from",
        ]
        verbose_name = _("delivery cost rule")
        verbose_name_plural = _("delivery cost rules")
        constraints = [
            models.UniqueConstraint(
                fields=[*REGION_FIELDS, "storage"],
                condition=Q(valid_from=None),
                name="one_undated_freight_rule",
                violation_error_message=OVERLAP,
            ),
            models.UniqueConstraint(
                fields=[*REGION_FIELDS, "storage", "valid_from"],
                name="one_freight_rule_per_start",
                violation_error_message=OVERLAP,
            ),
            models.CheckConstraint(
                condition=Q(first_grams__gt=0, step_grams__gt=0),
                name="freight_grams_positive",
                violation_error_message=_("The grams of a price must be above 0."),
            ),
            models.CheckConstraint(
                condition=Q(first_price__gte=0, step_price__gte=0),
                name="freight_prices_not_negative",
                violation_error_message=_("A price cannot be negative."),
            ),
            models.CheckConstraint(
                condition=Q(surcharge__gte=0),
                name="freight_surcharge_not_negative",
                violation_error_message=_("A surcharge cannot be negative."),
            ),
            models.CheckConstraint(
                condition=Q(free_from=None) | Q(free_from__gt=0),
                name="freight_free_from_positive",
                violation_error_message=_("The amount from which parcels are free must be above 0."),
            ),
            models.CheckConstraint(
                condition=Q(days_from=None, days_to=None)
                | Q(days_from__isnull=False, days_to__gte=F("days_from"), days_to__lte=MAX_DAYS),
                name="freight_days_in_order",
                violation_error_message=_(
                    "Enter both numbers of working days or none, the smaller one first."
                ),
            ),
            models.CheckConstraint(
                condition=Q(valid_from=None) | Q(valid_until=None) | Q(valid_until__gte=F("valid_from")),
                name="freight_dates_in_order",
                violation_error_message=_("The last day cannot be before the first one."),
            ),
            models.CheckConstraint(
                condition=Q(excluded=False) | ~Q(why_en="") & ~Q(why_zh=""),
                name="freight_exclusion_has_reasons",
                violation_error_message=_("Write in both languages why nothing is sent there."),
            ),
        ]

    def __str__(self) -> str:
        place = {"larger": self.region_name, "smaller": self.get_storage_display()}
        return gettext("%(larger)s, %(smaller)s") % place

    @property
    def region_name(self) -> str:
        """The rule's region in the reader's language, the largest part first."""
        # The name of a zone contains its country.
        names = [*([] if self.zone else [self.country_name]), *self._area_names()]
        return _joined(names) or gettext("everywhere else")

    @property
    def country_name(self) -> str:
        """The name of the rule's country in the reader's language; empty for every country."""
        return country_name(country_codes().get(self.country, self.country))

    @property
    def area_name(self) -> str:
        """The part of the country in the reader's language; "everywhere else" for the whole of it."""
        return _joined(self._area_names()) or gettext("everywhere else")

    def _area_names(self) -> list[str]:
        names = [self.get_zone_display() if self.zone else "", self.province]
        if self.council == ANY_COUNCIL:
            names.append(gettext("Perth metro"))
        elif self.council:
            names.append(gettext("%(council)s council") % {"council": self.council})
        if self.zip_prefix:
            names.append(gettext("postcodes %(start)s…") % {"start": self.zip_prefix})
        if self.zip_from and self.zip_from == self.zip_to:
            names.append(gettext("postcode %(code)s") % {"code": self.zip_from})
        elif self.zip_from:
            names.append(
                gettext("postcodes %(first)s–%(last)s") % {"first": self.zip_from, "last": self.zip_to}
            )
        return names

    def is_valid_on(self, day: date) -> bool:
        """Return True if the rule is valid on a day in the shop's time zone; both ends are included."""
        return (self.valid_from is None or self.valid_from <= day) and (
            self.valid_until is None or day <= self.valid_until
        )

    def clean(self) -> None:
        """Refuse a region that no address can have; raises ValidationError."""
        errors = {name: message for name, message in self._wrong_regions() if message}
        if errors:
            raise ValidationError(errors)

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Raise ValidationError for a rule that breaks a constraint or overlaps with another rule.

        Rules overlap if region and storage are equal on common days; the error names the other rule. One more
        query, unless one of these fields is invalid.
        """
        unchecked = set(exclude or ())
        is_known = unchecked.isdisjoint((*REGION_FIELDS, "storage", "valid_from", "valid_until"))
        others = list(self._overlapping()) if is_known else []
        errors: dict[str, Any] = {}
        if others:
            names = gettext("; ").join(map(rule_text, others))
            text = gettext("On the same days there is already a rule for this place and storage: %(rules)s.")
            errors[NON_FIELD_ERRORS] = [ValidationError(text % {"rules": names})]
            # The constraint would report the same error again, without the other rule's name.
            unchecked.add("storage")
        try:
            super().validate_constraints(unchecked)
        except ValidationError as error:
            errors = error.update_error_dict(errors)
        if errors:
            raise ValidationError(errors)

    def _wrong_regions(self) -> Iterator[tuple[str, Any]]:
        if self.country and self.country not in country_codes():
            yield "country", _("Not an English name of the country list.")
        known = provinces(self.country)
        if self.province and known and self.province not in known:
            yield (
                "province",
                _("Not a state or province of this country. It has: %(names)s.")
                % {"names": ", ".join(sorted(known))},
            )
        if self.zone and self.country != ZONES_COUNTRY:
            yield "zone", _("The country must be Malaysia.")
        if self.council:
            if self.council not in (ANY_COUNCIL, *councils()):
                yield "council", _("Not a council of Perth.")
            elif self.country != COUNCILS_COUNTRY or self.province not in ("", COUNCILS_PROVINCE):
                yield "council", _("The country must be Australia, the state WA or empty.")
        if bool(self.zip_from) != bool(self.zip_to):
            yield "zip_to", _("Fill in both postcodes, from and up to.")
        elif self.zip_from:
            if len(self.zip_from) != len(self.zip_to):
                yield "zip_to", _("As many digits as the first one.")
            elif self.zip_from > self.zip_to:
                yield "zip_to", _("The last postcode cannot be below the first one.")
            elif not self.country:
                yield "country", _("A range of postcodes needs a country.")

    def _overlapping(self) -> models.QuerySet["FreightRule"]:
        """Return other rules with this rule's region and storage and common days, by their first day."""
        same = {name: getattr(self, name) for name in (*REGION_FIELDS, "storage")}
        others = FreightRule.objects.filter(**same).exclude(pk=self.pk)
        if self.valid_from:
            others = others.filter(Q(valid_until=None) | Q(valid_until__gte=self.valid_from))
        if self.valid_until:
            others = others.filter(Q(valid_from=None) | Q(valid_from__lte=self.valid_until))
        # PostgreSQL sorts nulls last by default.
        return others.order_by(F("valid_from").asc(nulls_first=True))


def _joined(names: Iterable[str]) -> str:
    place = ""
    for name in filter(None, names):
        place = gettext("%(larger)s, %(smaller)s") % {"larger": place, "smaller": name} if place else name
    return place


def tariff_text(rule: FreightRule) -> str:
    """Return the text of a rule's price for one parcel, in the reader's language."""
    if rule.excluded:
        return gettext("nothing is sent there")
    step = gettext("%(price)s for each further %(weight)s kg")
    return " + ".join(
        [first_text(rule), step % {"price": aud_text(rule.step_price), "weight": kilograms(rule.step_grams)}]
    )


def rule_text(rule: FreightRule) -> str:
    """Return a rule's place, storage, days and price, in the reader's language."""
    return gettext("%(rule)s (%(days)s): %(tariff)s") % {
        "rule": rule,
        "days": _days(rule),
        "tariff": tariff_text(rule),
    }


def _days(rule: FreightRule) -> str:
    days = {"first": rule.valid_from, "last": rule.valid_until}
    if rule.valid_from and rule.valid_until:
        return gettext("from %(first)s to %(last)s") % days
    if rule.valid_from:
        return gettext("from %(first)s") % days
    return gettext("until %(last)s") % days if rule.valid_until else gettext("always")


def first_text(rule: FreightRule) -> str:
    """Return the text of the first price of a parcel, in the reader's language."""
    return gettext("%(price)s for the first %(weight)s kg") % {
        "price": aud_text(rule.first_price),
        "weight": kilograms(rule.first_grams),
    }


def kilograms(grams: int) -> str:
    """Return grams as a number of kilograms, without the unit."""
    return f"{Decimal(grams) / 1000:f}"
