"""Wallet, points and debt: each has a balance and the entries that explain it.

See docs/guarantees/money.md#wallet-and-points.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.accounts.models import Customer
from core.update_only import UpdateOnlyModel


class LedgerAccount(UpdateOnlyModel):
    """A customer's wallet, points or debt to the shop: the balance is the sum of the entries.

    Only points may be below zero. While a debt is above zero, the wallet is empty.
    """

    UPDATE_ONLY = frozenset({"balance"})

    class Kind(models.TextChoices):
        wallet = "wallet", _("Wallet")
        points = "points", _("Points")
        # What the customer owes after a bank took back money that the wallet no longer has.
        debt = "debt", _("Debt")

    customer = models.ForeignKey(Customer, models.PROTECT, related_name="ledger_accounts", db_index=False)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    balance = models.DecimalField(_("balance"), max_digits=12, decimal_places=2, default=0)

    class Meta:
        verbose_name = _("ledger account")
        verbose_name_plural = _("ledger accounts")
        permissions = [("adjust_points", gettext_noop("Can adjust the points of customers"))]
        constraints = [
            models.UniqueConstraint(fields=["customer", "kind"], name="one_account_per_kind"),
            models.CheckConstraint(
                condition=Q(kind="points") | Q(balance__gte=0), name="wallet_not_negative"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(kind="debt", balance__gt=0), name="debt_open"),
        ]


class ImmutableError(Exception):
    """Raised when code tries to change or delete a ledger entry; a correction is a new entry."""


class EntryQuerySet(models.QuerySet["LedgerEntry"]):
    """Refuses bulk changes of entries, as the model refuses changes of one entry."""

    def update(self, **kwargs: object) -> int:
        """Refuse: raises ImmutableError."""
        raise ImmutableError("ledger entries are never changed")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Refuse: raises ImmutableError."""
        raise ImmutableError("ledger entries are never deleted")


class LedgerEntry(models.Model):
    """One change of a balance; (account, reason, reference) is unique, which makes posting idempotent."""

    class Reason(models.TextChoices):
        opening = "opening", _("Opening balance")
        payment = "payment", _("Order payment")
        refund = "refund", _("Refund")
        recharge = "recharge", _("Top-up")
        adjustment = "adjustment", _("Administrator adjustment")
        earned = "earned", _("Points for an order")
        chargeback = "chargeback", _("Taken back after a chargeback")
        returned = "returned", _("Points taken back after a return")
        canceled = "canceled", _("Points taken back after a cancellation")
        spent = "spent", _("Points spent on an order")
        given_back = "given_back", _("Spent points given back")
        dispute = "dispute", _("Taken back by the bank")
        dispute_over = "dispute_over", _("Dispute over, returned")

    account = models.ForeignKey(LedgerAccount, models.PROTECT, related_name="entries", db_index=False)
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    balance = models.DecimalField(_("balance after"), max_digits=12, decimal_places=2)
    reason = models.CharField(_("reason"), max_length=12, choices=Reason.choices)
    reference = models.CharField(_("reference"), max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        indexes = [models.Index(fields=["account", "-id"], name="entry_of_account")]
        constraints = [
            models.UniqueConstraint(fields=["account", "reason", "reference"], name="one_entry_per_reference")
        ]

    def save(self, *args: object, **kwargs: object) -> None:
        """Save a new entry; raises ImmutableError if the entry is already saved."""
        if self.pk is not None:
            raise ImmutableError("a ledger entry is never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        """Refuse: raises ImmutableError."""
        raise ImmutableError("a ledger entry is never deleted")


class PointsAdjustment(models.Model):
    """Points that staff added or removed manually, with author and reason; its entry refers to its key."""

    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="points_adjustments", verbose_name=_("customer")
    )
    points = models.IntegerField(_("points"), help_text=_("With a minus sign they are taken away."))
    note = models.CharField(
        _("why"), max_length=200, help_text=_("For staff; the customer does not read it.")
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("points adjustment")
        verbose_name_plural = _("points adjustments")
        constraints = [
            models.CheckConstraint(condition=~Q(points=0), name="points_adjustment_not_zero"),
            models.CheckConstraint(condition=~Q(note=""), name="points_adjustment_with_a_note"),
        ]


class DebtSettlement(models.Model):
    """A debt, or a part of it, that staff recorded as paid or written off; its entry refers to its key."""

    customer = models.ForeignKey(
        Customer, models.PROTECT, related_name="debt_settlements", verbose_name=_("customer")
    )
    amount = models.DecimalField(_("amount"), max_digits=12, decimal_places=2)
    note = models.CharField(
        _("why"), max_length=200, help_text=_("For staff; the customer does not read it.")
    )
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    created_at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("settlement of a debt")
        verbose_name_plural = _("settlements of debts")
        permissions = [("settle_debt", gettext_noop("Can record debts of customers as paid or written off"))]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="debt_settlement_positive"),
            models.CheckConstraint(condition=~Q(note=""), name="debt_settlement_with_a_note"),
        ]
