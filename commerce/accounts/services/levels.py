"""Member levels by what customers spend (docs/guarantees/money.md#member-levels)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal

from catalog.goods.models import BASE_LEVEL
from commerce.accounts.models import Customer, MemberLevel
from core.money import ZERO


def levels_by_spend() -> list[MemberLevel]:
    """Return the levels that spending gives, the cheapest first; one query."""
    levels = MemberLevel.objects.exclude(pk=BASE_LEVEL).filter(yearly_spend__isnull=False)
    return list(levels.order_by("yearly_spend", "number"))


def rate_of_points(number: int) -> Decimal:
    """Return how many points the customers of a level earn with a dollar; one query."""
    rates = MemberLevel.objects.filter(pk=number).values_list("points_rate", flat=True)
    return rates.first() or ZERO


def level_for(spent: Decimal, levels: Iterable[MemberLevel]) -> int:
    """Return the number of the level that some dollars in a year give.

    `levels`: as `levels_by_spend` returns them.
    """
    number = BASE_LEVEL
    for level in levels:
        if level.yearly_spend is not None and spent >= level.yearly_spend:
            number = level.number
    return number


def change_levels(levels_by_customer: Mapping[int, int]) -> int:
    """Give customers the levels that they have earned; returns how many have another one now.

    Customers keep a level that staff have given. `levels_by_customer`: a customer's id → the level's number.
    A statement for each level. Locks: the customers whose level changes.
    """
    customers_by_level: defaultdict[int, list[int]] = defaultdict(list)
    for customer_id, number in levels_by_customer.items():
        customers_by_level[number].append(customer_id)
    return sum(
        Customer.objects.filter(pk__in=ids, fixed_level=None).exclude(level=number).update(level=number)
        for number, ids in sorted(customers_by_level.items())
    )
