"""Refunds of paid orders: lines, freight, and the money that is returned for them."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.orders.models import Order, OrderLine
from commerce.payments.models import Refund
from core.update_only import UpdateOnlyModel

# The maximum number of characters in a request to cancel, and in its answer.
MAX_TEXT = 500


class OrderRefund(UpdateOnlyModel):
    """One refund of an order's lines and freight (docs/guarantees/money.md#refunds-of-orders).

    `number` is also the number of its credit note, if it returns money. Amounts are dollars and include tax,
    which is also a column of its own.
    """

    UPDATE_ONLY = frozenset({"credit_note_due"})

    number = models.CharField(_("number"), max_length=32, unique=True)
    order = models.ForeignKey(
        Order, models.PROTECT, related_name="order_refunds", verbose_name=_("order"), db_index=False
    )
    goods_amount = models.DecimalField(_("products, AUD"), max_digits=12, decimal_places=2)
    gst = models.DecimalField(_("GST in the products, AUD"), max_digits=12, decimal_places=2)
    freight_amount = models.DecimalField(_("delivery cost, AUD"), max_digits=12, decimal_places=2)
    freight_gst = models.DecimalField(_("GST in the delivery cost, AUD"), max_digits=12, decimal_places=2)
    destination = models.CharField(_("goes to"), max_length=6, choices=Refund.To.choices)
    # The customer reads it too.
    note = models.CharField(_("reason"), max_length=200)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("by"),
        db_index=False,
    )
    # True until its credit note is created.
    credit_note_due = models.BooleanField(default=True, editable=False)
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("order refund")
        verbose_name_plural = _("refunds of orders")
        indexes = [
            models.Index(fields=["order", "-id"], name="refund_of_order"),
            models.Index(fields=["id"], condition=Q(credit_note_due=True), name="credit_note_due"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(goods_amount__gte=0, freight_amount__gte=0), name="order_refund_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(gst__gte=0, gst__lte=F("goods_amount"))
                & Q(freight_gst__gte=0, freight_gst__lte=F("freight_amount")),
                name="order_refund_gst_within",
            ),
        ]
        permissions = [("refund_order", gettext_noop("Can refund orders"))]

    def __str__(self) -> str:
        return self.number

    @property
    def amount(self) -> Decimal:
        """The amount of products and freight, in dollars."""
        return self.goods_amount + self.freight_amount


class OrderRefundLine(models.Model):
    """What is refunded of one line: units, if there are any, and dollars.

    `unsent`: units that had not left the shop and are no longer sent. `restocked`: units that came back and
    were restocked.
    """

    order_refund = models.ForeignKey(OrderRefund, models.PROTECT, related_name="lines", db_index=False)
    line = models.ForeignKey(OrderLine, models.PROTECT, related_name="refund_lines")
    units = models.PositiveIntegerField()
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    gst = models.DecimalField(max_digits=12, decimal_places=2)
    unsent = models.PositiveIntegerField(default=0)
    restocked = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["order_refund", "line"], name="one_row_per_refund_and_line"),
            models.CheckConstraint(
                condition=Q(amount__gte=0) & (Q(amount__gt=0) | Q(units__gt=0)),
                name="refund_line_of_something",
            ),
            models.CheckConstraint(
                condition=Q(gst__gte=0, gst__lte=F("amount")), name="refund_line_gst_within"
            ),
            models.CheckConstraint(
                condition=Q(unsent__lte=F("units"), restocked__lte=F("units")),
                name="refund_line_units_within",
            ),
        ]


class OrderRefundLeg(models.Model):
    """The part of an order refund that one payment returns."""

    order_refund = models.ForeignKey(OrderRefund, models.PROTECT, related_name="legs")
    refund = models.OneToOneField(Refund, models.PROTECT, related_name="leg")

    class Meta:
        ordering = ["id"]


class CancellationRequest(UpdateOnlyModel):
    """A customer's request to cancel a paid order, and the answer of staff; an order has one at most.

    See docs/guarantees/money.md#requests-to-cancel.
    """

    UPDATE_ONLY = frozenset({"state", "reason", "answer", "answered_by", "answered_at", "message_due"})

    class State(models.TextChoices):
        waiting = "waiting", _("Waiting for the shop")
        confirmed = "confirmed", _("Order cancelled")
        declined = "declined", _("Declined")

    order = models.OneToOneField(
        Order, models.PROTECT, related_name="cancellation_request", verbose_name=_("order")
    )
    # The words of the customer, empty for none.
    reason = models.CharField(_("reason"), max_length=MAX_TEXT, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.waiting)
    # Why staff declined it; the customer reads it.
    answer = models.CharField(_("answer"), max_length=MAX_TEXT, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("by"),
        db_index=False,
    )
    # Whether the customer must still be notified that it was declined.
    message_due = models.BooleanField(default=False, editable=False)
    created_at = models.DateTimeField(_("requested at"), auto_now_add=True)
    answered_at = models.DateTimeField(_("answered at"), null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("request to cancel")
        verbose_name_plural = _("requests to cancel")
        indexes = [
            models.Index(fields=["id"], condition=Q(state="waiting"), name="cancellation_waiting"),
            models.Index(fields=["id"], condition=Q(message_due=True), name="cancellation_untold"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", answered_at=None)
                | Q(~Q(state="waiting"), answered_at__isnull=False),
                name="cancellation_answered_or_waiting",
            )
        ]

    def __str__(self) -> str:
        return str(self.order)


class CreditNote(UpdateOnlyModel):
    """The credit note of a refund: a PDF that is made once and stored unchanged, like an invoice.

    `name`: the random name of its URL and its file. `sha256`: the hash of the file in hexadecimal digits;
    empty once the file was deleted with its customer's records.
    """

    UPDATE_ONLY = frozenset({"sha256"})

    order_refund = models.OneToOneField(
        OrderRefund, models.PROTECT, related_name="credit_note", verbose_name=_("order refund")
    )
    name = models.CharField(max_length=43, unique=True)
    sha256 = models.CharField(max_length=64)
    made_at = models.DateTimeField(_("date of issue"))

    class Meta:
        ordering = ["-id"]
        verbose_name = _("credit note")
        verbose_name_plural = _("credit notes")

    def __str__(self) -> str:
        return self.order_refund.number
