"""Certificates: the pictures that prove transfers, and the hashes that find similar pictures."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.payments.models.payments import Payment
from core.update_only import UpdateOnlyModel


class Certificate(UpdateOnlyModel):
    """A picture that proves a payment, for its customer and staff only (docs/guarantees/money.md#transfers).

    `name`: the random name in its URL. The file is outside the public pictures.
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
    # A hash that is nearly equal for pictures that look the same (`commerce.payments.same_pictures`), in hex.
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
    # The first approver of an amount that needs two approvals, and that amount; otherwise null.
    first_approver = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("first approved by"),
        db_index=False,
    )
    first_amount = models.DecimalField(_("amount first approved"), max_digits=12, decimal_places=2, null=True)
    # Whether the customer must still be notified of the review.
    message_due = models.BooleanField(default=False, db_default=False, editable=False)
    # When its file was deleted; the row stays.
    picture_deleted_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("payment certificate")
        verbose_name_plural = _("payment certificates")
        permissions = [("review_certificate", gettext_noop("Can review transfers"))]
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
    """One part of the hash of an order's certificate, by which similar pictures are found.

    `value`: as returned by `bands_of` of `commerce.payments.same_pictures`.
    """

    certificate = models.ForeignKey(Certificate, models.CASCADE, related_name="bands", db_index=False)
    value = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["value", "certificate"], name="one_row_per_band")]
