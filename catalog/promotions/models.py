"""Promotions: products that cost less for a time, while their quota lasts."""

from datetime import datetime
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel

from catalog.goods.models import Product, TwoNames
from core.money import CENT, aud
from core.preview import page_time
from core.update_only import UpdateOnlyModel


class PromotionQuerySet(models.QuerySet["Promotion"]):
    """Promotions filtered by time."""

    def running(self, now: datetime | None = None) -> "PromotionQuerySet":
        """Return the promotions that run at a time: from their start until just before their end.

        `now`: by default the time for which the page is shown.
        """
        at = now or page_time()
        return self.filter(is_active=True, starts_at__lte=at, ends_at__gt=at)


class Promotion(TwoNames, ClusterableModel):
    """An offer with a start and an end; `goodsActionType` on the wire (docs/wire.md#actiontypelist).

    Its kind determines its effect on prices (docs/product.md#promotions).
    """

    class Kind(models.TextChoices):
        """The effect of a promotion on the prices of its products."""

        price = "price", _("A price of its own for each product")
        percent = "percent", _("Per cent off")
        buy_get = "buy_get", _("Buy some, get some free")
        gift = "gift", _("A gift from an amount on")
        bundle = "bundle", _("A bundle at one price")

    # The columns that each kind needs; the other columns are empty.
    NEEDS = {
        Kind.price: (),
        Kind.percent: ("percent_off",),
        Kind.buy_get: ("buy_units", "free_units"),
        Kind.gift: ("gift_from",),
        Kind.bundle: ("bundle_price",),
    }

    kind = models.CharField(
        _("kind"), max_length=10, choices=Kind.choices, default=Kind.price, db_default=Kind.price
    )
    percent_off = models.PositiveSmallIntegerField(
        _("per cent off the ordinary price"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(90)],
    )
    buy_units = models.PositiveSmallIntegerField(
        _("units to buy"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Of one product: buy 2, get 1 free."),
    )
    free_units = models.PositiveSmallIntegerField(
        _("units free"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    gift_from = models.DecimalField(
        _("gift from, AUD"),
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.01"))],
        help_text=_("What the products of this promotion must cost together in one order."),
    )
    bundle_price = models.DecimalField(
        _("price of the bundle, AUD"),
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.01"))],
        help_text=_("What all products of this promotion, each in its units, cost together."),
    )
    picture = models.ForeignKey(
        "wagtailimages.Image",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("picture"),
    )
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    is_active = models.BooleanField(_("switched on"), default=True)

    objects = PromotionQuerySet.as_manager()

    @property
    def path(self) -> str:
        """The path of the promotion's page, without the language."""
        return f"/promotions/{self.pk}"

    @property
    def rule(self) -> str:
        """The effect on prices, in the reader's language."""
        match self.kind:
            case self.Kind.percent:
                return gettext("%(percent)d%% off") % {"percent": self.percent_off}
            case self.Kind.buy_get:
                units = {"buy": self.buy_units, "free": self.free_units}
                return gettext("Buy %(buy)d, get %(free)d free") % units
            case self.Kind.gift:
                return gettext("Free gift when you spend A$%(amount)s") % {"amount": self.gift_from}
            case self.Kind.bundle:
                return gettext("Bundle for A$%(price)s") % {"price": self.bundle_price}
        return gettext("Promotion price")

    class Meta:
        ordering = ["ends_at", "id"]
        verbose_name = _("promotion")
        verbose_name_plural = _("promotions")
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="promotion_ends_after_start"
            ),
            models.CheckConstraint(
                # A comparison with NULL does not violate a constraint.
                condition=Q(kind="price")
                | Q(kind="percent", percent_off__isnull=False, percent_off__range=(1, 90))
                | Q(kind="buy_get", buy_units__isnull=False, free_units__isnull=False)
                | Q(kind="gift", gift_from__isnull=False, gift_from__gt=0)
                | Q(kind="bundle", bundle_price__isnull=False, bundle_price__gt=0),
                name="promotion_has_what_its_kind_needs",
            ),
        ]

    def clean(self) -> None:
        """Refuse an end before the start and missing columns of the kind; raises ValidationError."""
        super().clean()
        needed = self.NEEDS.get(self.Kind(self.kind), ()) if self.kind in self.Kind.values else ()
        lacking = [name for name in needed if getattr(self, name) is None]
        # One error for all columns: otherwise the form would show the constraint's name.
        errors = dict.fromkeys(lacking, _("This kind of promotion needs it."))
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            errors["ends_at"] = _("The end must come after the start.")
        if errors:
            raise ValidationError(errors)


class PromotionItem(UpdateOnlyModel):
    """A product of a promotion, or its gift: its price, its quota, and the limit for each customer.

    `price`: only if the promotion's kind has a price for each product. `units`: the units in a bundle or in
    the gift.
    """

    UPDATE_ONLY = frozenset({"taken"})

    promotion = ParentalKey(Promotion, related_name="items", verbose_name=_("promotion"), db_index=False)
    product = models.ForeignKey(
        Product, models.CASCADE, related_name="promotion_items", verbose_name=_("product")
    )
    price = models.DecimalField(
        _("price, AUD with GST"),
        max_digits=12,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.01"))],
    )
    units = models.PositiveSmallIntegerField(
        _("units in the bundle or gift"),
        default=1,
        db_default=1,
        validators=[MinValueValidator(1)],
    )
    is_gift = models.BooleanField(_("is the gift"), default=False, db_default=False)
    quota = models.PositiveIntegerField(_("units in all"), validators=[MinValueValidator(1)])
    taken = models.PositiveIntegerField(_("units taken"), default=0, editable=False)
    limit_amount = models.PositiveIntegerField(
        _("most per customer"), default=0, help_text=_("0 means no limit.")
    )
    sort = models.PositiveIntegerField(_("place in the list"), default=0)

    class Meta:
        ordering = ["sort", "id"]
        verbose_name = _("product of a promotion")
        verbose_name_plural = _("products of a promotion")
        constraints = [
            models.UniqueConstraint(fields=["promotion", "product"], name="good_once_per_promotion"),
            models.CheckConstraint(condition=Q(price__gt=0), name="promotion_price_positive"),
            models.CheckConstraint(condition=Q(units__gte=1), name="promotion_units_positive"),
            models.CheckConstraint(condition=Q(taken__lte=F("quota")), name="promotion_taken_within_quota"),
        ]

    def clean(self) -> None:
        """Refuse a price above the ordinary one and a quota below the units taken; raises ValidationError."""
        super().clean()
        if self.product_id and self.price is not None and self.price > self.product.price:
            text = _("No more than the ordinary price, %(price)s.") % {"price": self.product.price}
            raise ValidationError({"price": text})
        if self.quota is not None and self.quota < self.taken:
            text = _("This cannot be lower than what is already taken: %(count)d.") % {"count": self.taken}
            raise ValidationError({"quota": text})

    @property
    def left(self) -> int:
        """The units that remain in the quota."""
        return self.quota - self.taken

    def unit_price(self, ordinary: Decimal) -> Decimal:
        """Return the price of one unit in the promotion in dollars, before discounts on several units.

        `ordinary`: the price without the promotion. A percentage leaves a price of at least one cent.
        """
        promotion = self.promotion
        if promotion.kind == Promotion.Kind.percent and promotion.percent_off:
            # The order's constraints refuse an amount of zero.
            return max(CENT, aud(ordinary * (100 - promotion.percent_off) / 100))
        if promotion.kind == Promotion.Kind.price and self.price is not None:
            return self.price
        return ordinary
