"""Points that orders earn and spend and that staff adjust (docs/guarantees/money.md#wallet-and-points)."""

from decimal import Decimal

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, Value, When
from django.db.models.functions import StrIndex, Substr

from commerce.accounts.models import Customer
from commerce.approvals.services import check_alone, subject_of_customer
from commerce.ledger.models import LedgerAccount, LedgerEntry, PointsAdjustment
from commerce.ledger.services import post
from core.errors import Err, ShopError
from core.money import CENT, ZERO, aud

# Separates an order's number from the detail that distinguishes its entries with the same reason.
_SEPARATOR = ":"
# The order number in an entry's reference.
ORDER_OF_ENTRY = Case(
    When(
        reference__contains=_SEPARATOR,
        then=Substr("reference", 1, StrIndex("reference", Value(_SEPARATOR)) - 1),
    ),
    default=F("reference"),
)
# Limits the effect of a typing error.
MAX_ADJUSTMENT = 1_000_000


def points_earned(*, rate: Decimal, paid: Decimal) -> int:
    """Return the points for paid products, rounded down; `rate`: points per dollar, `paid`: dollars."""
    return int(rate * max(paid, ZERO))


def points_worth(points: int) -> Decimal:
    """Return the value of points, in dollars.

    Raises ShopError(points_unusable) if points are worth nothing, or not a whole number of cents.
    """
    per_dollar: int = settings.POINTS_PER_DOLLAR
    if points < 0 or not per_dollar or points * 100 % per_dollar:
        raise ShopError(Err.points_unusable, fields={"points": Err.points_unusable.name})
    return points * 100 // per_dollar * CENT


def dollars_of(points: int) -> Decimal:
    """Return the rounded value of any number of points; zero if points are worth nothing."""
    per_dollar: int = settings.POINTS_PER_DOLLAR
    return aud(Decimal(points) / per_dollar) if per_dollar else ZERO


def most_points(*, balance: Decimal, dollars: Decimal) -> int:
    """Return the maximum points that can pay towards an amount; `balance`: the customer's points."""
    per_dollar: int = settings.POINTS_PER_DOLLAR
    if not per_dollar:
        return 0
    cents = min(int(balance) * 100 // per_dollar, int(aud(dollars) / CENT))
    # Find the largest number of cents that is worth a whole number of points.
    while cents > 0 and cents * per_dollar % 100:
        cents -= 1
    return max(cents, 0) * per_dollar // 100


def post_points(
    *, customer: Customer, points: int, reason: LedgerEntry.Reason, order_no: str, detail: str = ""
) -> LedgerEntry:
    """Add or subtract an order's points, once for each reason and `detail`; raises and locks as `post`."""
    return post(
        customer=customer,
        kind=LedgerAccount.Kind.points,
        amount=Decimal(points),
        reason=reason,
        reference=order_reference(order_no, detail),
    )


def order_reference(order_no: str, detail: str = "") -> str:
    """Return the reference of an order's entry; `detail`: distinguishes entries with the same reason."""
    return f"{order_no}{_SEPARATOR}{detail}" if detail else order_no


def order_no_of(reference: str) -> str:
    """Return the order number in an entry's reference."""
    return reference.partition(_SEPARATOR)[0]


@transaction.atomic
def adjust_points(
    *, customer: Customer, points: int, staff: User, note: str, seen: int, is_approved: bool = False
) -> PointsAdjustment:
    """Add points manually and record author and reason; negative `points` are removed.

    `seen`: the customer's number of adjustments on the staff page, so that a repeated form adjusts once.
    `is_approved`: True if a second person has approved added points. Locks: the staff's totals, then the
    account's row. Raises ShopError(note_missing), points_unusable for zero or too many points,
    second_person_needed for points that are worth more than one person may add, points_adjusted if that
    number has changed, points_insufficient if the balance would go below zero.
    """
    note = note.strip()
    if not note:
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    if not 0 < abs(points) <= MAX_ADJUSTMENT:
        raise ShopError(Err.points_unusable, fields={"points": Err.points_unusable.name})
    subject, worth = subject_of_customer(customer.pk), dollars_of(points)
    check_alone(staff=staff, subject=subject, amount=worth, is_approved=is_approved)
    account, _ = LedgerAccount.objects.get_or_create(customer=customer, kind=LedgerAccount.Kind.points)
    LedgerAccount.objects.select_for_update(no_key=True).get(pk=account.pk)
    if customer.points_adjustments.count() != seen:
        raise ShopError(Err.points_adjusted)
    adjustment = PointsAdjustment.objects.create(customer=customer, points=points, note=note, staff=staff)
    post(
        customer=customer,
        kind=LedgerAccount.Kind.points,
        amount=Decimal(points),
        reason=LedgerEntry.Reason.adjustment,
        reference=f"A{adjustment.pk}",
    )
    return adjustment
