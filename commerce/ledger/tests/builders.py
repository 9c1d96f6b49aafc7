"""Builders of entries of wallets for tests."""

from decimal import Decimal

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post


def book(
    customer: Customer,
    dollars: Decimal | int | str,
    reference: str = "1",
    reason: LedgerEntry.Reason = LedgerEntry.Reason.recharge,
) -> LedgerEntry:
    """Post dollars to a customer's wallet, by default a top-up."""
    kind, amount = LedgerAccount.Kind.wallet, Decimal(dollars)
    return post(customer=customer, kind=kind, amount=amount, reason=reason, reference=reference)


def points_of(customer: Customer) -> int:
    """Return a customer's points."""
    return int(balance_of(customer=customer, kind=LedgerAccount.Kind.points))
