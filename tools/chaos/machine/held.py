"""What the books hold: the rows of the shop in plain dictionaries, and what follows from its orders."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from django.conf import settings

from tools.chaos.machine.prices import Freight, Promotion, Voucher
from tools.chaos.machine.records import (
    CANCELED,
    COMPLETED,
    DISPUTED,
    WITH_MONEY,
    Code,
    Dispute,
    Order,
    Payment,
    add_up,
)


@dataclass
class Held:
    """Everything the shop has to remember; `limits`: most units of a product for one customer, 0 for none.

    `prices`: cents. `taxed`: products with GST. `per_hour`: customers that are handed out to in one hour.
    `freights`: by day. `levels`: the cents in a year and the hundredths of points for a dollar of each member
    level; `level_of`: which one each customer has. `points_at`: when orders earn theirs, the setting.
    """

    prices: dict[int, int]
    taxed: set[int]
    limits: dict[int, int]
    grams: dict[int, int]
    warehouse: int
    per_hour: int
    promotion: Promotion
    vouchers: list[Voucher]
    freights: list[Freight]
    levels: list[tuple[int, int]]
    points_at: str = "completion"
    level_of: Counter[int] = field(default_factory=Counter)
    on_hand: Counter[tuple[int, int]] = field(default_factory=Counter)
    wallets: dict[int, Decimal] = field(default_factory=dict)
    points: Counter[int] = field(default_factory=Counter)
    posted: set[tuple[int, str]] = field(default_factory=set)
    carts: dict[tuple[int, int], int] = field(default_factory=dict)
    codes: list[Code] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)
    debts: dict[int, Decimal] = field(default_factory=lambda: defaultdict(Decimal))
    disputes: list[Dispute] = field(default_factory=list)
    gateway: dict[str, str] = field(default_factory=dict)

    # ── What follows from the orders ──────────────────────────────────────────────────────────────────

    def living(self) -> list[Order]:
        """Return the orders that have taken what is scarce: all that are not canceled."""
        return [order for order in self.orders if order.status != CANCELED]

    def reserved(self) -> Counter[tuple[int, int]]:
        """Count the units held at each place, by place and product."""
        return add_up(
            ((order.wanted.place, product), units)
            for order in self.living()
            for product, units in order.held().items()
        )

    def free(self, place: int, product: int) -> int:
        """Return the units of a product that can be bought at a place."""
        return self.on_hand[place, product] - self.reserved()[place, product]

    def taken(self) -> Counter[int]:
        """Count the units of each product that are taken of the promotion."""
        return sum((order.promoted for order in self.living()), Counter())

    def shares(self) -> Counter[tuple[int, int]]:
        """Count the units of the promotion that each customer has, by customer and product."""
        return add_up(
            ((order.buyer, product), units)
            for order in self.living()
            for product, units in order.promoted.items()
        )

    def voucher_uses(self) -> Counter[tuple[int, int]]:
        """Count the orders with each voucher of each customer, by voucher and customer."""
        orders = self.living()
        return Counter((o.wanted.voucher, o.buyer) for o in orders if o.wanted.voucher is not None)

    def booked(self) -> Counter[datetime]:
        """Count the customers of each pick-up hour."""
        return Counter(order.hour for order in self.living() if order.hour)

    def sold(self) -> Counter[int]:
        """Count the units of paid orders that the job has counted."""
        return sum((order.units for order in self.orders if order.is_counted), Counter())

    # ── Carts ─────────────────────────────────────────────────────────────────────────────────────────

    def most(self, product: int) -> int:
        """Return the most units of a product that one customer may order without having paid for them."""
        return self.limits[product] or settings.MAX_UNPAID_UNITS

    def buyable(self, product: int) -> int:
        """Return the most units of a product that a cart may have."""
        return min(self.free(self.warehouse, product), self.most(product))

    def put_in_cart(self, buyer: int, product: int, units: int) -> None:
        """Let a cart have so many units of a product, none for less than one."""
        if units < 1:
            self.carts.pop((buyer, product), None)
        else:
            self.carts[buyer, product] = units

    # ── Points and levels (docs/guarantees/money.md#wallet-and-points) ────────────────────────────────────

    def worth(self, order: Order) -> int:
        """Return the points that an order is worth for the money that it keeps."""
        if order.status == DISPUTED:
            return 0
        return order.rate * (order.in_money - order.goods_back) // 10_000

    def book_points(self, now: datetime) -> None:
        """Let the orders earn their points that are due; a hand-over that can be undone earns none yet."""
        at_completion = self.points_at == "completion"
        due_in = (COMPLETED,) if at_completion else WITH_MONEY
        for order in self.orders:
            waits = at_completion and order.can_be_undone(now)
            if order.status in due_in and not order.is_booked and not waits:
                order.is_booked = True
                order.earned = self.worth(order)
                self.points[order.buyer] += order.earned

    def take_points_back(self, order: Order) -> None:
        """Take back what an order has earned beyond what it is worth now."""
        surplus = max(0, order.earned - self.worth(order))
        order.earned -= surplus
        self.points[order.buyer] -= surplus

    def give_points_back(self, order: Order) -> None:
        """Give back those of an order's points that have paid for the units that are refunded."""
        if not order.points_cents:
            return
        paid = sum(Fraction(fate.line.points * fate.refunded, fate.line.units) for fate in order.fates)
        back = int(order.wanted.points * paid / order.points_cents) - order.given_back
        order.given_back += back
        self.points[order.buyer] += back

    def pending(self, buyer: int) -> int:
        """Count the points that a customer's orders will earn."""
        return sum(
            self.worth(order)
            for order in self.orders
            if order.buyer == buyer and order.status in WITH_MONEY and not order.is_booked
        )

    def change_levels(self) -> None:
        """Give each customer the level of what they have paid for products; an example lasts no year."""
        for buyer in self.wallets:
            spent = sum(
                order.in_money - order.goods_back
                for order in self.orders
                if order.buyer == buyer and order.status in WITH_MONEY
            )
            self.level_of[buyer] = max(
                place for place, (cents, _) in enumerate(self.levels) if spent >= cents
            )
