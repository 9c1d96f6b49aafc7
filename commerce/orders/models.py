"""Orders, with copies of their products and prices, and the codes that make orders unique."""

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Round
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import Product, Storage
from catalog.promotions.models import Promotion, PromotionItem
from catalog.stock.models import Location
from commerce.accounts.models import Customer
from commerce.delivery.models import DeliverySlot, PickupSlot
from commerce.delivery.shipping import ShippingType
from commerce.orders.status import UNRECEIVED_CODES, ChangeReason, OrderStatus, SoldOutWish
from commerce.vouchers.models import Voucher
from core.languages import ENGLISH
from core.money import ZERO
from core.update_only import UpdateOnlyModel


def _cents(amount: CombinedExpression) -> Round:
    # SQLite calculates in binary fractions; rounding gives whole cents.
    column: models.Field[Decimal, Decimal] = models.DecimalField(max_digits=14, decimal_places=2)
    return Round(ExpressionWrapper(amount, output_field=column), precision=2)


class Trade(UpdateOnlyModel):
    """One intent to order: its code allows at most one order, however often it is sent.

    See docs/guarantees/orders.md#one-order-for-each-code.
    """

    UPDATE_ONLY = frozenset({"payload_hash", "draft"})

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="trades", db_index=False)
    code = models.CharField(max_length=64)
    # The products sent with the request for the code; the order need not repeat them.
    draft = models.JSONField(null=True)
    payload_hash = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["customer", "code"], name="one_trade_per_code")]


class Order(UpdateOnlyModel):
    """An order; its products, prices, tax, address and exchange rate are copies from when it was made."""

    UPDATE_ONLY = frozenset(
        {
            "status",
            "pickup_slot",
            "delivery_slot",
            "delivery_until",
            "pay_type",
            "pay_img",
            "expires_at",
            "paid_at",
            "complete_at",
            "sales_counted_at",
            "invoice_due",
            "points_booked_at",
            "points_earned",
            "goods_refunded",
            "points_returned",
            "refunded_freight",
            "address",
            "remark",
            "pickup_code",
        }
    )

    order_no = models.CharField(_("order number"), max_length=24, unique=True)
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="orders", verbose_name=_("customer"), db_index=False
    )
    trade = models.OneToOneField(Trade, models.PROTECT, related_name="order")
    status = models.PositiveSmallIntegerField(
        _("status"), choices=OrderStatus.choices, default=OrderStatus.unpaid
    )
    shipping_type = models.PositiveSmallIntegerField(_("shipping"), choices=ShippingType.choices)
    # The price of its products, after `discount`.
    goods_amount = models.DecimalField(_("products, AUD"), max_digits=12, decimal_places=2)
    discount = models.DecimalField(
        _("discount, AUD"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    voucher = models.ForeignKey(
        Voucher,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("voucher"),
        db_index=False,
    )
    voucher_code = models.CharField(_("voucher code"), max_length=32, blank=True, default="", db_default="")
    freight = models.DecimalField(_("delivery cost, AUD"), max_digits=12, decimal_places=2)
    # The GST included in the freight.
    freight_gst = models.DecimalField(
        _("GST in the delivery cost, AUD"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    pay_amount = models.DecimalField(_("to pay, AUD"), max_digits=12, decimal_places=2)
    # The freight that staff have refunded (`commerce.refunds`).
    refunded_freight = models.DecimalField(
        _("delivery cost refunded, AUD"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    exchange_rate = models.DecimalField(_("CNY per AUD"), max_digits=12, decimal_places=6)
    location = models.ForeignKey(Location, models.PROTECT, related_name="+", verbose_name=_("stock location"))
    address = models.JSONField(_("address"), null=True)
    shop = models.JSONField(_("shop"), null=True)
    # A list of {storage, weight in grams, freight in dollars as text, reason, reasonEn}; older orders lack
    # the last two.
    parcels = models.JSONField(_("parcels"), default=list)
    # The hour of a pick-up; null for a delivery, and if the hour has passed or was released.
    pickup_slot = models.ForeignKey(PickupSlot, models.PROTECT, null=True, related_name="orders")
    # The window of a delivery by van; null for other ways, and if the window has passed or was released.
    delivery_slot = models.ForeignKey(
        DeliverySlot,
        models.PROTECT,
        null=True,
        related_name="orders",
        verbose_name=_("delivery window"),
        db_index=False,
    )
    # The window's end as booked; null for orders of releases that did not store it.
    delivery_until = models.DateTimeField(null=True, editable=False)
    leave_at_door = models.BooleanField(_("may be left at the door"), default=False, db_default=False)
    # The code that the customer shows at pick-up; empty for a delivery.
    pickup_code = models.CharField(_("pick-up code"), max_length=6, blank=True, default="", db_default="")
    remark = models.CharField(_("remark"), max_length=500, blank=True)
    sold_out_wish = models.CharField(
        _("if something is sold out"),
        max_length=8,
        choices=SoldOutWish.choices,
        blank=True,
        default="",
        db_default="",
    )
    # The customer's language at the time of the order, used for messages about it.
    language = models.CharField(_("language"), max_length=8, default=ENGLISH, db_default=ENGLISH)
    pay_type = models.CharField(_("payment method"), max_length=16, blank=True)
    pay_img = models.CharField(_("payment image"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("ordered at"), auto_now_add=True)
    expires_at = models.DateTimeField(_("held until"), null=True)
    paid_at = models.DateTimeField(_("paid at"), null=True)
    # The time when it counts as received without a confirmation; null until it is on its way.
    complete_at = models.DateTimeField(null=True, editable=False)
    # The time when its units were counted as sold; null until then (`commerce.orders.sales`).
    sales_counted_at = models.DateTimeField(null=True, editable=False)
    # Whether its invoice must still be made; false for orders paid before the shop had invoices.
    invoice_due = models.BooleanField(default=True, db_default=False, editable=False)
    # Points per dollar of products, copied from the customer's level; 0 for orders of earlier releases.
    points_rate = models.DecimalField(
        _("points per dollar"), max_digits=5, decimal_places=2, default=ZERO, db_default=ZERO
    )
    # The time when its points were booked; null until then (`commerce.orders.points`).
    points_booked_at = models.DateTimeField(null=True, editable=False)
    # The points it has earned, less points that were taken back.
    points_earned = models.PositiveIntegerField(_("points earned"), default=0, db_default=0)
    # The refunded part of the money paid for its products.
    goods_refunded = models.DecimalField(
        _("products refunded, AUD"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    # The points spent on it, and their value; points pay only for products.
    points = models.PositiveIntegerField(_("points spent"), default=0, db_default=0)
    points_amount = models.DecimalField(
        _("paid with points, AUD"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    # The spent points that were given back with refunds.
    points_returned = models.PositiveIntegerField(_("points given back"), default=0, db_default=0)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        indexes = [
            models.Index(fields=["customer", "-id"], name="order_of_customer"),
            models.Index(fields=["customer", "status", "-id"], name="order_of_customer_by_status"),
            models.Index(
                fields=["expires_at"], condition=Q(status=OrderStatus.unpaid), name="order_expiring"
            ),
            models.Index(
                fields=["paid_at", "id"],
                condition=Q(paid_at__isnull=False, sales_counted_at=None),
                name="order_sales_due",
            ),
            models.Index(
                fields=["paid_at", "id"],
                condition=Q(paid_at__isnull=False, invoice_due=True),
                name="order_invoice_due",
            ),
            models.Index(
                fields=["status", "id"],
                condition=Q(paid_at__isnull=False, points_booked_at=None, points_rate__gt=0),
                name="order_points_due",
            ),
            models.Index(fields=["voucher"], condition=Q(voucher__isnull=False), name="order_of_voucher"),
            models.Index(
                fields=["delivery_slot"], condition=Q(delivery_slot__isnull=False), name="order_of_window"
            ),
            models.Index(
                fields=["complete_at"],
                condition=Q(status__in=sorted(UNRECEIVED_CODES)),
                name="order_completing",
            ),
            models.Index(fields=["id"], condition=Q(status=OrderStatus.chargeback), name="order_disputed"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(pay_amount=_cents(F("goods_amount") + F("freight") - F("points_amount"))),
                name="order_total_adds_up",
            ),
            models.CheckConstraint(condition=Q(goods_amount__gt=0, freight__gte=0), name="order_amounts"),
            models.CheckConstraint(
                condition=Q(points=0, points_amount=0)
                | Q(
                    points__gt=0, points_amount__gt=0, points_amount__lte=F("goods_amount"), pay_amount__gt=0
                ),
                name="order_points_pay_for_products",
            ),
            models.CheckConstraint(
                condition=Q(
                    goods_refunded__gte=0,
                    goods_refunded__lte=_cents(F("goods_amount") - F("points_amount")),
                ),
                name="order_refunded_within_paid",
            ),
            models.CheckConstraint(
                condition=Q(points_returned__lte=F("points")), name="order_points_returned_within"
            ),
            models.CheckConstraint(
                condition=Q(refunded_freight__gte=0, refunded_freight__lte=F("freight")),
                name="order_freight_refunded_within",
            ),
        ]

    def __str__(self) -> str:
        return self.order_no

    @property
    def goods_paid(self) -> Decimal:
        """The money paid for its products and not refunded, in dollars."""
        return self.goods_amount - self.points_amount - self.goods_refunded

    @property
    def window_ends_at(self) -> datetime | None:
        """The end of the delivery window as this order booked it; None without a window."""
        if self.delivery_slot is None:
            return None
        return self.delivery_until or self.delivery_slot.ends_at


class OrderLine(UpdateOnlyModel):
    """One product of an order; a product bought partly at a promotion's price has two lines."""

    UPDATE_ONLY = frozenset({"unsent", "refunded_units", "refunded_amount"})

    order = models.ForeignKey(Order, models.PROTECT, related_name="lines")
    product = models.ForeignKey(Product, models.PROTECT, related_name="+")
    promotion = models.ForeignKey(Promotion, models.PROTECT, null=True, related_name="+")
    sku = models.CharField(max_length=40)
    name_en = models.CharField(max_length=200)
    name_zh = models.CharField(max_length=200)
    pack = models.CharField(max_length=40)
    picture_url = models.CharField(max_length=300, blank=True)
    storage = models.CharField(max_length=10, choices=Storage.choices)
    net_weight = models.PositiveIntegerField()
    price = models.DecimalField(max_digits=12, decimal_places=2)
    amount = models.PositiveIntegerField()
    # Price times amount, before the discount.
    line_total = models.DecimalField(max_digits=12, decimal_places=2)
    # The discount by its promotion and the order's voucher.
    discount = models.DecimalField(max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO)
    # The part of the discounted total that the order's points pay.
    points_discount = models.DecimalField(max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO)
    is_gift = models.BooleanField(default=False, db_default=False)
    # Units that could not be sent and were left out when the order was closed.
    unsent = models.PositiveIntegerField(default=0, db_default=0)
    # Units and dollars that staff have refunded (`commerce.refunds`).
    refunded_units = models.PositiveIntegerField(default=0, db_default=0)
    refunded_amount = models.DecimalField(max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO)
    # The GST included in the part that is paid in money.
    gst = models.DecimalField(max_digits=12, decimal_places=2)
    # The rule behind price and discount at the time of the order.
    why_en = models.CharField(max_length=600, blank=True, default="", db_default="")
    why_zh = models.CharField(max_length=600, blank=True, default="", db_default="")

    class Meta:
        ordering = ["id"]
        verbose_name = _("order line")
        verbose_name_plural = _("order lines")
        constraints = [
            models.UniqueConstraint(
                fields=["order", "product"],
                condition=Q(promotion=None),
                name="one_ordinary_line_per_product",
            ),
            models.UniqueConstraint(
                fields=["order", "product"],
                condition=Q(promotion__isnull=False),
                name="one_promoted_line_per_product",
            ),
            models.CheckConstraint(condition=Q(amount__gte=1), name="line_amount_positive"),
            models.CheckConstraint(
                condition=Q(line_total=_cents(F("price") * F("amount"))), name="line_total_adds_up"
            ),
            models.CheckConstraint(
                condition=Q(discount__gte=0, discount__lte=F("line_total")), name="line_discount_within_total"
            ),
            models.CheckConstraint(
                condition=Q(
                    points_discount__gte=0, points_discount__lte=_cents(F("line_total") - F("discount"))
                ),
                name="line_points_within_total",
            ),
            models.CheckConstraint(condition=Q(unsent__lte=F("amount")), name="line_unsent_within_amount"),
            models.CheckConstraint(
                condition=Q(refunded_units__lte=F("amount")), name="line_units_refunded_within"
            ),
            models.CheckConstraint(
                condition=Q(
                    refunded_amount__gte=0,
                    refunded_amount__lte=_cents(F("line_total") - F("discount") - F("points_discount")),
                ),
                name="line_amount_refunded_within",
            ),
        ]

    @property
    def to_pay(self) -> Decimal:
        """The price of all units after the discount, in dollars."""
        return self.line_total - self.discount

    @property
    def in_money(self) -> Decimal:
        """The part of `to_pay` that is paid in money and not with points, in dollars."""
        return self.to_pay - self.points_discount


class OrderStatusChange(UpdateOnlyModel):
    """One change of an order's status."""

    UPDATE_ONLY = frozenset({"message_due", "note"})

    order = models.ForeignKey(Order, models.PROTECT, related_name="history")
    from_status = models.PositiveSmallIntegerField(null=True)
    to_status = models.PositiveSmallIntegerField(choices=OrderStatus.choices)
    reason = models.CharField(max_length=20, choices=ChangeReason.choices)
    # The member of staff who changed the status; null for other changes.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    note = models.CharField(max_length=200, blank=True, default="", db_default="")
    # Whether the customer must still be notified; false for rows of releases that sent no messages.
    message_due = models.BooleanField(default=True, db_default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["id"], condition=Q(message_due=True), name="status_change_untold")]


class OrderNote(models.Model):
    """A note about an order, which only staff read; it is never changed."""

    order = models.ForeignKey(Order, models.PROTECT, related_name="notes")
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    text = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class RecipientIdCard(UpdateOnlyModel):
    """The ID card of an order's recipient in China, which customs require.

    See docs/guarantees/customers.md#id-cards. `number` is encrypted; `masked` shows only the last digits.
    """

    UPDATE_ONLY = frozenset({"number"})

    order = models.OneToOneField(Order, models.CASCADE, related_name="id_card")
    number = models.CharField(max_length=200)
    masked = models.CharField(max_length=18)
    delete_at = models.DateTimeField(db_index=True)


class PromotionUse(UpdateOnlyModel):
    """The units of a promotion's product that a customer has ordered at the promotion's price.

    See docs/guarantees/prices.md#promotion-limits.
    """

    UPDATE_ONLY = frozenset({"amount"})

    customer = models.ForeignKey(Customer, models.CASCADE, related_name="+", db_index=False)
    item = models.ForeignKey(PromotionItem, models.CASCADE, related_name="+")
    amount = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["customer", "item"], name="one_use_per_customer")]
