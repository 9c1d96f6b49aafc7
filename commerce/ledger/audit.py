"""The rules of wallets and points that the audit checks (docs/guarantees.md#wallet-and-points)."""

from collections.abc import Iterator

from django.db.models import F, Sum, Window
from django.db.models.functions import Coalesce, Floor, Lag

from commerce.ledger.models import LedgerAccount, LedgerEntry
from core.audit import Difference, cents, run_rules
from core.money import ZERO, aud


def differences() -> Iterator[Difference]:
    """Name each balance that does not follow from the entries, what wallets owe, and parts of points."""
    yield from run_rules(_balances, _running_balances, _whole_points)


def _balances() -> Iterator[Difference]:
    accounts = LedgerAccount.objects.annotate(total=cents(Coalesce(Sum("entries__amount"), ZERO)))
    # SQLite adds amounts as binary fractions, so the exact comparison is made here.
    for account in accounts.exclude(balance=F("total"), balance__gte=ZERO).order_by("pk").iterator():
        total = aud(account.total)
        if account.balance != total or (account.balance < 0 and account.kind == LedgerAccount.Kind.wallet):
            found = f"balance {account.balance}, entries {total}"
            yield Difference("balance", f"ledger account {account.pk}", found)


def _running_balances() -> Iterator[Difference]:
    last = Coalesce(Window(Lag("balance"), partition_by="account_id", order_by="pk"), ZERO)
    entries = LedgerEntry.objects.annotate(before=last).annotate(after=cents(F("before") + F("amount")))
    unequal = entries.exclude(balance=F("after")).order_by("account_id", "pk")
    for pk, balance, amount, last_balance in unequal.values_list(
        "pk", "balance", "amount", "before"
    ).iterator():
        before = aud(last_balance)
        if balance != before + amount:
            found = f"balance {balance} after {amount}, {before} before"
            yield Difference("running-balance", f"ledger entry {pk}", found)


def _whole_points() -> Iterator[Difference]:
    """Name the entries of points that are no whole number."""
    points = LedgerEntry.objects.filter(account__kind=LedgerAccount.Kind.points)
    parts = points.exclude(amount=Floor("amount")).order_by("pk")
    for pk, amount in parts.values_list("pk", "amount").iterator():
        yield Difference("whole-points", f"ledger entry {pk}", f"{amount} points")
