"""Promotions: products at a lower price for a time, while their quota lasts."""

from datetime import datetime
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel

from catalog.goods.models import Product, TwoNames
from core.preview import page_time
from core.update_only import UpdateOnlyModel


class PromotionQuerySet(models.QuerySet["Promotion"]):
    """Promotions by time."""

    def running(self, now: datetime | None = None) -> "PromotionQuerySet":
        """Return those that run at a time: from their start, until just before their end.

        `now`: by default the time that the page is shown for.
        """
        at = now or page_time()
        return self.filter(is_active=True, starts_at__lte=at, ends_at__gt=at)


class Promotion(TwoNames, ClusterableModel):
    """An offer with a start and an end; `goodsActionType` on the wire (docs/wire.md#actiontypelist)."""

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
        """The path of its page, without the language."""
        return f"/promotions/{self.pk}"

    class Meta:
        ordering = ["ends_at", "id"]
        verbose_name = _("promotion")
        verbose_name_plural = _("promotions")
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="promotion_ends_after_start")
        ]

    def clean(self) -> None:
        """Refuse an end that does not come after the start; raises ValidationError."""
        super().clean()
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            raise ValidationError({"ends_at": _("The end must come after the start.")})


class PromotionItem(UpdateOnlyModel):
    """A product of a promotion: its price, its quota, and the limit for each customer."""

    UPDATE_ONLY = frozenset({"taken"})

    promotion = ParentalKey(Promotion, related_name="items", verbose_name=_("promotion"), db_index=False)
    product = models.ForeignKey(
        Product, models.CASCADE, related_name="promotion_items", verbose_name=_("product")
    )
    price = models.DecimalField(
        _("price, AUD with GST"),
        max_digits=12,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("0.01"))],
    )
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
            models.CheckConstraint(condition=Q(taken__lte=F("quota")), name="promotion_taken_within_quota"),
        ]

    def clean(self) -> None:
        """Refuse a price above the ordinary one and a quota below the units taken; raises ValidationError."""
        super().clean()
        if self.product_id and self.price is not None and self.price > self.product.price:
            text = _("No more than the ordinary price, %(price)s.") % {"price": self.product.price}
            raise ValidationError({"price": text})
        if self.quota is not None and self.quota < self.taken:
            text = _("No fewer than are taken already: %(count)d.") % {"count": self.taken}
            raise ValidationError({"quota": text})

    @property
    def left(self) -> int:
        """The units of the quota that are left."""
        return self.quota - self.taken
