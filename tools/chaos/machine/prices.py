"""What orders cost by the model: whole cents, worked out without the shop's own rules.

See docs/product.md#promotions, docs/product.md#vouchers, docs/guarantees/money.md#money.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from core.errors import Err

KINDS = ("price", "percent", "buy_get", "gift", "bundle")


def dollars(cents: int) -> Decimal:
    """Write cents as dollars."""
    return Decimal(cents).scaleb(-2)


@dataclass(frozen=True)
class Line:
    """Units of a product in an order, the price of one, what is taken off all of them and what points pay."""

    product: int
    units: int
    price: int
    is_taxed: bool
    discount: int = 0
    points: int = 0
    is_promoted: bool = False
    is_gift: bool = False

    @property
    def total(self) -> int:
        """What all units cost."""
        return self.price * self.units - self.discount

    @property
    def in_money(self) -> int:
        """What of that is paid in money."""
        return self.total - self.points

    @property
    def gst(self) -> int:
        """The eleventh of the money that is tax, half cents up."""
        return (2 * self.in_money + 11) // 22 if self.is_taxed else 0

    @property
    def facts(self) -> tuple[Any, ...]:
        """What the shop stores and previews of it."""
        cents = (self.price, self.discount, self.points, self.gst)
        return (self.product, self.units, *map(dollars, cents), self.is_promoted)


@dataclass
class Item:
    """A product of the promotion: its own price, how many a bundle or a gift has; limits, 0 for none."""

    price: int
    units: int
    quota: int
    limit: int


@dataclass
class Promotion:
    """What a promotion of one of the kinds does; `gift`: the product that is the gift while it has one."""

    items: dict[int, Item]
    gift: int
    ends_at: datetime
    kind: str = "price"
    percent_off: int = 15
    buy_units: int = 2
    free_units: int = 1
    gift_from: int = 1000
    bundle_price: int = 2800

    @property
    def products(self) -> set[int]:
        """The products that can be bought in it."""
        return set(self.items) - ({self.gift} if self.kind == "gift" else set())

    def lines(self, bought: Mapping[int, int], prices: Mapping[int, int], taxed: set[int]) -> list[Line]:
        """Price products that are bought in it, by their ordinary prices; without the gift."""
        lines = [
            Line(pk, units, self._price(pk, prices[pk]), pk in taxed, is_promoted=True)
            for pk, units in bought.items()
        ]
        if self.kind == "buy_get":
            together = self.buy_units + self.free_units
            return [
                replace(line, discount=line.price * (line.units // together * self.free_units))
                for line in lines
            ]
        return self._bundled(lines) if self.kind == "bundle" else lines

    def _price(self, product: int, ordinary: int) -> int:
        if self.kind == "percent":
            return max(1, (ordinary * (100 - self.percent_off) + 50) // 100)
        return min(ordinary, self.items[product].price) if self.kind == "price" else ordinary

    def _bundled(self, lines: Sequence[Line]) -> list[Line]:
        by_product = {line.product: line for line in lines}
        if by_product.keys() != self.items.keys():
            return list(lines)
        bundles = min(by_product[pk].units // item.units for pk, item in self.items.items())
        alone = {pk: by_product[pk].price * item.units * bundles for pk, item in self.items.items()}
        saved = max(0, sum(alone.values()) - bundles * self.bundle_price)
        off = spread(saved, alone)
        return [replace(line, discount=off[line.product]) for line in lines]

    def earns_gift(self, lines: Sequence[Line]) -> bool:
        """Return True if what is bought in it comes with the gift."""
        return self.kind == "gift" and bool(lines) and sum(line.total for line in lines) >= self.gift_from


@dataclass
class Voucher:
    """What a voucher takes off: `value` in cents or hundredths of a per cent; `products`: those it is for."""

    products: set[int]
    value: int
    is_percent: bool = False
    from_amount: int = 0
    total_limit: int = 0
    customer_limit: int = 0
    is_for_first_orders: bool = False
    is_active: bool = True
    ends_at: datetime = field(kw_only=True)

    def refusal(self, lines: Sequence[Line]) -> Err | None:
        """Return why it is not for these lines; None if it is."""
        amount = sum(self._covered(lines).values())
        if not amount:
            return Err.voucher_not_for_these
        return Err.voucher_amount_short if amount < self.from_amount else None

    def taken_off(self, lines: Sequence[Line]) -> list[Line]:
        """Take it off the lines that it is for; a cent of all is left to pay."""
        covered = self._covered(lines)
        amount = sum(covered.values())
        off = (amount * self.value + 5000) // 10000 if self.is_percent else min(self.value, amount)
        shares = spread(min(off, sum(line.total for line in lines) - 1), covered)
        return [
            replace(line, discount=line.discount + shares.get(place, 0)) for place, line in enumerate(lines)
        ]

    def _covered(self, lines: Sequence[Line]) -> dict[int, int]:
        return {place: line.total for place, line in enumerate(lines) if line.product in self.products}


@dataclass
class Freight:
    """What sending costs from a day on: the first kilogram, each further 500 g, free from an amount."""

    valid_from: date
    first: int
    step: int = 250
    free_from: int | None = None

    def price(self, grams: int, amount: int) -> int:
        """Return what a parcel costs whose products cost an amount."""
        if self.free_from is not None and amount >= self.free_from:
            return 0
        return self.first + -(-max(0, grams - 1000) // 500) * self.step


def paid_with_points(lines: Sequence[Line], cents: int) -> list[Line]:
    """Let points pay some cents of lines, by what each costs."""
    paid = spread(cents, {place: line.total for place, line in enumerate(lines)})
    return [replace(line, points=paid[place]) for place, line in enumerate(lines)]


def freight_gst(lines: Sequence[Line], freight: int) -> int:
    """Return the tax in what sending lines costs, half cents up: of as much of it as the lines are taxed."""
    costs = [line.in_money for line in lines]
    if not any(costs):
        costs = [line.total for line in lines]
    taxed = sum(cost for cost, line in zip(costs, lines, strict=True) if line.is_taxed)
    return half_up(freight * taxed, 11 * sum(costs))


def half_up(numerator: int, denominator: int) -> int:
    """Divide and round halves up; nothing by nothing is nothing."""
    return (2 * numerator + denominator) // (2 * denominator) if denominator else 0


def spread(amount: int, parts: Mapping[int, int]) -> dict[int, int]:
    """Spread cents over parts by what each costs; what is left of them goes to the largest remainders."""
    whole = sum(parts.values()) or 1
    shares = {key: amount * cost // whole for key, cost in parts.items()}
    by_remainder = sorted(parts, key=lambda key: -(amount * parts[key] % whole))
    for key in by_remainder[: amount - sum(shares.values())]:
        shares[key] += 1
    return shares
