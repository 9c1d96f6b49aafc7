"""Personal data in wallet, points and debt; entries stay (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterable, Iterator
from functools import partial

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Obstacle, Row, Section, by_pages, labels
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of
from core.languages import in_both_languages
from core.money import aud_text

Kind = LedgerAccount.Kind


def _entries(customer: Customer, kind: LedgerAccount.Kind) -> Iterator[Row]:
    reasons = labels(LedgerEntry, "reason")
    for entry in by_pages(LedgerEntry.objects.filter(account__customer=customer, account__kind=kind)):
        yield {
            "time": entry.created_at,
            "amount": entry.amount,
            "balance": entry.balance,
            "reason": reasons[entry.reason],
            "belongsTo": entry.reference,
        }


def _money_left(customer: Customer) -> Iterable[Obstacle]:
    balance = balance_of(customer=customer, kind=Kind.wallet)
    if balance > 0:

        def text() -> str:
            text = gettext("Your wallet has %(amount)s. Spend it, or ask us to refund it.")
            return text % {"amount": aud_text(balance)}

        yield Obstacle(in_both_languages(text), "/home/account/wallet")


_COLUMNS = {
    "time": _("Time"),
    "amount": _("amount"),
    "balance": _("balance after"),
    "reason": _("reason"),
    "belongsTo": _("reference"),
}

PERSONAL = Holding(
    tables=frozenset({"ledger.LedgerAccount", "ledger.PointsAdjustment", "ledger.DebtSettlement"}),
    sections=(
        Section("wallet", _("Wallet"), _COLUMNS, partial(_entries, kind=Kind.wallet)),
        Section("points", _("Points"), _COLUMNS, partial(_entries, kind=Kind.points)),
        Section("debt", _("Debt"), _COLUMNS, partial(_entries, kind=Kind.debt)),
    ),
    obstacles=_money_left,
)
