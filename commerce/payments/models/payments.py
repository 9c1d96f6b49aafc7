"""Payments, and the notices of providers about them."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.payments.models.recharges import Recharge
from core.money import ZERO
from core.update_only import UpdateOnlyModel


class Payment(UpdateOnlyModel):
    """One attempt to collect money through one provider, for an order or a top-up."""

    UPDATE_ONLY = frozenset(
        {
            "state",
            "received_amount",
            "received_currency",
            "refunded",
            "is_held",
            "jump_url",
            "provider_ref",
            "capture_ref",
            "settled_at",
            "next_query_at",
            "queries",
            "queried_at",
            "overdue_at",
            "disputed_at",
        }
    )

    class State(models.TextChoices):
        pending = "pending", _("Pending")
        paid = "paid", _("Paid")
        failed = "failed", _("Failed")

    # Exactly one of order and recharge is set.
    order = models.ForeignKey(
        Order, models.PROTECT, null=True, related_name="payments", verbose_name=_("order")
    )
    recharge = models.ForeignKey(
        Recharge,
        models.PROTECT,
        null=True,
        related_name="payments",
        verbose_name=_("top-up"),
        db_index=False,
    )
    reference = models.CharField(_("payment number"), max_length=60, unique=True)
    pay_type = models.CharField(_("payment method"), max_length=16)
    provider = models.CharField(_("provider"), max_length=20)
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="AUD")
    # What the provider collected if that differs from `amount`; otherwise null and empty.
    received_amount = models.DecimalField(_("amount received"), max_digits=12, decimal_places=2, null=True)
    received_currency = models.CharField(
        _("currency received"), max_length=3, blank=True, default="", db_default=""
    )
    # The part of the collected money that was refunded or is being refunded.
    refunded = models.DecimalField(
        _("given back, or on its way back"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    # Whether it paid a part of an order's amount, which awaits the rest.
    is_held = models.BooleanField(_("held until the rest is paid"), default=False, db_default=False)
    # The member of staff who recorded it, and why; null and empty if a provider collected it.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("recorded by"),
        db_index=False,
    )
    note = models.CharField(_("note"), max_length=200, blank=True, default="", db_default="")
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.pending)
    # The provider's ids of the payment and of the captured money; empty if it has none.
    provider_ref = models.CharField(
        _("number at the provider"), max_length=80, blank=True, default="", db_default=""
    )
    capture_ref = models.CharField(max_length=80, blank=True, default="", db_default="")
    # The URL at which the customer pays; empty until the provider has answered.
    jump_url = models.URLField(max_length=500, blank=True)
    # The language of the shop's page to which the customer returns.
    language = models.CharField(max_length=8, default="en")
    created_at = models.DateTimeField(_("begun at"), auto_now_add=True)
    settled_at = models.DateTimeField(_("outcome known at"), null=True)
    # When the periodic job polls the provider next; null once no poll is due.
    next_query_at = models.DateTimeField(_("provider is asked again at"), null=True)
    queries = models.PositiveSmallIntegerField(_("times the provider was asked"), default=0)
    # When the provider was last polled, by the scheduler or for a customer.
    queried_at = models.DateTimeField(_("provider was last asked at"), null=True)
    # When it had been open long enough that staff must check it; set once.
    overdue_at = models.DateTimeField(_("without an outcome for a day at"), null=True)
    # When the provider reported a dispute, there or at the customer's bank; set once.
    disputed_at = models.DateTimeField(_("disputed by the customer at"), null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        permissions = [("record_payment", gettext_noop("Can record payments that staff have received"))]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_amount_positive"),
            models.CheckConstraint(
                condition=Q(order=None, recharge__isnull=False) | Q(order__isnull=False, recharge=None),
                name="payment_of_order_or_recharge",
            ),
            models.CheckConstraint(
                condition=Q(refunded__gte=0, refunded__lte=Coalesce(F("received_amount"), F("amount"))),
                name="payment_refunded_within_collected",
            ),
            models.UniqueConstraint(
                fields=["order", "pay_type", "amount"],
                condition=Q(state="pending"),
                name="one_open_attempt_per_amount",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_query_at"], condition=Q(next_query_at__isnull=False), name="payment_query_due"
            ),
            models.Index(
                fields=["overdue_at"],
                condition=Q(state="pending", overdue_at__isnull=False),
                name="payment_overdue",
            ),
            models.Index(
                fields=["recharge"], condition=Q(recharge__isnull=False), name="payment_of_recharge"
            ),
            models.Index(fields=["order"], condition=Q(is_held=True), name="payment_held"),
            # Notices may name a payment by its provider's ids alone.
            models.Index(
                fields=["provider_ref"], condition=~Q(provider_ref=""), name="payment_by_provider_ref"
            ),
            models.Index(fields=["capture_ref"], condition=~Q(capture_ref=""), name="payment_by_capture_ref"),
        ]

    def __str__(self) -> str:
        return self.reference

    @classmethod
    def next_reference(cls, order: Order) -> str:
        """Return the reference of an order's next payment; the order's row must be locked."""
        return f"{order.order_no}-{cls.objects.filter(order=order).count() + 1}"

    @property
    def number(self) -> str:
        """The number of the paid order or top-up."""
        return str(self.recharge or self.order)

    @property
    def paid_order(self) -> Order:
        """The order that it pays; do not use it for a top-up."""
        assert self.order
        return self.order

    @property
    def customer(self) -> Customer:
        """The customer of the order or top-up."""
        return self.recharge.customer if self.recharge else self.paid_order.customer

    @property
    def collected(self) -> tuple[Decimal, str]:
        """The amount and currency that the provider has collected, or will collect."""
        if self.received_amount is None:
            return self.amount, self.currency
        return self.received_amount, self.received_currency


class PaymentEvent(UpdateOnlyModel):
    """A genuine notice of a provider; each event is stored once (docs/guarantees/money.md#notices)."""

    UPDATE_ONLY = frozenset({"denied_at"})

    provider = models.CharField(max_length=20)
    event_id = models.CharField(max_length=80)
    payment = models.ForeignKey(Payment, models.PROTECT, related_name="events")
    body = models.JSONField()
    # Whether it reports the payment as paid; only the audit uses it.
    reports_paid = models.BooleanField(default=False, db_default=False)
    # When a poll after this notice first returned that the payment has failed.
    denied_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "event_id"], name="one_event_per_id")]
