"""The only writer of balances, by conditional UPDATEs and immutable entries.

See docs/guarantees/money.md#wallet-and-points.
"""

from decimal import Decimal

from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.services import lock_customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from core.errors import Err, ShopError
from core.money import ZERO
from core.prepared import PreparedQuery
from core.transactions import in_callers_transaction

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason

# Reasons that take back earned points; only these may make a balance negative.
_TAKING_BACK = frozenset({Reason.chargeback, Reason.returned, Reason.canceled})
# More than any balance, so that the condition is always true.
_ANY_DEBT = 10**11

_ACCOUNTS, _ENTRIES = LedgerAccount._meta.db_table, LedgerEntry._meta.db_table
# SQLite adds amounts as binary fractions; rounding gives whole cents.
_AFTER = "ROUND(balance + %s, 2)"
_MOVE = PreparedQuery(
    f"UPDATE {_ACCOUNTS} SET balance = {_AFTER} WHERE customer_id = %s AND kind = %s"  # noqa: S608  names of tables
    f" AND {_AFTER} + %s >= 0 RETURNING id, balance",
    [None, LedgerAccount._meta.get_field("balance")],
)
_WRITE_ONCE = PreparedQuery(
    f"INSERT INTO {_ENTRIES} (account_id, amount, balance, reason, reference, created_at)"  # noqa: S608
    " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (account_id, reason, reference) DO NOTHING RETURNING id",
    [None],
)


def balance_of(*, customer: Customer, kind: LedgerAccount.Kind) -> Decimal:
    """Return a customer's balance: dollars in the wallet, or points."""
    head = LedgerAccount.objects.filter(customer=customer, kind=kind).values_list("balance", flat=True)
    return head.first() or ZERO


def lock_ledger(customer: Customer) -> None:
    """Lock a customer's wallet, points and debt by pk, then the customer's row, until the transaction ends.

    The deletion of an account takes the same locks, so it and the caller see each other's changes.
    Raises ShopError(login_invalid) if the account is deleted.
    """
    list(LedgerAccount.objects.select_for_update(no_key=True).filter(customer=customer).order_by("pk"))
    lock_customer(customer)


@in_callers_transaction
def post(
    *,
    customer: Customer,
    kind: LedgerAccount.Kind,
    amount: Decimal,
    reason: LedgerEntry.Reason,
    reference: str,
) -> LedgerEntry:
    """Change a balance once for each (account, reason, reference); a repeat returns the first entry.

    What a wallet gets first settles the customer's debt. `amount`: dollars or points; negative amounts are
    subtracted. Locks: the account's row; for money into a wallet then the debt's row. Raises
    ShopError(balance_insufficient) if a wallet or a debt would go below zero. Raises points_insufficient if
    points would, except when earned points are taken back.
    """
    written = LedgerEntry.objects.filter(
        account__customer=customer, account__kind=kind, reason=reason, reference=reference
    )
    may_owe = kind == Kind.points and (amount > 0 or reason in _TAKING_BACK)
    moved = _move(customer, kind, amount, may_owe=may_owe)
    if not moved:
        # The account does not exist yet, or the balance is too low, perhaps after a duplicate of this call.
        LedgerAccount.objects.get_or_create(customer=customer, kind=kind)
        moved = _move(customer, kind, amount, may_owe=may_owe)
    if not moved:
        entry = written.first()
        if entry is None:
            raise ShopError(Err.points_insufficient if kind == Kind.points else Err.balance_insufficient)
        return entry
    # From here on the account's row is locked, so a duplicate call cannot write its entry.
    account_id, balance = moved
    now = timezone.now()
    new = _WRITE_ONCE.rows(account_id, amount, balance, reason.value, reference, now)
    if not new:
        LedgerAccount.objects.filter(pk=account_id).update(balance=balance - amount)
        return written.get()
    if kind == Kind.wallet and amount > ZERO:
        settle_debt(customer=customer, reference=reference)
    return LedgerEntry(
        id=new[0][0],
        account_id=account_id,
        amount=amount,
        balance=balance,
        reason=reason,
        reference=reference,
        created_at=now,
    )


@in_callers_transaction
def settle_debt(*, customer: Customer, reference: str) -> None:
    """Pay a customer's debt from the wallet, as far as the wallet has the money.

    The wallet's row must be locked. `reference`: of what changed the wallet or the debt. Locks: the debt's
    row.
    """
    accounts = LedgerAccount.objects.filter(customer=customer)
    owed = accounts.select_for_update(no_key=True).filter(kind=Kind.debt, balance__gt=0).first()
    if owed is None:
        return
    amount = min(owed.balance, balance_of(customer=customer, kind=Kind.wallet))
    if amount > ZERO:
        for kind in (Kind.wallet, Kind.debt):
            post(
                customer=customer,
                kind=kind,
                amount=-amount,
                reason=Reason.chargeback,
                reference=reference,
            )


def _move(
    customer: Customer, kind: LedgerAccount.Kind, amount: Decimal, *, may_owe: bool
) -> tuple[int, Decimal] | None:
    """Change a balance; return the account's id and the new balance, None if nothing changed."""
    rows = _MOVE.rows(amount, customer.pk, kind.value, amount, _ANY_DEBT if may_owe else 0)
    return (rows[0][0], rows[0][1]) if rows else None
