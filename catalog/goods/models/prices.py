"""Price history, level prices and price tiers."""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey

from catalog.goods.wasprices import ChargedPrice

# The level of new customers and visitors; it pays the ordinary price.
BASE_LEVEL = 1


class _Price(models.Model):
    price = models.DecimalField(
        _("price, AUD with GST"),
        max_digits=12,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("0.01"))],
    )

    class Meta:
        abstract = True


class PriceChange(_Price):
    """An ordinary price and the time from which it was charged; a was-price must be one of these."""

    product = models.ForeignKey("goods.Product", models.CASCADE, related_name="price_changes", db_index=False)
    charged_from = models.DateTimeField(_("charged from"))

    class Meta:
        ordering = ["-charged_from", "-id"]
        verbose_name = _("price change")
        verbose_name_plural = _("price changes")
        indexes = [models.Index(fields=["product", "-charged_from"], name="price_change_newest")]

    @classmethod
    def histories(cls, product_ids: Iterable[int]) -> dict[int, list[ChargedPrice]]:
        """Return product id → price history, the oldest price first; one query."""
        changes = cls.objects.filter(product__in=list(product_ids)).order_by("charged_from", "id")
        found: dict[int, list[ChargedPrice]] = defaultdict(list)
        for product_id, price, since in changes.values_list("product_id", "price", "charged_from"):
            found[product_id].append(ChargedPrice(price, since))
        return found


class LevelPrice(_Price):
    """The price of a product for one member level; other levels pay the ordinary price."""

    product = ParentalKey("goods.Product", related_name="level_prices", db_index=False)
    level = models.PositiveSmallIntegerField(_("member level"))

    class Meta:
        ordering = ["level"]
        verbose_name = _("price for a level")
        verbose_name_plural = _("prices for levels")
        constraints = [
            models.UniqueConstraint(fields=["product", "level"], name="one_price_per_level"),
            models.CheckConstraint(condition=Q(price__gt=0), name="level_price_positive"),
        ]

    def clean(self) -> None:
        """Refuse a price for the base level, which pays the ordinary price; raises ValidationError."""
        if self.level is not None and self.level <= BASE_LEVEL:
            raise ValidationError({"level": _("This level pays the ordinary price: set that one instead.")})


class PriceTier(_Price):
    """The price of one unit from an amount on, in bulk buying."""

    product = ParentalKey("goods.Product", related_name="price_tiers", db_index=False)
    from_amount = models.PositiveIntegerField(_("from this many units"), validators=[MinValueValidator(2)])

    class Meta:
        ordering = ["from_amount"]
        verbose_name = _("price from an amount")
        verbose_name_plural = _("prices from an amount")
        constraints = [
            models.UniqueConstraint(fields=["product", "from_amount"], name="one_price_per_amount"),
            models.CheckConstraint(condition=Q(price__gt=0), name="tier_price_positive"),
            models.CheckConstraint(condition=Q(from_amount__gte=2), name="tier_from_two"),
        ]
