"""Sets member levels by customers' yearly spend (docs/guarantees/money.md#member-levels)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal

from catalog.goods.models import BASE_LEVEL
from commerce.accounts.models import Customer, MemberLevel
from core.money import ZERO


def levels_by_spend() -> list[MemberLevel]:
    """Return the levels that have a minimum yearly spend, lowest spend first; one query."""
    levels = MemberLevel.objects.exclude(pk=BASE_LEVEL).filter(yearly_spend__isnull=False)
    return list(levels.order_by("yearly_spend", "number"))


def rate_of_points(number: int) -> Decimal:
    """Return the points per dollar of a level; one query."""
    rates = MemberLevel.objects.filter(pk=number).values_list("points_rate", flat=True)
    return rates.first() or ZERO


def level_for(spent: Decimal, levels: Iterable[MemberLevel]) -> int:
    """Return the number of the level for a yearly spend.

    `spent`: in AUD; `levels`: as `levels_by_spend` returns them.
    """
    number = BASE_LEVEL
    for level in levels:
        if level.yearly_spend is not None and spent >= level.yearly_spend:
            number = level.number
    return number


def change_levels(levels_by_customer: Mapping[int, int]) -> int:
    """Set the levels that customers have earned; return the number of changed customers.

    Levels that staff have fixed do not change. `levels_by_customer`: customer id → level number.
    One statement per level. Locks: the customers whose level changes.
    """
    customers_by_level: defaultdict[int, list[int]] = defaultdict(list)
    for customer_id, number in levels_by_customer.items():
        customers_by_level[number].append(customer_id)
    return sum(
        Customer.objects.filter(pk__in=ids, fixed_level=None).exclude(level=number).update(level=number)
        for number, ids in sorted(customers_by_level.items())
    )
