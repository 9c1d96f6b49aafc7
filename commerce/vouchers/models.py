"""Voucher codes: their discount, their scope, and how often they can be used."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel

from catalog.goods.models import Brand, Category, TwoNames
from commerce.accounts.models import Customer
from core.money import ZERO, aud
from core.update_only import UpdateOnlyModel

MAX_PERCENT = 90


class Voucher(UpdateOnlyModel, TwoNames, ClusterableModel):
    """A code that takes a fixed amount or a percentage off an order (docs/product.md#vouchers)."""

    UPDATE_ONLY = frozenset({"taken"})

    class Kind(models.TextChoices):
        """How the discount is calculated."""

        fixed = "fixed", _("An amount, AUD")
        percent = "percent", _("Per cent")

    code = models.CharField(
        _("code"),
        max_length=32,
        unique=True,
        validators=[RegexValidator(r"^[A-Z0-9-]{4,32}$", _("4 to 32 letters A to Z, digits and hyphens."))],
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices, default=Kind.fixed)
    value = models.DecimalField(
        _("amount or per cent"),
        max_digits=12,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("0.01"))],
    )
    from_amount = models.DecimalField(
        _("least amount, AUD"),
        max_digits=12,
        decimal_places=2,
        default=ZERO,
        validators=[MinValueValidator(ZERO)],
        help_text=_("What the products it is for must cost together, after promotions."),
    )
    first_order_only = models.BooleanField(_("for first orders only"), default=False)
    total_limit = models.PositiveIntegerField(_("orders in all"), default=0, help_text=_("0 means no limit."))
    customer_limit = models.PositiveIntegerField(
        _("orders of one customer"), default=1, help_text=_("0 means no limit.")
    )
    starts_at = models.DateTimeField(_("starts"))
    ends_at = models.DateTimeField(_("ends"))
    is_active = models.BooleanField(_("switched on"), default=True)
    taken = models.PositiveIntegerField(_("orders with it"), default=0, editable=False)

    class Meta:
        ordering = ["-ends_at", "-id"]
        verbose_name = _("voucher")
        verbose_name_plural = _("vouchers")
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__gt=F("starts_at")), name="voucher_ends_after_start"),
            models.CheckConstraint(
                condition=Q(value__gt=0) & (Q(kind="fixed") | Q(kind="percent", value__lte=MAX_PERCENT)),
                name="voucher_value_in_range",
            ),
            models.CheckConstraint(
                condition=Q(total_limit=0) | Q(taken__lte=F("total_limit")), name="voucher_within_its_limit"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def clean(self) -> None:
        """Refuse an end before the start, and values that no order can satisfy; raises ValidationError."""
        super().clean()
        errors = dict(self._wrong_fields())
        # Raised together, since the form shows the constraint's name for any wrong field without its own
        # error.
        if errors:
            raise ValidationError(errors)

    def _wrong_fields(self) -> Iterator[tuple[str, Any]]:
        if self.starts_at and self.ends_at and self.ends_at <= self.starts_at:
            yield "ends_at", _("The end must come after the start.")
        if self.value is not None and self.kind == self.Kind.percent and self.value > MAX_PERCENT:
            yield "value", _("At most %(percent)d per cent.") % {"percent": MAX_PERCENT}
        has_amounts = self.value is not None and self.from_amount is not None
        if has_amounts and self.kind == self.Kind.fixed and self.value >= self.from_amount:
            yield "from_amount", _("More than the voucher takes off, so that something is left to pay.")
        if self.total_limit and self.total_limit < self.taken:
            yield (
                "total_limit",
                _("This cannot be lower than the orders that already have it: %(count)d.")
                % {"count": self.taken},
            )

    def discount_on(self, amount: Decimal) -> Decimal:
        """Return the discount, in dollars, on products that together cost `amount`."""
        if self.kind == self.Kind.percent:
            return aud(amount * self.value / 100)
        return min(self.value, amount)


class VoucherScope(models.Model):
    """A brand or category to which a voucher is limited; a voucher without scopes is for all products.

    A brand or category in a scope cannot be deleted: without its last scope, the voucher would be for all.
    """

    voucher = ParentalKey(Voucher, on_delete=models.CASCADE, related_name="scopes", db_index=False)
    brand = models.ForeignKey(Brand, models.PROTECT, null=True, blank=True, verbose_name=_("brand"))
    category = models.ForeignKey(Category, models.PROTECT, null=True, blank=True, verbose_name=_("category"))

    class Meta:
        ordering = ["id"]
        verbose_name = _("what a voucher is for")
        verbose_name_plural = _("what a voucher is for")
        indexes = [models.Index(fields=["voucher"], name="scopes_of_voucher")]
        constraints = [
            models.CheckConstraint(
                condition=Q(brand=None) ^ Q(category=None),
                name="scope_is_a_brand_or_a_category",
                violation_error_message=_("Choose a brand or a category."),
            )
        ]


class VoucherUse(UpdateOnlyModel):
    """The number of a customer's orders that use a voucher (docs/guarantees/prices.md#vouchers)."""

    UPDATE_ONLY = frozenset({"orders"})

    voucher = models.ForeignKey(Voucher, models.CASCADE, related_name="uses", db_index=False)
    customer = models.ForeignKey(Customer, models.CASCADE, related_name="+")
    orders = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["voucher", "customer"], name="one_voucher_use_per_customer")
        ]
