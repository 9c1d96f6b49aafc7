"""Points: what orders earn and spend, and what staff adjust (docs/guarantees/money.md#wallet-and-points)."""

from decimal import Decimal

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Case, F, Value, When
from django.db.models.functions import StrIndex, Substr

from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerAccount, LedgerEntry, PointsAdjustment
from commerce.ledger.services import post
from core.errors import Err, ShopError
from core.money import CENT, ZERO, aud

# Between an order's number and the detail that distinguishes its entries of one reason.
_SEPARATOR = ":"
# The order that an entry's reference names.
ORDER_OF_ENTRY = Case(
    When(
        reference__contains=_SEPARATOR,
        then=Substr("reference", 1, StrIndex("reference", Value(_SEPARATOR)) - 1),
    ),
    default=F("reference"),
)
# So that one slip of the finger stays small.
MAX_ADJUSTMENT = 1_000_000


def points_earned(*, rate: Decimal, paid: Decimal) -> int:
    """Return the whole points for what was paid for products; `rate`: points per dollar, `paid`: dollars."""
    return int(rate * max(paid, ZERO))


def points_worth(points: int) -> Decimal:
    """Return what points pay, in dollars.

    Raises ShopError(points_unusable) where points pay nothing, and for a number that is no whole cents.
    """
    per_dollar: int = settings.POINTS_PER_DOLLAR
    if points < 0 or not per_dollar or points * 100 % per_dollar:
        raise ShopError(Err.points_unusable, fields={"points": Err.points_unusable.name})
    return points * 100 // per_dollar * CENT


def most_points(*, balance: Decimal, dollars: Decimal) -> int:
    """Return the most points that can pay of some dollars; `balance`: the customer's, in points."""
    per_dollar: int = settings.POINTS_PER_DOLLAR
    if not per_dollar:
        return 0
    cents = min(int(balance) * 100 // per_dollar, int(aud(dollars) / CENT))
    # The largest number of cents that whole points pay.
    while cents > 0 and cents * per_dollar % 100:
        cents -= 1
    return max(cents, 0) * per_dollar // 100


def post_points(
    *, customer: Customer, points: int, reason: LedgerEntry.Reason, order_no: str, detail: str = ""
) -> LedgerEntry:
    """Move points for an order, once for each reason and `detail`. Raises and locks as `post` does."""
    return post(
        customer=customer,
        kind=LedgerAccount.Kind.points,
        amount=Decimal(points),
        reason=reason,
        reference=order_reference(order_no, detail),
    )


def order_reference(order_no: str, detail: str = "") -> str:
    """Return the reference of an order's entry; `detail`: distinguishes several of one reason."""
    return f"{order_no}{_SEPARATOR}{detail}" if detail else order_no


def order_no_of(reference: str) -> str:
    """Return the order that an entry's reference names."""
    return reference.partition(_SEPARATOR)[0]


@transaction.atomic
def adjust_points(*, customer: Customer, points: int, staff: User, note: str, seen: int) -> PointsAdjustment:
    """Give or take points by hand, and note who and why; `points`: negative takes away.

    `seen`: how many adjustments of the customer the page knew, so that one press adjusts once. Locks: the
    account's row. Raises ShopError(note_missing), points_unusable for none or too many, points_adjusted where
    there are more adjustments by now, points_insufficient where the balance would go below zero.
    """
    note = note.strip()
    if not note:
        raise ShopError(Err.note_missing, fields={"note": Err.note_missing.name})
    if not 0 < abs(points) <= MAX_ADJUSTMENT:
        raise ShopError(Err.points_unusable, fields={"points": Err.points_unusable.name})
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
