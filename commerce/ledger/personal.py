"""Personal data in wallet, points and debt; entries stay (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import Customer
from commerce.accounts.personal import Holding, Obstacle, Row, Section, by_pages, labels
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of
from core.languages import in_both_languages
from core.money import aud_text

Kind = LedgerAccount.Kind
_OBSTACLES = {
    Kind.wallet: gettext_noop("Your wallet has %(amount)s. Spend it, or ask us to refund it."),
    Kind.debt: gettext_noop("You owe us %(amount)s. Top up your wallet to pay it, or contact us."),
}


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


def _open_balance(customer: Customer) -> Iterable[Obstacle]:
    """Yield the money in the wallet, or the debt, which staff cannot collect of an account without a name."""
    for kind, sentence in _OBSTACLES.items():
        balance = balance_of(customer=customer, kind=kind)
        if balance > 0:

            def text(sentence: str = sentence, balance: Decimal = balance) -> str:
                return gettext(sentence) % {"amount": aud_text(balance)}

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
    obstacles=_open_balance,
)
