"""Splits exports into orders that stay within the limits of customs (docs/freight.md#export)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal

from catalog.goods.listed import CartProduct
from core.money import ZERO

# Unit values are rounded down to this, so that their sum never exceeds the value of all units.
_EXACT = Decimal("0.000001")


@dataclass(frozen=True)
class Exported:
    """Units of one product that go abroad; `value`: of all units, in dollars.

    `categories`: keys of its category and of the parent category.
    """

    product: CartProduct
    units: int
    value: Decimal
    categories: frozenset[int] = frozenset()

    @property
    def unit_value(self) -> Decimal:
        """The value of one unit, in dollars, rounded down."""
        return (self.value / self.units).quantize(_EXACT, rounding=ROUND_DOWN)


@dataclass(frozen=True)
class Limit:
    """The maximum of one order in units, in dollars, or both; for one category, or for all products."""

    category: int | None
    max_units: int | None
    max_value: Decimal | None

    def covers(self, item: Exported) -> bool:
        """Return True if the limit applies to a product."""
        return self.category is None or self.category in item.categories

    def sums(self, items: Iterable[Exported]) -> tuple[int, Decimal]:
        """Return the total units and dollars of the products that the limit applies to."""
        counted = [item for item in items if self.covers(item)]
        return sum(item.units for item in counted), sum((item.value for item in counted), ZERO)

    def is_kept(self, items: Iterable[Exported]) -> bool:
        """Return True if an order of items is within the limit; a single unit may have any value."""
        items = list(items)
        units, value = self.sums(items)
        if self.max_units is not None and units > self.max_units:
            return False
        return self.max_value is None or value <= self.max_value or sum(item.units for item in items) == 1


@dataclass
class _Part:
    """One order of the split: the rest of each limit, and its units by product id."""

    units_left: list[int | None]
    value_left: list[Decimal | None]
    units: dict[int, int] = field(default_factory=dict)
    is_closed: bool = False


def split(items: Sequence[Exported], limits: Sequence[Limit]) -> list[dict[int, int]]:
    """Split items into orders that are within every limit, each as product id → units.

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
            # A unit whose value exceeds a limit is an order of its own.
            rest -= _put(part, item, rest, limits) or _put_alone(part, item)
    return [part.units for part in parts]


def _put(part: _Part, item: Exported, most: int, limits: Sequence[Limit]) -> int:
    """Put as many units of an item into a part as fit; return their number."""
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
