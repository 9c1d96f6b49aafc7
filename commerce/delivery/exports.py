"""Splits what goes abroad into orders that keep to what customs let in (docs/freight.md#export)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal

from catalog.goods.listed import CartProduct
from core.money import ZERO

# Finer than a cent, so that the units of a product never cost more together than they did.
_EXACT = Decimal("0.000001")


@dataclass(frozen=True)
class Exported:
    """Units of one product that go abroad; `value`: what all of them cost, in dollars.

    `categories`: keys of its category and of the one above.
    """

    product: CartProduct
    units: int
    value: Decimal
    categories: frozenset[int] = frozenset()

    @property
    def unit_value(self) -> Decimal:
        """What one of them costs, in dollars, rounded down."""
        return (self.value / self.units).quantize(_EXACT, rounding=ROUND_DOWN)


@dataclass(frozen=True)
class Limit:
    """The most of one order: units, dollars, or both; of one category, or of everything."""

    category: int | None
    max_units: int | None
    max_value: Decimal | None

    def covers(self, item: Exported) -> bool:
        """Return whether it counts a product."""
        return self.category is None or self.category in item.categories

    def sums(self, items: Iterable[Exported]) -> tuple[int, Decimal]:
        """Add up the units and dollars that it counts."""
        counted = [item for item in items if self.covers(item)]
        return sum(item.units for item in counted), sum((item.value for item in counted), ZERO)

    def is_kept(self, items: Iterable[Exported]) -> bool:
        """Return whether an order of items keeps to it; customs let a single unit in, whatever it costs."""
        items = list(items)
        units, value = self.sums(items)
        if self.max_units is not None and units > self.max_units:
            return False
        return self.max_value is None or value <= self.max_value or sum(item.units for item in items) == 1


@dataclass
class _Part:
    """One order of the split: how much of each limit is left, and what is in it by the product's id."""

    units_left: list[int | None]
    value_left: list[Decimal | None]
    units: dict[int, int] = field(default_factory=dict)
    is_closed: bool = False


def split(items: Sequence[Exported], limits: Sequence[Limit]) -> list[dict[int, int]]:
    """Split items into orders that keep to every limit, each as product id → units.

    Each product goes into the first orders that have room for it.
    """
    parts: list[_Part] = []
    for item in items:
        rest = item.units
        for part in parts:
            rest -= _put(part, item, rest, limits)
        while rest:
            part = _Part([limit.max_units for limit in limits], [limit.max_value for limit in limits])
            parts.append(part)
            # A unit that is worth more than any order may be goes alone.
            rest -= _put(part, item, rest, limits) or _put_alone(part, item)
    return [part.units for part in parts]


def _put(part: _Part, item: Exported, most: int, limits: Sequence[Limit]) -> int:
    """Put as many units of an item into a part as it has room for; returns how many."""
    unit_value = item.unit_value
    covering = [place for place, limit in enumerate(limits) if limit.covers(item)]
    room = 0 if part.is_closed else most
    for place in covering:
        units, value = part.units_left[place], part.value_left[place]
        if units is not None:
            room = min(room, units)
        if value is not None and unit_value:
            room = min(room, int(value // unit_value))
    if room <= 0:
        return 0
    for place in covering:
        units, value = part.units_left[place], part.value_left[place]
        part.units_left[place] = None if units is None else units - room
        part.value_left[place] = None if value is None else value - unit_value * room
    part.units[item.product.id] = room
    return room


def _put_alone(part: _Part, item: Exported) -> int:
    """Put one unit into a part and close it."""
    part.is_closed = True
    part.units[item.product.id] = 1
    return 1
