"""The only writer of balances: conditional UPDATEs and entries that are never changed.

See docs/guarantees.md#wallet-and-points.
"""

from decimal import Decimal

from django.db.models import Exists, F, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Round

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from core.errors import Err, ShopError
from core.money import ZERO
from core.transactions import in_callers_transaction


def balance_of(*, customer: Customer, kind: LedgerAccount.Kind) -> Decimal:
    """Return what a customer has: dollars in the wallet, or points."""
    head = LedgerAccount.objects.filter(customer=customer, kind=kind).values_list("balance", flat=True)
    return head.first() or ZERO


@in_callers_transaction
def post(
    *,
    customer: Customer,
    kind: LedgerAccount.Kind,
    amount: Decimal,
    reason: LedgerEntry.Reason,
    reference: str,
) -> LedgerEntry:
    """Move a balance once for each (account, reason, reference); a repeat returns the first entry.

    `amount`: dollars or points, negative takes away. Locks: the account's head row.
    Raises ShopError(balance_insufficient) where a wallet would go below zero.
    """
    mine = LedgerAccount.objects.filter(customer=customer, kind=kind)
    written = LedgerEntry.objects.filter(account__in=mine, reason=reason, reference=reference)
    if not _move(mine, kind, amount):
        # There is no account yet, or not enough money: maybe because a twin of this call has taken it.
        LedgerAccount.objects.get_or_create(customer=customer, kind=kind)
        if not _move(mine, kind, amount):
            entry = written.first()
            if entry is None:
                raise ShopError(Err.balance_insufficient)
            return entry
    # From here on the account's row is locked, so no twin writes its entry meanwhile.
    account = mine.annotate(written=Exists(written)).get()
    if account.written:
        mine.update(balance=_rounded(F("balance") - amount))
        return written.get()
    return LedgerEntry.objects.create(
        account=account, amount=amount, balance=account.balance, reason=reason, reference=reference
    )


def _move(account: QuerySet[LedgerAccount], kind: LedgerAccount.Kind, amount: Decimal) -> bool:
    after = _rounded(F("balance") + amount)
    if kind == LedgerAccount.Kind.wallet:
        account = account.alias(after=after).filter(after__gte=0)
    return account.update(balance=after) == 1


def _rounded(balance: CombinedExpression) -> Round:
    # SQLite adds amounts as binary fractions; rounding gives whole cents.
    return Round(balance, precision=2)
