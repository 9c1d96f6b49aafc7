"""Unit prices under Australia's Unit Pricing Code, for everything that shows a price.

Competition and Consumer (Industry Codes—Unit Pricing) Regulations 2021: per 100 g, 100 mL or item.
`Category.unit_rule` selects another measure for some kinds of products.
"""

import re
from decimal import Decimal
from functools import lru_cache

from catalog.goods.models import Category, UnitMeasure
from core.money import aud

# From this many items on, the unit price is per hundred.
MANY = 41

_MEASURED = re.compile(r"(\d+(?:\.\d+)?) ?(kg|g|mL|L)\b(?: x (\d+))?")
_ABOUT = re.compile(r"(approx|up to) .*|\d+-\d+ kg")
_COUNTED = re.compile(r"(\d+) (?!(?:ply|cm|mm|x|kg|g|mL|L)\b)[a-z]+")
_GRAMS = {"kg": Decimal(1000), "g": Decimal(1)}
_MILLILITRES = {"L": Decimal(1000), "mL": Decimal(1)}


def unit_price(pack: str, rule: str, price: Decimal) -> tuple[Decimal, UnitMeasure] | None:
    """Return the unit price in dollars and its measure; None for products that need none.

    `pack`: as printed on the card. `rule`: the rule of the category. `price`: of one pack, in dollars.
    """
    if rule == Category.UnitRule.exempt:
        return None
    amount, measure = _content(pack, rule)
    return aud(price / amount), measure


def unit_rule(category: Category) -> str:
    """Return the unit rule of a category, which may come from its parent; the parent is loaded."""
    rule = category.unit_rule
    if rule == Category.UnitRule.inherited and category.parent:
        rule = category.parent.unit_rule
    return rule


@lru_cache(5_000)
def _content(pack: str, rule: str) -> tuple[Decimal, UnitMeasure]:
    """Return the number of measures in a pack, and the measure."""
    sure = _ABOUT.sub("", pack)
    measured = _MEASURED.search(sure)
    if measured and rule != Category.UnitRule.number:
        size, unit, times = Decimal(measured[1]), measured[2], Decimal(measured[3] or 1)
        if size * times:
            return _measures(size * times, unit, rule)
    counted = _COUNTED.search(sure)
    items = Decimal(counted[1]) if counted else Decimal(1)
    if items >= MANY:
        return items / 100, UnitMeasure.per_100_each
    return max(items, Decimal(1)), UnitMeasure.each


def _measures(size: Decimal, unit: str, rule: str) -> tuple[Decimal, UnitMeasure]:
    if unit in _GRAMS:
        grams = size * _GRAMS[unit]
        if rule == Category.UnitRule.per_kg:
            return grams / 1000, UnitMeasure.per_kg
        return grams / 100, UnitMeasure.per_100g
    millilitres = size * _MILLILITRES[unit]
    if rule == Category.UnitRule.per_litre:
        return millilitres / 1000, UnitMeasure.per_litre
    return millilitres / 100, UnitMeasure.per_100ml
