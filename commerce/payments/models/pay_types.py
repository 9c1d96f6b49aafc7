"""The ways to pay: their names and pictures, and their restrictions."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import is_chinese
from core.countries import is_country
from core.languages import TwoTexts


class PayType(models.Model):
    """A way to pay that shoppers can choose (docs/wire.md#paytypes); staff name, sort and restrict it."""

    code = models.CharField(_("code on the wire"), max_length=16, primary_key=True)
    name_en = models.CharField(_("English name"), max_length=60, default="", db_default="")
    name_zh = models.CharField(_("Chinese name"), max_length=60, default="", db_default="")
    hint_en = models.CharField(_("hint, English"), max_length=120, blank=True, default="", db_default="")
    hint_zh = models.CharField(_("hint, Chinese"), max_length=120, blank=True, default="", db_default="")
    # The name that the release before shows.
    pay_name = models.CharField(max_length=60, default="", db_default="", editable=False)
    pay_code = models.CharField(_("pay code"), max_length=20)
    # The path of the picture that is shown until staff choose another one.
    picture = models.CharField(_("picture"), max_length=200)
    image = models.ForeignKey(
        "wagtailimages.Image",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("picture of your own"),
        db_index=False,
    )
    provider = models.CharField(_("provider"), max_length=20, blank=True)
    enabled = models.BooleanField(_("on"), default=False)
    sort = models.PositiveSmallIntegerField(_("place in the list"), default=0)
    countries = models.CharField(
        _("countries"),
        max_length=800,
        blank=True,
        default="",
        db_default="",
        help_text=_("Codes of two letters, such as AU, CN, NZ. Empty means everywhere."),
    )
    from_amount = models.DecimalField(
        _("smallest amount, AUD"), max_digits=12, decimal_places=2, null=True, blank=True
    )
    to_amount = models.DecimalField(
        _("largest amount, AUD"), max_digits=12, decimal_places=2, null=True, blank=True
    )
    for_domestic = models.BooleanField(_("for delivery in Australia"), default=True, db_default=True)
    for_abroad = models.BooleanField(_("for delivery abroad"), default=True, db_default=True)
    for_pickup = models.BooleanField(_("for pick-up in store"), default=True, db_default=True)

    class Meta:
        ordering = ["sort", "code"]
        verbose_name = _("payment method")
        verbose_name_plural = _("payment methods")
        constraints = [
            models.CheckConstraint(
                condition=(Q(from_amount=None) | Q(from_amount__gte=0))
                & (Q(to_amount=None) | Q(to_amount__gt=0))
                & (Q(from_amount=None) | Q(to_amount=None) | Q(to_amount__gte=F("from_amount"))),
                name="pay_type_amounts_in_order",
                violation_error_message=_("The largest amount cannot be below the smallest one."),
            ),
            models.CheckConstraint(
                condition=Q(for_domestic=True) | Q(for_abroad=True) | Q(for_pickup=True),
                name="pay_type_for_something",
                violation_error_message=_(
                    "Tick at least one delivery method, or switch the payment method off."
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def names(self) -> TwoTexts:
        """The names in both languages; the code if there is none."""
        return TwoTexts(self.name_zh or self.code, self.name_en or self.code)

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return self.names.zh if is_chinese() else self.names.en

    @property
    def country_codes(self) -> frozenset[str]:
        """The two-letter codes of the countries to which it is restricted; empty without restriction."""
        return frozenset(self.countries.replace(",", " ").split())

    @property
    def has_limits(self) -> bool:
        """Whether it is restricted to a range of amounts."""
        return self.from_amount is not None or self.to_amount is not None

    def clean(self) -> None:
        """Normalise the country codes; raises ValidationError for an unknown one."""
        codes = sorted(code.upper() for code in self.country_codes)
        wrong = [code for code in codes if not is_country(code)]
        if wrong:
            text = _("Not a code of the country list: %(codes)s")
            raise ValidationError({"countries": text % {"codes": ", ".join(wrong)}})
        self.countries = ", ".join(codes)
