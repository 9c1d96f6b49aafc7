"""The records of the machine's books: what an order asked for, its code, lines, payments and refunds."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from tools.chaos.machine.prices import Line, dollars, freight_gst

K = TypeVar("K")
WALLET = "0"
# Those that a gateway collects.
REDIRECTING = ("5", "2")
AUD = "AUD"
UNPAID, PAID, SHIPPED, COMPLETED, CANCELED = 1, 2, 6, 7, 10
DISPUTED, READY, PARTLY_SHIPPED = 98, 100, 106
# Those of orders whose money is here, and of those the ones of which something may still leave.
WITH_MONEY = (PAID, READY, PARTLY_SHIPPED, SHIPPED, COMPLETED)
TO_BE_SENT = (PAID, READY, PARTLY_SHIPPED)


@dataclass(frozen=True)
class Wanted:
    """What an order asks for: units by product at ordinary prices and at the promotion's, from which place.

    `hour`: when it is picked up; None for a delivery. `voucher`: its place in the books, None for none.
    `points`: how many pay for it.
    """

    ordinary: Mapping[int, int]
    promoted: Mapping[int, int]
    place: int
    hour: datetime | None
    voucher: int | None = None
    points: int = 0

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
class Fate:
    """What became of a line: units that have left and that never will, and what staff have given back of it.

    `cents`: of its money. `restocked`: units that staff have back in stock.
    """

    line: Line
    sent: int = 0
    left_out: int = 0
    refunded: int = 0
    cents: int = 0
    restocked: int = 0

    @property
    def to_send(self) -> int:
        """The units that are still to be sent."""
        return self.line.units - self.sent - self.left_out


@dataclass
class Order:
    """One order with what it cost on the day it was made, and what became of it.

    `hour`: the one that it has booked. `rate`: hundredths of points for a dollar. `given_back`: those of its
    points that have gone back for refunded units. `earned`: points that it has earned and kept.
    `goods_back`, `freight_back`: cents. `released`: units of each product that it held and let go.
    `refunds_before`: the number of its refunds when it was handed over. `is_undoable`: whether that was the
    last change of its status.
    """

    buyer: int
    wanted: Wanted
    lines: list[Line]
    freight: Decimal
    made_at: datetime
    expires_at: datetime
    rate: int
    number: str = ""
    status: int = UNPAID
    was_paid: bool = False
    is_counted: bool = False
    is_booked: bool = False
    earned: int = 0
    given_back: int = 0
    goods_back: int = 0
    freight_back: int = 0
    refunds: list[tuple[Decimal, ...]] = field(default_factory=list)
    completes_at: datetime | None = None
    handed_over_at: datetime | None = None
    refunds_before: int = 0
    is_undoable: bool = False
    payments: "list[Payment]" = field(default_factory=list)
    released: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.hour = self.wanted.hour
        self.fates = [Fate(line) for line in self.lines]

    @property
    def goods_amount(self) -> Decimal:
        """What its products cost."""
        return dollars(sum(line.total for line in self.lines))

    @property
    def points_cents(self) -> int:
        """What points pay of it."""
        return sum(line.points for line in self.lines)

    @property
    def in_money(self) -> int:
        """What is paid in money for its products, in cents."""
        return sum(line.in_money for line in self.lines)

    @property
    def freight_gst(self) -> int:
        """The tax in its freight, in cents."""
        return freight_gst(self.lines, int(self.freight * 100))

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
        """What it costs in money."""
        return dollars(self.in_money) + self.freight

    @property
    def left(self) -> Decimal:
        """What is left to pay of it."""
        return self.to_pay - self.waiting

    @property
    def waiting(self) -> Decimal:
        """What was paid of it and waits for the rest."""
        return sum((each.amount for each in self.payments if each.is_held), Decimal(0))

    @property
    def from_wallet(self) -> Decimal:
        """The part of `waiting` that the wallet paid."""
        held = (each.amount for each in self.payments if each.is_held and each.pay_type == WALLET)
        return sum(held, Decimal(0))

    def open_payment(self, pay_type: str) -> "Payment | None":
        """Return the payment of what is left by a pay type whose end is not known yet."""
        open_ones = (each for each in self.payments if (each.pay_type, each.state) == (pay_type, "pending"))
        return next((each for each in open_ones if each.amount == self.left), None)

    def can_be_undone(self, now: datetime) -> bool:
        """Return True if its hand-over is less than fifteen minutes ago."""
        return self.handed_over_at is not None and now < self.handed_over_at + timedelta(minutes=15)

    def refundable(self) -> "list[Payment]":
        """Return its payments in the order in which they go back: the wallet's first, then the newest.

        A bank decides on a disputed one.
        """
        paid = [each for each in self.payments[::-1] if each.state == "paid" and not each.is_held]
        paid = [each for each in paid if not each.is_disputed]
        return sorted(paid, key=lambda each: each.pay_type != WALLET)

    def to_send(self) -> list[int]:
        """Count the units of each line that are still to be sent."""
        return [fate.to_send for fate in self.fates]

    def held(self) -> Counter[int]:
        """Count the units of each product that it holds."""
        ended = self.status in (CANCELED, DISPUTED)
        return add_up((fate.line.product, 0 if ended else fate.to_send) for fate in self.fates)

    def sent(self) -> Counter[int]:
        """Count the units of each product that have left."""
        return add_up((fate.line.product, fate.sent) for fate in self.fates)

    def end(self, status: int) -> None:
        """Let it end, and go what it holds."""
        self.released += self.held()
        self.status = status
        self.is_undoable = False


def units_of(lines: Iterable[Line]) -> Counter[int]:
    """Add up the units of each product."""
    return add_up((line.product, line.units) for line in lines)


def add_up(counts: Iterable[tuple[K, int]]) -> Counter[K]:
    """Add up counts by their key."""
    sums: Counter[K] = Counter()
    for key, count in counts:
        sums[key] += count
    return sums


@dataclass
class Payment:
    """One attempt to pay an order, or to top a wallet up, and what the gateway itself knows of it.

    `order`: None for a top-up. `is_held`: whether it waits for the rest of its order's amount,
    `was_held`: or ever did.
    """

    order: Order | None
    buyer: int
    reference: str
    pay_type: str
    amount: Decimal
    begun_at: datetime
    state: str = "pending"
    charge: str = "open"
    is_held: bool = False
    was_held: bool = False
    is_disputed: bool = False
    collected: tuple[Decimal, str] | None = None
    refunds: "list[Refund]" = field(default_factory=list)

    @property
    def received(self) -> tuple[Decimal, str]:
        """What came, and in which currency."""
        return self.collected or (self.amount, AUD)

    @property
    def refunded(self) -> Decimal:
        """What goes back of it."""
        return sum((each.amount for each in self.refunds if each.state != "reversed"), Decimal(0))

    @property
    def in_wallet(self) -> Decimal:
        """What a bank takes back of it that went to the wallet."""
        back = sum((each.amount for each in self.refunds if each.to == "wallet"), Decimal(0))
        return back if self.order else back + self.left

    @property
    def in_dispute(self) -> Decimal:
        """What a bank takes back of it: all but what went to the source."""
        return self.left + sum((each.amount for each in self.refunds if each.to == "wallet"), Decimal(0))

    @property
    def left(self) -> Decimal:
        """What came and does not go back."""
        return self.received[0] - self.refunded


@dataclass
class Refund:
    """Money of a payment that goes back; `reference`: by which the gateway knows it now."""

    payment: Payment
    reference: str
    amount: Decimal
    reason: str
    to: str
    state: str
    is_sent: bool = False
    is_left_to_staff: bool = False
    attempts: int = 1

    @property
    def facts(self) -> tuple[str, Decimal, str, str, str, str]:
        """What the shop stores of it."""
        currency = self.payment.received[1]
        return (self.payment.reference, self.amount, currency, self.reason, self.to, self.state)


@dataclass
class Dispute:
    """One dispute; `status`, `hour`: what its order had before, None if the dispute did not change it.

    `is_of_part`: its order was not paid in full then.
    """

    payment: Payment
    from_wallet: Decimal
    is_of_part: bool
    status: int | None = None
    hour: datetime | None = None
    state: str = "open"
