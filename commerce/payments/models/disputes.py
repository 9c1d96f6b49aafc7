"""Disputes of payments: a bank or provider takes back money that it had paid to the shop."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.delivery.models import DeliverySlot, PickupSlot
from commerce.orders.status import OrderStatus
from commerce.payments.models.payments import Payment
from core.update_only import UpdateOnlyModel


class Dispute(UpdateOnlyModel):
    """A dispute of one payment, with what is needed to undo it (docs/guarantees/money.md#disputes)."""

    UPDATE_ONLY = frozenset({"state", "closed_at", "closed_by", "closing_note", "by_hand"})

    class State(models.TextChoices):
        open = "open", _("Open")
        lost = "lost", _("Lost")
        won = "won", _("Won")
        mistaken = "mistaken", _("Recorded by mistake")

    # In these states the bank has the money.
    STANDING = frozenset({State.open, State.lost})

    payment = models.ForeignKey(
        Payment, models.PROTECT, related_name="disputes", verbose_name=_("payment"), db_index=False
    )
    # Its reference in the ledger.
    reference = models.CharField(_("dispute number"), max_length=64, unique=True)
    # What the bank takes back, in the payment's currency, and the part of it that had gone to the wallet.
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    from_wallet = models.DecimalField(_("from the wallet"), max_digits=12, decimal_places=2)
    # The provider's event, or the reason that staff entered.
    note = models.CharField(_("note"), max_length=200)
    # Null if the provider reported it.
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("recorded by"),
        db_index=False,
    )
    opened_at = models.DateTimeField(_("opened at"), auto_now_add=True)
    # The order's status and bookings before; null if the dispute did not change its status.
    order_status = models.SmallIntegerField(
        _("status of the order before"), choices=OrderStatus.choices, null=True
    )
    pickup_slot = models.ForeignKey(PickupSlot, models.SET_NULL, null=True, related_name="+", db_index=False)
    delivery_slot = models.ForeignKey(
        DeliverySlot, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.open)
    closed_at = models.DateTimeField(_("closed at"), null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("closed by"),
        db_index=False,
    )
    closing_note = models.CharField(
        _("note of the closing"), max_length=200, blank=True, default="", db_default=""
    )

    # The part of `from_wallet` that the wallet did not get back: staff decide whether the customer gets it.
    by_hand = models.DecimalField(
        _("to pay back by hand"), max_digits=12, decimal_places=2, default=0, db_default=0
    )

    class Meta:
        ordering = ["-id"]
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        permissions = [("handle_dispute", gettext_noop("Can record and close disputes of payments"))]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="dispute_amount_positive"),
            models.CheckConstraint(
                condition=Q(from_wallet__gte=0, from_wallet__lte=models.F("amount")),
                name="dispute_from_wallet_within_amount",
            ),
            models.CheckConstraint(
                condition=Q(by_hand__gte=0, by_hand__lte=models.F("from_wallet")),
                name="dispute_by_hand_within_wallet",
            ),
            models.UniqueConstraint(
                fields=["payment"],
                condition=Q(state__in=["open", "lost"]),
                name="one_standing_dispute_per_payment",
            ),
        ]
        indexes = [
            models.Index(fields=["payment"], name="dispute_of_payment"),
            models.Index(fields=["id"], condition=Q(state="open"), name="dispute_open"),
        ]

    def __str__(self) -> str:
        return self.reference
