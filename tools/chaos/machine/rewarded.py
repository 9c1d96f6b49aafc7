"""Points and member levels in whole points and cents (docs/guarantees/money.md#wallet-and-points)."""

from dataclasses import dataclass
from fractions import Fraction

from tools.chaos.machine.ordered import Ordered
from tools.chaos.machine.records import COMPLETED, DISPUTED, WITH_MONEY, Order


@dataclass
class Rewarded(Ordered):
    """The books of what orders earn, of what is taken back, and of which level each customer has."""

    def worth(self, order: Order) -> int:
        """Return the points that an order is worth for the money that it keeps."""
        if order.status == DISPUTED:
            return 0
        return order.rate * (order.in_money - order.goods_back) // 10_000

    def book_points(self) -> None:
        """Let the orders earn their points that are due."""
        due_in = (COMPLETED,) if self.points_at == "completion" else WITH_MONEY
        for order in self.orders:
            if order.status in due_in and not order.is_booked:
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
        paid = sum(
            Fraction(line.points * fate.refunded, line.units)
            for line, fate in zip(order.lines, order.fates, strict=True)
        )
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
