"""Refunds of payments."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from commerce.payments.models.payments import Payment
from core.update_only import UpdateOnlyModel


class Refund(UpdateOnlyModel):
    """Money of one payment that is refunded, in the same currency (docs/guarantees/money.md#refunds)."""

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
        # A bank gave back what it had taken: the refund does not count any more.
        reversed = "reversed", _("Returned by the bank")

    # The money has not been refunded yet.
    OPEN = frozenset({State.due, State.sending, State.failed})

    class Reason(models.TextChoices):
        paid_twice = "paid_twice", _("Paid twice")
        overpaid = "overpaid", _("More than was owing")
        order_canceled = "order_canceled", _("Paid after the order was cancelled")
        order_ended = "order_ended", _("The order ended before it was paid in full")
        account_deleted = "account_deleted", _("The account was deleted before its top-up was paid")
        wrong_amount = "wrong_amount", _("Not the amount asked for")
        wrong_currency = "wrong_currency", _("Not the currency asked for")
        order_refund = "order_refund", _("Refund of the order")
        chargeback = "chargeback", _("Taken back by the bank")
        wallet_debt = "wallet_debt", _("Used for the debt of the wallet")

    class To(models.TextChoices):
        source = "source", _("The way it came")
        wallet = "wallet", _("The wallet")

    payment = models.ForeignKey(
        Payment, models.PROTECT, related_name="refunds", verbose_name=_("payment"), db_index=False
    )
    # Its reference at the provider and in the ledger; empty for refunds older than references.
    reference = models.CharField(_("refund number"), max_length=60, blank=True, default="", db_default="")
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    currency = models.CharField(_("currency"), max_length=3, default="AUD", db_default="AUD")
    reason = models.CharField(_("reason"), max_length=20, choices=Reason.choices)
    to = models.CharField(
        _("goes to"), max_length=6, choices=To.choices, default=To.source, db_default=To.source
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.due)
    # The member of staff who requested or made it, and their note; null and empty if it is automatic.
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
    # The provider's reason for a refusal.
    detail = models.CharField(
        _("answer of the provider"), max_length=200, blank=True, default="", db_default=""
    )
    # Whether the customer is notified once it is done; false for refunds older than messages.
    message_due = models.BooleanField(default=True, db_default=False, editable=False)
    created_at = models.DateTimeField(_("due since"), auto_now_add=True)
    sent_at = models.DateTimeField(_("first sent at"), null=True)
    settled_at = models.DateTimeField(_("outcome known at"), null=True)
    # When the periodic job sends or polls it; null if no poll is due, or staff pay it back.
    next_query_at = models.DateTimeField(_("provider is asked again at"), null=True)
    queries = models.PositiveSmallIntegerField(_("times the provider was asked"), default=0, db_default=0)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("refund")
        verbose_name_plural = _("refund payments")
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="refund_amount_positive"),
            models.UniqueConstraint(
                fields=["reference"], condition=~Q(reference=""), name="one_refund_per_reference"
            ),
            # An automatic refund exists once for each reason; other refunds may repeat.
            models.UniqueConstraint(
                fields=["payment", "reason"],
                condition=~Q(reason__in=["order_refund", "chargeback"]),
                name="one_automatic_refund",
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(message_due=True, state="done"), name="refund_untold"),
            models.Index(fields=["payment"], name="refund_of_payment"),
            models.Index(
                fields=["next_query_at"], condition=Q(next_query_at__isnull=False), name="refund_query_due"
            ),
            models.Index(fields=["id"], condition=~Q(state="done"), name="refund_not_done"),
            models.Index(
                fields=["provider_ref"], condition=~Q(provider_ref=""), name="refund_by_provider_ref"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.currency} {self.amount}"
