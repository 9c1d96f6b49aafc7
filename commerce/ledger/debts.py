"""What customers owe after a bank took back money of their wallet (docs/guarantees/money.md#disputes)."""

from decimal import Decimal

from django.contrib.auth.models import User
from django.db import transaction

from commerce.accounts.models import Customer
from commerce.approvals.services import check_alone, subject_of_customer
from commerce.ledger.models import DebtSettlement, LedgerAccount, LedgerEntry
from commerce.ledger.services import balance_of, post, settle_debt
from core.errors import Err, ShopError
from core.money import ZERO
from core.transactions import in_callers_transaction

Kind, Reason = LedgerAccount.Kind, LedgerEntry.Reason


@in_callers_transaction
def owe(*, customer: Customer, amount: Decimal, reference: str) -> None:
    """Add an amount to a customer's debt, once for each `reference`, and settle it from the wallet.

    `amount`: dollars. The customer's accounts must be locked, as `lock_ledger` does.
    """
    post(customer=customer, kind=Kind.debt, amount=amount, reason=Reason.dispute, reference=reference)
    settle_debt(customer=customer, reference=reference)


@in_callers_transaction
def cancel_debt(
    *, customer: Customer, amount: Decimal, reference: str, has_wallet: bool, settled_by_staff: Decimal
) -> Decimal:
    """Undo `owe`: reduce the debt, and return to the wallet what the wallet has paid of it.

    Returns the dollars that the wallet does not get: staff settled them, or the account is deleted and has no
    wallet. Staff decide whether the customer gets them. `amount`, `reference`: as for `owe`. `has_wallet`:
    False for a deleted account. `settled_by_staff`: dollars of all the customer's debts that staff settled,
    without what an earlier call has returned. The customer's accounts must be locked, as `lock_ledger` does.
    """
    reason = Reason.dispute_over
    open_part = min(amount, balance_of(customer=customer, kind=Kind.debt))
    if open_part > ZERO:
        post(customer=customer, kind=Kind.debt, amount=-open_part, reason=reason, reference=reference)
    settled = amount - open_part
    not_of_wallet = min(settled, settled_by_staff) if has_wallet else settled
    if returned := settled - not_of_wallet:
        post(customer=customer, kind=Kind.wallet, amount=returned, reason=reason, reference=reference)
    return not_of_wallet


@transaction.atomic
def record_debt_settlement(
    *,
    customer: Customer,
    amount: Decimal,
    staff: User,
    note: str,
    seen: Decimal,
    is_approved: bool = False,
) -> DebtSettlement:
    """Record that a customer has paid a debt in another way, or that the shop gives it up.

    `amount`: dollars, at most the debt. `seen`: the debt on the staff page, so that a repeated form records
    one settlement. `is_approved`: a second person has approved it. Locks: the totals of the person, then the
    debt's row. Raises ShopError(note_missing), parameter_error for an amount that is not between a cent and
    the debt, second_person_needed, debt_moved if the debt has changed.
    """
    note = note.strip()
    if not note:
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    # An amount that can never be recorded must not wait for a second person.
    if not ZERO < amount <= seen:
        raise ShopError(Err.parameter_error, fields={"amount": Err.parameter_error.name})
    subject = subject_of_customer(customer.pk)
    check_alone(staff=staff, subject=subject, amount=amount, is_approved=is_approved)
    debt = LedgerAccount.objects.select_for_update(no_key=True).filter(customer=customer, kind=Kind.debt)
    owed = debt.values_list("balance", flat=True).first() or ZERO
    if owed != seen:
        raise ShopError(Err.debt_moved)
    settlement = DebtSettlement.objects.create(customer=customer, amount=amount, note=note, staff=staff)
    post(
        customer=customer,
        kind=Kind.debt,
        amount=-amount,
        reason=Reason.adjustment,
        reference=f"D{settlement.pk}",
    )
    return settlement
