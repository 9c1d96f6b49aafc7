"""The only writer of balances: conditional UPDATEs and entries that are never changed.

See docs/guarantees.md#wallet-and-points.
"""

from decimal import Decimal

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Round

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from core.errors import Err, ShopError
from core.money import ZERO


def balance_of(*, customer: Customer, kind: LedgerAccount.Kind) -> Decimal:
    """Return what a customer has: dollars in the wallet, or points."""
    head = LedgerAccount.objects.filter(customer=customer, kind=kind).values_list("balance", flat=True)
    return head.first() or ZERO


@transaction.atomic
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
    Raises ShopError(balance_insufficient) where a wallet would go below zero; then nothing has changed.
    """
    account, _ = LedgerAccount.objects.get_or_create(customer=customer, kind=kind)
    same = LedgerEntry.objects.filter(account=account, reason=reason, reference=reference)
    entry = same.first()
    if entry is not None:
        return entry
    try:
        # A savepoint: a twin that wrote its entry meanwhile undoes this change of the balance.
        with transaction.atomic():
            return _move(account, amount, reason, reference)
    except (IntegrityError, ShopError):
        # The twin may also have taken the money that is missing now.
        entry = same.first()
        if entry is None:
            raise
        return entry


def _move(account: LedgerAccount, amount: Decimal, reason: LedgerEntry.Reason, reference: str) -> LedgerEntry:
    # SQLite adds amounts as binary fractions; rounding gives whole cents.
    after = Round(F("balance") + amount, precision=2)
    head: QuerySet[LedgerAccount] = LedgerAccount.objects.filter(pk=account.pk)
    if account.kind == LedgerAccount.Kind.wallet:
        head = head.alias(after=after).filter(after__gte=0)
    if not head.update(balance=after):
        raise ShopError(Err.balance_insufficient)
    account.refresh_from_db(fields=["balance"])
    return LedgerEntry.objects.create(
        account=account, amount=amount, balance=account.balance, reason=reason, reference=reference
    )
