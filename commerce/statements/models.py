"""Providers' lists of the payments and refunds of a day, and their differences from the shop's books."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.names import provider_name
from core.update_only import UpdateOnlyModel

# The maximum length of a reference in a provider's list; longer ones are cut.
MAX_REFERENCE, MAX_PROVIDER_REF = 127, 80


class Kind(models.TextChoices):
    """The kind of a line: payment or refund."""

    payment = "payment", _("Payment")
    refund = "refund", _("Refund")


class Statement(UpdateOnlyModel):
    """A provider's list of a day; the row is created before the list is fetched."""

    UPDATE_ONLY = frozenset({"state", "next_try_at", "tries", "fetched_at", "is_compared"})

    class State(models.TextChoices):
        waiting = "waiting", _("To be fetched")
        fetched = "fetched", _("Fetched")

    provider = models.CharField(_("provider"), max_length=20)
    day = models.DateField(_("day"))
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.waiting)
    # When the next try is due; null once the list is fetched.
    next_try_at = models.DateTimeField(_("next try at"), null=True)
    tries = models.PositiveIntegerField(_("tries"), default=0)
    fetched_at = models.DateTimeField(_("fetched at"), null=True)
    # Comparing both ways also requires the next day's list.
    is_compared = models.BooleanField(_("compared both ways"), default=False)

    class Meta:
        ordering = ["-day", "provider"]
        verbose_name = _("provider’s list of a day")
        verbose_name_plural = _("providers’ lists")
        permissions = [
            ("tick_off_difference", gettext_noop("Can fetch providers' lists again and tick off differences"))
        ]
        constraints = [
            models.UniqueConstraint(fields=["provider", "day"], name="one_statement_per_day"),
            models.CheckConstraint(
                condition=Q(state="waiting", next_try_at__isnull=False)
                | Q(state="fetched", next_try_at=None),
                name="statement_waits_for_a_try",
            ),
        ]
        indexes = [
            models.Index(fields=["next_try_at"], condition=Q(state="waiting"), name="statement_due"),
            models.Index(fields=["day"], condition=Q(is_compared=False), name="statement_to_compare"),
        ]

    def __str__(self) -> str:
        return f"{provider_name(self.provider)}, {date_format(self.day, 'SHORT_DATE_FORMAT')}"


class StatementLine(UpdateOnlyModel):
    """One row of a provider's list, and the payment or refund that it matches."""

    UPDATE_ONLY = frozenset({"payment", "refund"})

    statement = models.ForeignKey(Statement, models.CASCADE, related_name="lines", db_index=False)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    reference = models.CharField(max_length=MAX_REFERENCE, blank=True)
    provider_ref = models.CharField(max_length=MAX_PROVIDER_REF)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    at = models.DateTimeField()
    # Null if the shop knows no matching row.
    payment = models.ForeignKey(Payment, models.PROTECT, null=True, related_name="statement_lines")
    refund = models.ForeignKey(Refund, models.PROTECT, null=True, related_name="statement_lines")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["statement", "kind", "provider_ref"], name="one_line_per_provider_ref"
            )
        ]


class StatementDifference(UpdateOnlyModel):
    """A difference between a provider's list and the shop's books; staff tick it off with a note."""

    UPDATE_ONLY = frozenset({"state", "closed_at", "staff", "note"})

    class Reason(models.TextChoices):
        only_there = "only_there", _("Only in the provider’s list")
        only_here = "only_here", _("Only in our books")
        amount = "amount", _("Another amount or currency")
        twice = "twice", _("Twice in the provider’s lists")

    class State(models.TextChoices):
        open = "open", _("Open")
        gone = "gone", _("Resolved automatically")
        ticked = "ticked", _("Ticked off")

    statement = models.ForeignKey(
        Statement,
        models.PROTECT,
        related_name="differences",
        verbose_name=_("provider’s list of a day"),
        db_index=False,
    )
    reason = models.CharField(_("difference"), max_length=10, choices=Reason.choices)
    kind = models.CharField(_("kind"), max_length=7, choices=Kind.choices)
    reference = models.CharField(_("reference"), max_length=MAX_REFERENCE, blank=True)
    provider_ref = models.CharField(_("number at the provider"), max_length=MAX_PROVIDER_REF, blank=True)
    payment = models.ForeignKey(
        Payment, models.PROTECT, null=True, related_name="+", verbose_name=_("payment"), db_index=False
    )
    refund = models.ForeignKey(
        Refund, models.PROTECT, null=True, related_name="+", verbose_name=_("refund"), db_index=False
    )
    # Null and empty if that side has no amount.
    their_amount = models.DecimalField(_("amount there"), max_digits=12, decimal_places=2, null=True)
    their_currency = models.CharField(_("currency there"), max_length=3, blank=True)
    our_amount = models.DecimalField(_("amount here"), max_digits=12, decimal_places=2, null=True)
    our_currency = models.CharField(_("currency here"), max_length=3, blank=True)
    state = models.CharField(_("state"), max_length=6, choices=State.choices, default=State.open)
    created_at = models.DateTimeField(_("found at"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed at"), null=True)
    staff = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("ticked off by"),
        db_index=False,
    )
    note = models.CharField(_("note"), max_length=200, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name = _("difference from a provider’s list")
        verbose_name_plural = _("differences from providers’ lists")
        constraints = [
            models.UniqueConstraint(
                fields=["statement", "reason", "kind", "reference", "provider_ref"],
                name="one_difference_per_row",
            ),
            models.CheckConstraint(
                condition=~Q(state="ticked") | ~Q(note=""), name="difference_ticked_off_with_a_note"
            ),
        ]
        indexes = [
            models.Index(fields=["statement"], condition=Q(state="open"), name="difference_open"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.reference or self.provider_ref}"

    @property
    def theirs(self) -> str:
        """The currency and amount in the provider's list, as text."""
        return f"{self.their_currency} {self.their_amount}" if self.their_amount is not None else "–"

    @property
    def ours(self) -> str:
        """The currency and amount in the shop's books, as text."""
        return f"{self.our_currency} {self.our_amount}" if self.our_amount is not None else "–"
