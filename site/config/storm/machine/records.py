"""What the books note of an order: what was wanted, its code, its lines and its payments."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from config.storm.machine.prices import Line, dollars

UNPAID, PAID, CANCELED = 1, 2, 10


@dataclass(frozen=True)
class Wanted:
    """What an order asks for: units by product at ordinary prices and at the promotion's, from which place.

    `hour`: when it is picked up; None for a delivery. `voucher`: its place in the books, None for none.
    """

    ordinary: Mapping[int, int]
    promoted: Mapping[int, int]
    place: int
    hour: datetime | None
    voucher: int | None = None

    @property
    def units(self) -> Counter[int]:
        """The units of each product, at whichever price."""
        return Counter(self.ordinary) + Counter(self.promoted)


@dataclass
class Code:
    """A code to order with, and what it was used for."""

    buyer: int
    expires_at: datetime
    text: str
    order: "Order | None" = None
    is_deleted: bool = False


@dataclass
class Payment:
    """One attempt to pay, and what the gateway itself knows of it."""

    order: "Order"
    reference: str
    pay_type: str
    amount: Decimal
    begun_at: datetime
    state: str = "pending"
    charge: str = "open"
    collected: tuple[Decimal, str] | None = None
    refund: tuple[Decimal, str, str] | None = None


@dataclass
class Order:
    """One order with what it cost on the day it was made."""

    buyer: int
    wanted: Wanted
    lines: list[Line]
    freight: Decimal
    made_at: datetime
    expires_at: datetime
    number: str = ""
    status: int = UNPAID
    is_counted: bool = False
    payments: list[Payment] = field(default_factory=list)

    @property
    def goods_amount(self) -> Decimal:
        """What its products cost."""
        return dollars(sum(line.total for line in self.lines))

    @property
    def units(self) -> Counter[int]:
        """The units of each product, the gift too."""
        return units_of(self.lines)

    @property
    def promoted(self) -> Counter[int]:
        """The units of each product that it has of the promotion, the gift too."""
        return units_of(line for line in self.lines if line.is_promoted)

    @property
    def to_pay(self) -> Decimal:
        """What it costs."""
        return self.goods_amount + self.freight

    def open_payments(self, pay_type: str) -> list[Payment]:
        """Return those of its payments of a pay type whose end nobody knows yet."""
        return [each for each in self.payments if each.pay_type == pay_type and each.state == "pending"]


def units_of(lines: Iterable[Line]) -> Counter[int]:
    """Add up the units of each product."""
    units: Counter[int] = Counter()
    for line in lines:
        units[line.product] += line.units
    return units
