"""Balances and statements of a customer's wallet, points and debt in the back office."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail import hooks
from wagtail.admin.ui.tables import Column, Table

from commerce.accounts.customer_lists import CustomerListView, Fact
from commerce.accounts.models import Customer
from commerce.ledger.models import DebtSettlement, LedgerAccount, LedgerEntry, PointsAdjustment
from commerce.ledger.services import balance_of
from core.backoffice import link_to
from core.money import ZERO, aud_text

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason
MAY_READ = "ledger.view_ledgerentry"
# Name of the Wagtail hook for functions that take the user and entries of one account. They return entry
# key → `EntrySource` for the entries that they know.
ENTRY_SOURCES = "sources_of_ledger_entries"


@dataclass(frozen=True)
class EntrySource:
    """The source of an entry, such as an order, and its page's URL if the user may see it."""

    text: str
    url: str = ""


def wallet_fact(user: Any, customer: Customer) -> Fact | None:
    """Return a customer's wallet balance for staff who may see entries; one query."""
    if not user.has_perm(MAY_READ):
        return None
    balance = balance_of(customer=customer, kind=Kind.wallet)
    url = reverse("customer_wallet", args=[customer.pk])
    return Fact(_("Wallet"), aud_text(balance), url, _("Statement of the wallet"))


def points_fact(user: Any, customer: Customer) -> Fact:
    """Return a customer's points balance; one query."""
    balance = balance_of(customer=customer, kind=Kind.points)
    url = reverse("customer_points", args=[customer.pk]) if user.has_perm(MAY_READ) else ""
    return Fact(_("Points"), number_format(balance, 0), url, _("Statement of points"))


def debt_fact(user: Any, customer: Customer) -> Fact | None:
    """Return a customer's debt for staff who may see entries, None without one; one query."""
    debt = balance_of(customer=customer, kind=Kind.debt) if user.has_perm(MAY_READ) else ZERO
    if not debt:
        return None
    url = reverse("customer_debt", args=[customer.pk])
    return Fact(_("Debt"), aud_text(debt), url, _("Statement of the debt"))


def _adjustments(
    entries: Sequence[LedgerEntry], rows: QuerySet[PointsAdjustment] | QuerySet[DebtSettlement], prefix: str
) -> dict[int, EntrySource]:
    """Return author and reason of the entries that staff made, by entry key; one query.

    `rows`, `prefix`: the records of staff, and the letter before their keys in references.
    """
    adjusted = {entry.reference: entry.pk for entry in entries if entry.reason == Reason.adjustment}
    keys = [reference.removeprefix(prefix) for reference in adjusted]
    return {
        adjusted[f"{prefix}{row.pk}"]: EntrySource(f"{row.staff or '–'}: {row.note}")
        for row in rows.filter(pk__in=[key for key in keys if key.isdecimal()]).select_related("staff")
    }


class _EntriesView(CustomerListView):
    """The entries of one account, each with the balance after it."""

    model = LedgerEntry
    header_icon = "list-ul"
    kind: ClassVar[LedgerAccount.Kind]
    unit: ClassVar[Promise]
    decimals = 2

    def get_base_queryset(self) -> QuerySet[LedgerEntry]:
        """Return the entries, newest first."""
        return LedgerEntry.objects.filter(account__customer=self.customer, account__kind=self.kind)

    @property
    def columns(self) -> list[Column]:
        """The columns; added amounts have a plus sign."""
        return [
            Column("created_at", label=_("Time")),
            Column("get_reason_display", label=_("Reason")),
            Column("source", label=_("Belongs to")),
            Column("moved", label=self.unit, accessor=self._moved),
            Column("left", label=_("Balance after"), accessor=lambda entry: self._written(entry.balance)),
        ]

    def get_table(self, entries: Sequence[LedgerEntry]) -> Table:
        """Return the table, after adding its source to each entry; some queries."""
        sources = self.sources(entries)
        for entry in entries:
            source = sources.get(entry.pk, EntrySource(entry.reference))
            entry.source = link_to(source.text, source.url)  # type: ignore[attr-defined]
        return super().get_table(entries)

    def sources(self, entries: Sequence[LedgerEntry]) -> dict[int, EntrySource]:
        """Return the sources of entries, by entry key; some queries."""
        sources: dict[int, EntrySource] = {}
        for sources_of in hooks.get_hooks(ENTRY_SOURCES):
            sources |= sources_of(self.request.user, entries)
        return sources

    def _moved(self, entry: LedgerEntry) -> str:
        return ("+" if entry.amount > 0 else "") + self._written(entry.amount)

    def _written(self, amount: Any) -> str:
        return number_format(amount, self.decimals, force_grouping=True)


class WalletView(_EntriesView):
    """The statement of a customer's wallet, in dollars."""

    page_title = gettext_lazy("Statement of the wallet")
    kind = Kind.wallet
    unit = gettext_lazy("Amount, AUD")


class PointsView(_EntriesView):
    """The statement of a customer's points."""

    page_title = gettext_lazy("Statement of points")
    kind = Kind.points
    unit = gettext_lazy("Points")
    decimals = 0

    def sources(self, entries: Sequence[LedgerEntry]) -> dict[int, EntrySource]:
        """Return the sources of entries, including staff's adjustments, by entry key; some queries."""
        return super().sources(entries) | _adjustments(entries, PointsAdjustment.objects.all(), "A")


class DebtView(_EntriesView):
    """The statement of a customer's debt, in dollars."""

    page_title = gettext_lazy("Statement of the debt")
    kind = Kind.debt
    unit = gettext_lazy("Amount, AUD")

    def sources(self, entries: Sequence[LedgerEntry]) -> dict[int, EntrySource]:
        """Return the sources of entries, including what staff recorded, by entry key; some queries."""
        return super().sources(entries) | _adjustments(entries, DebtSettlement.objects.all(), "D")
