"""Providers' lists of what moved on a day, and where they and the shop's books differ."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from commerce.payments.models import Payment, Refund
from commerce.payments.providers.names import provider_name
from core.update_only import UpdateOnlyModel

# The length of a name in a provider's list; the rest of a longer name is left out.
MAX_REFERENCE, MAX_PROVIDER_REF = 127, 80


class Kind(models.TextChoices):
    """What moved."""

    payment = "payment", _("Payment")
    refund = "refund", _("Refund")


class Statement(UpdateOnlyModel):
    """A provider's list of a day: the row comes first, then it is fetched."""

    UPDATE_ONLY = frozenset({"state", "next_try_at", "tries", "fetched_at", "is_compared"})

    class State(models.TextChoices):
        waiting = "waiting", _("To be fetched")
        fetched = "fetched", _("Fetched")

    provider = models.CharField(_("provider"), max_length=20)
    day = models.DateField(_("day"))
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.waiting)
    # When it is fetched next; null once it is there.
    next_try_at = models.DateTimeField(_("next try at"), null=True)
    tries = models.PositiveIntegerField(_("tries"), default=0)
    fetched_at = models.DateTimeField(_("fetched at"), null=True)
    # Whether it was compared both ways, which takes the list of the day after too.
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
    """One row of a provider's list, and the payment or refund that it is."""

    UPDATE_ONLY = frozenset({"payment", "refund"})

    statement = models.ForeignKey(Statement, models.CASCADE, related_name="lines", db_index=False)
    kind = models.CharField(max_length=7, choices=Kind.choices)
    reference = models.CharField(max_length=MAX_REFERENCE, blank=True)
    provider_ref = models.CharField(max_length=MAX_PROVIDER_REF)
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    at = models.DateTimeField()
    # Null where the shop knows none.
    payment = models.ForeignKey(Payment, models.PROTECT, null=True, related_name="statement_lines")
    refund = models.ForeignKey(Refund, models.PROTECT, null=True, related_name="statement_lines")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["statement", "kind", "provider_ref"], name="one_line_per_provider_ref"
            )
        ]


class StatementDifference(UpdateOnlyModel):
    """Where a provider's list and the shop's books differ; staff tick it off once they know why."""

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
    # Null and empty where one side has nothing.
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
        """The text of the provider's list."""
        return f"{self.their_currency} {self.their_amount}" if self.their_amount is not None else "–"

    @property
    def ours(self) -> str:
        """The text of the shop's books."""
        return f"{self.our_currency} {self.our_amount}" if self.our_amount is not None else "–"
