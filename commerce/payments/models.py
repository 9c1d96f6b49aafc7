"""Payments, what gateways reported of them, and refunds."""

from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from catalog.goods.models import is_chinese
from commerce.accounts.models import Customer
from commerce.orders.models import Order
from core.countries import is_country
from core.languages import TwoTexts
from core.money import ZERO
from core.update_only import UpdateOnlyModel


class PayType(models.Model):
    """One way to pay that shoppers may choose (docs/wire.md#paytypes); staff name, order and restrict it."""

    code = models.CharField(_("code on the wire"), max_length=16, primary_key=True)
    name_en = models.CharField(_("English name"), max_length=60, default="", db_default="")
    name_zh = models.CharField(_("Chinese name"), max_length=60, default="", db_default="")
    hint_en = models.CharField(_("hint, English"), max_length=120, blank=True, default="", db_default="")
    hint_zh = models.CharField(_("hint, Chinese"), max_length=120, blank=True, default="", db_default="")
    # What the release before shows as the name.
    pay_name = models.CharField(max_length=60, default="", db_default="", editable=False)
    pay_code = models.CharField(_("pay code"), max_length=20)
    # The path of the picture that it has until staff choose another one.
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
        verbose_name = _("pay type")
        verbose_name_plural = _("pay types")
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
                violation_error_message=_("Tick at least one way of delivery, or switch the pay type off."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def names(self) -> TwoTexts:
        """Its names; the code where it has none."""
        return TwoTexts(self.name_zh or self.code, self.name_en or self.code)

    @property
    def name(self) -> str:
        """The name in the reader's language."""
        return self.names.zh if is_chinese() else self.names.en

    @property
    def country_codes(self) -> frozenset[str]:
        """The countries it is restricted to, by their two letters; none where it is not restricted."""
        return frozenset(self.countries.replace(",", " ").split())

    @property
    def has_limits(self) -> bool:
        """Whether it is restricted to amounts."""
        return self.from_amount is not None or self.to_amount is not None

    def clean(self) -> None:
        """Write the countries evenly; raises ValidationError for one that is not in the list."""
        codes = sorted(code.upper() for code in self.country_codes)
        wrong = [code for code in codes if not is_country(code)]
        if wrong:
            text = _("Not a code of the country list: %(codes)s")
            raise ValidationError({"countries": text % {"codes": ", ".join(wrong)}})
        self.countries = ", ".join(codes)


class Recharge(models.Model):
    """A top-up of a customer's wallet, which has it once its payment is paid (docs/wire.md#recharge)."""

    number = models.CharField(_("number"), max_length=24, unique=True)
    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="recharges", verbose_name=_("customer"), db_index=False
    )
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    # Where it was begun, as the client calls it.
    source = models.CharField(_("source"), max_length=16, blank=True)
    created_at = models.DateTimeField(_("begun at"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("top-up")
        verbose_name_plural = _("top-ups")
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="recharge_amount_positive")]
        indexes = [models.Index(fields=["customer", "-id"], name="recharge_of_customer")]

    def __str__(self) -> str:
        return self.number


class Payment(UpdateOnlyModel):
    """One attempt to collect money through one provider: for an order, or for a top-up of a wallet."""

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
        }
    )

    class State(models.TextChoices):
        pending = "pending", _("Pending")
        paid = "paid", _("Paid")
        failed = "failed", _("Failed")

    # What it pays: one of the two.
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
    # How much of what was collected goes back, or has gone.
    refunded = models.DecimalField(
        _("goes back"), max_digits=12, decimal_places=2, default=ZERO, db_default=ZERO
    )
    # Whether it is a part of an order's amount that waits for the rest.
    is_held = models.BooleanField(_("waits for the rest"), default=False, db_default=False)
    # Who of the staff recorded it, and why; null and empty where a provider collected it.
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
    # The provider's own names of the payment and of the money itself; empty where it has none.
    provider_ref = models.CharField(
        _("number at the provider"), max_length=80, blank=True, default="", db_default=""
    )
    capture_ref = models.CharField(max_length=80, blank=True, default="", db_default="")
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
        permissions = [("record_payment", "Can record payments that staff have received")]
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
        ]

    def __str__(self) -> str:
        return self.reference

    @classmethod
    def next_reference(cls, order: Order) -> str:
        """Return the reference of an order's next attempt; the order's row must be locked."""
        return f"{order.order_no}-{cls.objects.filter(order=order).count() + 1}"

    @property
    def number(self) -> str:
        """The number of the order or the top-up that it pays."""
        return str(self.recharge or self.order)

    @property
    def paid_order(self) -> Order:
        """The order that it pays; only where it is known to pay one."""
        assert self.order
        return self.order

    @property
    def customer(self) -> Customer:
        """Who pays."""
        return self.recharge.customer if self.recharge else self.paid_order.customer

    @property
    def collected(self) -> tuple[Decimal, str]:
        """Amount and currency that the provider has collected, or is to collect."""
        if self.received_amount is None:
            return self.amount, self.currency
        return self.received_amount, self.received_currency


class Certificate(UpdateOnlyModel):
    """A picture that a customer has uploaded to prove a payment; nobody else but staff may see it.

    See docs/guarantees.md#transfers. `name`: what its address calls it, random; its file is not among the
    public pictures.
    """

    UPDATE_ONLY = frozenset(
        {
            "order",
            "state",
            "reason",
            "reason_text",
            "note",
            "amount",
            "payment",
            "reviewed_by",
            "reviewed_at",
            "first_approver",
            "first_amount",
            "message_due",
            "picture_deleted_at",
        }
    )

    class State(models.TextChoices):
        uploaded = "uploaded", _("Proves no order yet")
        waiting = "waiting", _("Waiting for review")
        approved = "approved", _("Approved")
        rejected = "rejected", _("Rejected")
        replaced = "replaced", _("Replaced by another one")

    class Reason(models.TextChoices):
        not_received = "not_received", _("The money has not arrived")
        unreadable = "unreadable", _("The picture cannot be read")
        wrong_account = "wrong_account", _("The transfer went to another account")
        wrong_order = "wrong_order", _("The transfer is for another order")
        other = "other", _("Another reason")

    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="certificates", verbose_name=_("customer")
    )
    name = models.CharField(_("name"), max_length=43, unique=True)
    created_at = models.DateTimeField(_("uploaded at"), auto_now_add=True)
    # What pictures that look the same have nearly alike (`commerce.payments.same_pictures`), in hex.
    picture_hash = models.CharField(max_length=256, blank=True, default="", db_default="")
    order = models.ForeignKey(
        Order,
        models.PROTECT,
        null=True,
        related_name="certificates",
        verbose_name=_("order"),
        db_index=False,
    )
    state = models.CharField(
        _("state"), max_length=8, choices=State.choices, default=State.uploaded, db_default=State.uploaded
    )
    reason = models.CharField(
        _("reason"), max_length=14, choices=Reason.choices, blank=True, default="", db_default=""
    )
    reason_text = models.CharField(
        _("to the customer"), max_length=300, blank=True, default="", db_default=""
    )
    note = models.CharField(_("note"), max_length=200, blank=True, default="", db_default="")
    amount = models.DecimalField(_("amount received"), max_digits=12, decimal_places=2, null=True)
    payment = models.ForeignKey(
        Payment, models.PROTECT, null=True, related_name="+", verbose_name=_("payment"), db_index=False
    )
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("reviewed by"),
        db_index=False,
    )
    reviewed_at = models.DateTimeField(_("reviewed at"), null=True)
    # Who has approved an amount that another one must confirm, and that amount; null for any other.
    first_approver = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("first approved by"),
        db_index=False,
    )
    first_amount = models.DecimalField(_("amount first approved"), max_digits=12, decimal_places=2, null=True)
    # Whether its customer is still to be told of the review.
    message_due = models.BooleanField(default=False, db_default=False, editable=False)
    # When its file was deleted; the row stays.
    picture_deleted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("payment certificate")
        verbose_name_plural = _("payment certificates")
        permissions = [("review_certificate", "Can review transfers")]
        constraints = [
            models.CheckConstraint(
                condition=Q(order=None, state="uploaded") | Q(~Q(state="uploaded"), order__isnull=False),
                name="certificate_of_no_order_is_uploaded",
            ),
            models.CheckConstraint(
                condition=Q(first_approver=None)
                | Q(reviewed_by=None)
                | ~Q(state="approved")
                | ~Q(first_approver=F("reviewed_by")),
                name="certificate_approved_by_two",
            ),
            models.UniqueConstraint(
                fields=["order"], condition=Q(state="waiting"), name="one_waiting_certificate_per_order"
            ),
        ]
        indexes = [
            models.Index(
                fields=["order", "id"], condition=Q(order__isnull=False), name="certificate_of_order"
            ),
            models.Index(fields=["id"], condition=Q(state="waiting"), name="certificate_waiting"),
            models.Index(fields=["id"], condition=Q(message_due=True), name="certificate_untold"),
        ]

    def __str__(self) -> str:
        return self.order.order_no if self.order else self.name


class PictureBand(models.Model):
    """One part of the hash of a certificate that proves an order, by which pictures like it are found.

    `value`: as `bands_of` of `commerce.payments.same_pictures` writes it.
    """

    certificate = models.ForeignKey(Certificate, models.CASCADE, related_name="bands", db_index=False)
    value = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["value", "certificate"], name="one_row_per_band")]


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
    """Money of one payment that goes back, in the currency it came in (docs/guarantees.md#refunds)."""

    UPDATE_ONLY = frozenset(
        {
            "reference",
            "state",
            "staff",
            "note",
            "message_due",
            "provider_ref",
            "detail",
            "sent_at",
            "settled_at",
            "next_query_at",
            "queries",
        }
    )

    class State(models.TextChoices):
        due = "due", _("Due")
        sending = "sending", _("On its way")
        done = "done", _("Done")
        failed = "failed", _("Failed")

    class Reason(models.TextChoices):
        paid_twice = "paid_twice", _("Paid twice")
        overpaid = "overpaid", _("More than was left to pay")
        order_canceled = "order_canceled", _("Paid after the order was canceled")
        order_ended = "order_ended", _("The order ended before it was paid in full")
        wrong_amount = "wrong_amount", _("Another amount than was asked for")
        wrong_currency = "wrong_currency", _("Another currency than was asked for")
        order_refund = "order_refund", _("Refund of the order")
        chargeback = "chargeback", _("Taken back by the bank")

    class To(models.TextChoices):
        source = "source", _("The way it came")
        wallet = "wallet", _("The wallet")

    payment = models.ForeignKey(
        Payment, models.PROTECT, related_name="refunds", verbose_name=_("payment"), db_index=False
    )
    # What the provider and the ledger know it by; empty for those from before there were references.
    reference = models.CharField(_("reference"), max_length=60, blank=True, default="", db_default="")
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="AUD", db_default="AUD")
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    to = models.CharField(
        _("goes to"), max_length=6, choices=To.choices, default=To.source, db_default=To.source
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.due)
    # Who of the staff asked for it or did it, and their note; null and empty where the shop did.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("by"),
        db_index=False,
    )
    note = models.CharField(_("note"), max_length=200, blank=True, default="", db_default="")
    provider_ref = models.CharField(
        _("number at the provider"), max_length=80, blank=True, default="", db_default=""
    )
    # Why the provider refused it.
    detail = models.CharField(_("answer"), max_length=200, blank=True, default="", db_default="")
    # Whether its customer is to be told once it is done; false for those from before there were messages.
    message_due = models.BooleanField(default=True, db_default=False, editable=False)
    created_at = models.DateTimeField(_("due since"), auto_now_add=True)
    sent_at = models.DateTimeField(_("first sent at"), null=True)
    settled_at = models.DateTimeField(_("settled at"), null=True)
    # When the sweep sends it or asks about it; null where nothing is to be asked, or staff pay it back.
    next_query_at = models.DateTimeField(_("next question at"), null=True)
    queries = models.PositiveSmallIntegerField(_("questions asked"), default=0, db_default=0)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("refund")
        verbose_name_plural = _("refunds")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="refund_amount_positive"),
            models.UniqueConstraint(
                fields=["reference"], condition=~Q(reference=""), name="one_refund_per_reference"
            ),
            # What the shop finds by itself it finds once; of the others there may be many.
            models.UniqueConstraint(
                fields=["payment", "reason"],
                condition=~Q(reason__in=["order_refund", "chargeback"]),
                name="one_refund_by_itself",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(message_due=True, state="done"), name="refund_untold"),
            models.Index(fields=["payment"], name="refund_of_payment"),
            models.Index(
                fields=["next_query_at"], condition=Q(next_query_at__isnull=False), name="refund_query_due"
            ),
            models.Index(fields=["id"], condition=~Q(state="done"), name="refund_not_done"),
        ]

    def __str__(self) -> str:
        return f"{self.currency} {self.amount}"
