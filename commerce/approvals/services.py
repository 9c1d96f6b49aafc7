"""Limits what one member of staff moves alone, and lets a second one approve more.

See docs/guarantees/money.md#second-approval.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Case, DecimalField, F, QuerySet, Value, When
from django.utils import timezone
from wagtail import hooks

from commerce.approvals.models import Approval, StaffTotal
from core.audit import cents
from core.clock import shop_zone
from core.due_rows import delete_in_batches
from core.errors import Err, ShopError
from core.money import ZERO
from core.transactions import in_callers_transaction, in_transaction

# The name of the Wagtail hook for functions that return `Handler`s by kind.
APPROVAL_KINDS = "approval_kinds"
# One day allows as much as this many orders.
ORDERS_A_DAY = 5
# Totals of older orders do not matter any more.
KEPT_FOR = timedelta(days=400)

State = Approval.State


@dataclass(frozen=True)
class Handler:
    """How a kind is carried out, and the permission that its staff need."""

    permission: str
    # Takes the stored values and the member of staff who entered them.
    run: Callable[[Mapping[str, Any], User], object]


@in_callers_transaction
def moves_alone(*, staff: User, subject: str, amount: Decimal) -> bool:
    """Count an amount that a member of staff moves alone; return False, and count nothing, beyond the limit.

    APPROVAL_LIMIT is for one order or customer (`subject`); a day has ORDERS_A_DAY times as much. `amount`:
    dollars; amounts of zero or less are not counted. Call it before the ledger accounts are locked. Locks:
    the two totals.
    """
    if amount <= ZERO:
        return True
    day = f"day {timezone.localdate(timezone=shop_zone())}"
    limit = Decimal(settings.APPROVAL_LIMIT)
    limits = {subject: limit, day: limit * ORDERS_A_DAY}
    StaffTotal.objects.bulk_create(
        [StaffTotal(staff=staff, scope=scope) for scope in sorted(limits)], ignore_conflicts=True
    )
    within = _within(staff, limits, amount)
    with transaction.atomic():
        if within.update(total=cents(F("total") + amount)) == len(limits):
            return True
        transaction.set_rollback(True)
    return False


def _within(staff: User, limits: Mapping[str, Decimal], amount: Decimal) -> QuerySet[StaffTotal]:
    """Return the totals to which an amount can be added within their limits."""
    most = Case(
        *(When(scope=scope, then=Value(limit - amount)) for scope, limit in limits.items()),
        output_field=DecimalField(),
    )
    return StaffTotal.objects.filter(staff=staff, scope__in=limits, total__lte=cents(most))


def subject_of_customer(customer_id: int) -> str:
    """Return the subject of a customer's money in the totals of staff."""
    return f"customer {customer_id}"


@in_callers_transaction
def check_alone(*, staff: User, subject: str, amount: Decimal, is_approved: bool) -> None:
    """Count as `moves_alone` unless a second person has approved; raises ShopError(second_person_needed)."""
    if not is_approved and not moves_alone(staff=staff, subject=subject, amount=amount):
        raise ShopError(Err.second_person_needed)


def ask_approval(
    *,
    kind: Approval.Kind,
    subject: str,
    path: str,
    amount: Decimal,
    values: Mapping[str, Any],
    note: str,
    staff: User,
) -> Approval:
    """Store a movement of money until a second member of staff decides.

    `path`: of the subject's page. `values`: what the kind's handler reads. Raises ShopError(approval_waits)
    if another one of the same kind and subject waits.
    """
    try:
        with transaction.atomic():
            return Approval.objects.create(
                kind=kind,
                subject=subject[:300],
                path=path,
                amount=amount,
                values=dict(values),
                note=note[:200],
                asked_by=staff,
            )
    except IntegrityError:
        raise ShopError(Err.approval_waits) from None


def handler_of(approval: Approval) -> Handler:
    """Return the handler of an approval's kind."""
    handlers: dict[str, Handler] = {}
    for kinds in hooks.get_hooks(APPROVAL_KINDS):
        handlers |= kinds()
    return handlers[approval.kind]


def may_decide(user: object, approval: Approval) -> bool:
    """Return True if a user has the permission for what an approval does."""
    return isinstance(user, User) and user.has_perm(handler_of(approval).permission)


@in_transaction
def approve(*, approval: Approval, staff: User) -> None:
    """Carry out what a colleague has entered, once.

    Locks: the approval's row, then as its service. Raises ShopError(approval_decided) if it does not wait any
    more; approval_by_same for the person who entered it; approval_by_former if that person has lost the
    permission since; and as its service does, which leaves it waiting.
    """
    if approval.asked_by_id == staff.pk:
        raise ShopError(Err.approval_by_same)
    author = User.objects.get(pk=approval.asked_by_id)
    # `has_perm` is False for a deactivated account.
    if not may_decide(author, approval):
        raise ShopError(Err.approval_by_former)
    _decide(approval, State.approved, staff)
    handler_of(approval).run(approval.values, author)


def decline(*, approval: Approval, staff: User) -> None:
    """Decline, or withdraw, what waits for a second person; raises ShopError(approval_decided)."""
    _decide(approval, State.declined, staff)


def _decide(approval: Approval, state: Approval.State, staff: User) -> None:
    waiting = Approval.objects.filter(pk=approval.pk, state=State.waiting)
    if not waiting.update(state=state, decided_by=staff, decided_at=timezone.now()):
        raise ShopError(Err.approval_decided)


def delete_old_totals() -> int:
    """Delete the totals that limit nothing any more; return their number."""
    old = StaffTotal.objects.filter(created_at__lt=timezone.now() - KEPT_FOR)
    return delete_in_batches(old)
