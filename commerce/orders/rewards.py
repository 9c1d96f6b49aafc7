"""Computes a customer's points and level, and the spend for the next level (docs/wire.md#userrewards)."""

from dataclasses import dataclass
from decimal import Decimal

from catalog.goods.models import LevelPrice
from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.services import levels_by_spend
from commerce.ledger.models import LedgerAccount
from commerce.ledger.services import balance_of
from commerce.orders.levels import spent_in_a_year
from commerce.orders.points import pending_points
from core.money import ZERO


@dataclass(frozen=True)
class Rewards:
    """A customer's points and level, and the next level.

    `points`: the balance; `pending`: points that paid orders will earn; `spent`: for products in the last 365
    days, in dollars; `missing`: further spend for the next level, in dollars, 0 if the nightly job will set
    it; `is_fixed`: True if staff have fixed the level.
    """

    points: int
    pending: int
    level: MemberLevel
    has_member_prices: bool
    is_fixed: bool
    spent: Decimal
    next_level: MemberLevel | None
    missing: Decimal


def rewards_of(customer: Customer) -> Rewards:
    """Return a customer's current points and level; six queries."""
    level = customer.level
    spent = spent_in_a_year([customer.pk]).get(customer.pk, ZERO)
    next_level = None if customer.fixed_level_id else _next_level(level)
    from_spend = next_level.yearly_spend if next_level else None
    return Rewards(
        points=int(balance_of(customer=customer, kind=LedgerAccount.Kind.points)),
        pending=pending_points(customer),
        level=level,
        has_member_prices=LevelPrice.objects.filter(level=level.number).exists(),
        is_fixed=customer.fixed_level_id is not None,
        spent=spent,
        next_level=next_level,
        missing=max((from_spend or ZERO) - spent, ZERO),
    )


def _next_level(level: MemberLevel) -> MemberLevel | None:
    """Return the first level with a higher minimum spend; None for the last level."""
    higher = (
        each for each in levels_by_spend() if (each.yearly_spend or ZERO) > (level.yearly_spend or ZERO)
    )
    return next(higher, None)
