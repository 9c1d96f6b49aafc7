"""Payments, what gateways reported of them, and refunds."""

from decimal import Decimal

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from core.update_only import UpdateOnlyModel


class PayType(models.Model):
    """One way to pay that shoppers may choose (docs/wire.md#paytypes); staff switch it on and off."""

    code = models.CharField(_("code on the wire"), max_length=16, primary_key=True)
    pay_name = models.CharField(_("name"), max_length=60)
    pay_code = models.CharField(_("pay code"), max_length=20)
    picture = models.CharField(_("picture"), max_length=200)
    provider = models.CharField(_("provider"), max_length=20)
    enabled = models.BooleanField(_("on"), default=False)
    sort = models.PositiveSmallIntegerField(_("place in the list"), default=0)

    class Meta:
        ordering = ["sort"]
        verbose_name = _("pay type")
        verbose_name_plural = _("pay types")

    def __str__(self) -> str:
        return self.pay_name


class Payment(UpdateOnlyModel):
    """One attempt to collect the amount of an order through one provider."""

    UPDATE_ONLY = frozenset(
        {
            "state",
            "received_amount",
            "received_currency",
            "jump_url",
            "settled_at",
            "next_query_at",
            "queries",
            "queried_at",
            "overdue_at",
        }
    )

    class State(models.TextChoices):
        pending = "pending", _("Pending")
        paid = "paid", _("Paid")
        failed = "failed", _("Failed")

    order = models.ForeignKey(Order, models.PROTECT, related_name="payments", verbose_name=_("order"))
    reference = models.CharField(_("reference at the provider"), max_length=60, unique=True)
    pay_type = models.CharField(_("pay type"), max_length=16)
    provider = models.CharField(_("provider"), max_length=20)
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="AUD")
    # What the provider collected where that is not what was asked for; else null and empty.
    received_amount = models.DecimalField(_("amount received"), max_digits=12, decimal_places=2, null=True)
    received_currency = models.CharField(
        _("currency received"), max_length=3, blank=True, default="", db_default=""
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.pending)
    # Where the customer pays; empty until the provider has said so.
    jump_url = models.URLField(max_length=500, blank=True)
    # The language the customer comes back to from the provider's page.
    language = models.CharField(max_length=8, default="en")
    created_at = models.DateTimeField(_("begun at"), auto_now_add=True)
    settled_at = models.DateTimeField(_("settled at"), null=True)
    # When the sweep asks the provider next; null once nothing more is to be asked.
    next_query_at = models.DateTimeField(_("next question at"), null=True)
    queries = models.PositiveSmallIntegerField(_("questions asked"), default=0)
    # When it was last asked about, by the clock or for a customer.
    queried_at = models.DateTimeField(_("last question at"), null=True)
    # When it had been open for so long that staff must look; set once.
    overdue_at = models.DateTimeField(_("overdue since"), null=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_amount_positive"),
            models.UniqueConstraint(
                fields=["order", "pay_type"],
                condition=Q(state="pending"),
                name="one_open_attempt_per_pay_type",
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
        ]

    def __str__(self) -> str:
        return self.reference

    @classmethod
    def next_reference(cls, order: Order) -> str:
        """Return the reference of an order's next attempt; the order's row must be locked."""
        return f"{order.order_no}-{cls.objects.filter(order=order).count() + 1}"

    @property
    def collected(self) -> tuple[Decimal, str]:
        """Amount and currency that the provider has collected, or is to collect."""
        if self.received_amount is None:
            return self.amount, self.currency
        return self.received_amount, self.received_currency


class Certificate(models.Model):
    """A picture that a customer has uploaded to prove a payment; nobody else but staff may see it.

    `name`: what its address calls it, random; its file is not among the public pictures.
    """

    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="certificates", verbose_name=_("customer")
    )
    name = models.CharField(_("name"), max_length=43, unique=True)
    created_at = models.DateTimeField(_("uploaded at"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("payment certificate")
        verbose_name_plural = _("payment certificates")

    def __str__(self) -> str:
        return self.name


class PaymentEvent(UpdateOnlyModel):
    """A genuine notice of a provider; the same event is stored once (docs/guarantees.md#notices)."""

    UPDATE_ONLY = frozenset({"denied_at"})

    provider = models.CharField(max_length=20)
    event_id = models.CharField(max_length=80)
    payment = models.ForeignKey(Payment, models.PROTECT, related_name="events")
    body = models.JSONField()
    # Whether it says that the payment was paid; the audit alone uses that.
    reports_paid = models.BooleanField(default=False, db_default=False)
    # When the provider, asked after this notice, first answered that the payment has failed.
    denied_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["provider", "event_id"], name="one_event_per_id")]


class Refund(UpdateOnlyModel):
    """Money that must go back, in the currency it came in: no order could take it.

    See docs/guarantees.md#paid-once, docs/guarantees.md#late-payments.
    """

    UPDATE_ONLY = frozenset({"state", "message_due"})

    class State(models.TextChoices):
        due = "due", _("Due")
        done = "done", _("Done")

    class Reason(models.TextChoices):
        paid_twice = "paid_twice", _("Paid twice")
        order_canceled = "order_canceled", _("Paid after the order was canceled")
        wrong_amount = "wrong_amount", _("Another amount than was asked for")
        wrong_currency = "wrong_currency", _("Another currency than was asked for")

    payment = models.ForeignKey(
        Payment, models.PROTECT, related_name="refunds", verbose_name=_("payment"), db_index=False
    )
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="AUD", db_default="AUD")
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    state = models.CharField(_("state"), max_length=6, choices=State.choices, default=State.due)
    # Whether its customer is to be told once it is done; false for those from before there were messages.
    message_due = models.BooleanField(default=True, db_default=False, editable=False)
    created_at = models.DateTimeField(_("due since"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("refund")
        verbose_name_plural = _("refunds")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="refund_amount_positive"),
            models.UniqueConstraint(fields=["payment", "reason"], name="one_refund_per_reason"),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(message_due=True, state="done"), name="refund_untold")
        ]

    def __str__(self) -> str:
        return f"{self.currency} {self.amount}"
