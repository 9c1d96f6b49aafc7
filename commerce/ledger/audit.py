"""The rules of wallets and points that the audit checks (docs/guarantees.md#wallet-and-points)."""

from collections.abc import Iterator
from decimal import Decimal

from django.db.models import F, Sum
from django.db.models.functions import Coalesce

from commerce.ledger.models import LedgerAccount
from core.money import ZERO, aud


def differences() -> Iterator[str]:
    """Name each account whose balance is not the sum of its entries, and each wallet that owes."""
    accounts = LedgerAccount.objects.annotate(total=Coalesce(Sum("entries__amount"), ZERO))
    # SQLite adds amounts as binary fractions, so the exact comparison is made here.
    for account in accounts.exclude(balance=F("total"), balance__gte=ZERO).iterator():
        total: Decimal = aud(account.total)
        if account.balance != total or (account.balance < 0 and account.kind == LedgerAccount.Kind.wallet):
            yield f"ledger account {account.pk}: balance {account.balance}, entries {total}"
