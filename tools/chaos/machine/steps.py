"""Steps of customers, the staff, the gateway and the clock, and what must hold after each of them.

A step calls a service as the API and the tasks do.
"""

from collections import Counter, defaultdict
from typing import ClassVar

from hypothesis.stateful import invariant

from catalog.goods.models import Product
from catalog.promotions.models import PromotionItem
from catalog.stock.models import Reservation, StockLevel
from commerce.delivery.models import PickupSlot
from commerce.orders.models import OrderLine, PromotionUse
from commerce.vouchers.models import Voucher, VoucherUse
from tools.chaos.machine.carts import FillingCarts
from tools.chaos.machine.fulfilling import Fulfilling
from tools.chaos.machine.money_checks import MoneyChecks
from tools.chaos.machine.ordering import Ordering
from tools.chaos.machine.records import CANCELED, DISPUTED
from tools.chaos.machine.refunding import Refunding
from tools.chaos.machine.staff import Staff
from tools.chaos.machine.topping_up import ToppingUp


class Shop(FillingCarts, Ordering, ToppingUp, Fulfilling, Refunding, Staff, MoneyChecks):
    """All actors in one shop: compared with the books after each step, audited at the end."""

    # The steps of all examples of this process, so that a run can show that it tried something.
    made: ClassVar[Counter[str]] = Counter()

    def teardown(self) -> None:
        """Count what was made, and close the shop."""
        self._count()
        super().teardown()

    def _count(self) -> None:
        orders = self.books.orders
        self.made["orders"] += len(orders)
        self.made["paid"] += sum(order.was_paid for order in orders)
        self.made["canceled"] += sum(order.status == CANCELED for order in orders)
        self.made["sent"] += sum(any(fate.sent for fate in order.fates) for order in orders)
        self.made["disputed"] += sum(order.status == DISPUTED for order in orders)
        self.made["refunded by staff"] += sum(len(order.refunds) for order in orders)
        self.made["with points"] += sum(bool(order.wanted.points) for order in orders)
        self.made["refunds"] += len(self.books.refunds())
        self.made["refunds sent again"] += sum(refund.attempts > 1 for refund in self.books.refunds())
        payments = self.books.payments
        self.made["in parts"] += len({p.order.number for p in payments if p.order and p.was_held})
        self.made["top-ups paid"] += sum(p.order is None and p.state == "paid" for p in payments)
        self.made["with a voucher"] += sum(order.wanted.voucher is not None for order in orders)
        self.made["with a gift"] += sum(any(line.is_gift for line in order.lines) for order in orders)
        self.made["in the promotion"] += sum(bool(order.promoted) for order in orders)

    @invariant()
    def stock_is_what_the_orders_leave(self) -> None:
        """Compare counters, `sold_out` and hours."""
        self.made["steps"] += 1
        books, reserved = self.books, self.books.reserved()
        levels = StockLevel.objects.values_list("location", "product", "on_hand", "reserved")
        assert {row[:2]: row[2:] for row in levels} == {
            place: (units, reserved[place]) for place, units in books.on_hand.items()
        }
        assert dict(Product.objects.values_list("pk", "sold_out")) == {
            product.pk: books.free(self.warehouse.pk, product.pk) < 1 for product in self.products
        }
        assert Counter(dict(PickupSlot.objects.values_list("starts_at", "booked"))) == books.booked()

    @invariant()
    def promotion_and_vouchers_are_taken_as_often_as_ordered(self) -> None:
        """Compare quotas, shares of customers, and uses of vouchers."""
        books, taken = self.books, self.books.taken()
        items = PromotionItem.objects.values_list("product", "quota", "taken")
        expected = {(pk, item.quota, taken[pk]) for pk, item in books.promotion.items.items()}
        assert set(items) == expected
        shares = PromotionUse.objects.values_list("customer", "item__product", "amount")
        assert Counter({row[:2]: row[2] for row in shares}) == books.shares()
        uses = books.voucher_uses()
        of_customers = VoucherUse.objects.values_list("voucher", "customer", "orders")
        for place, voucher in enumerate(self.vouchers):
            mine = {customer: n for each, customer, n in of_customers if each == voucher.pk}
            assert Counter(mine) == Counter({c: n for (each, c), n in uses.items() if each == place})
            assert Voucher.objects.get(pk=voucher.pk).taken == sum(mine.values())

    @invariant()
    def each_line_is_held_as_often_as_it_lives(self) -> None:
        """Compare each reservation with the line of its order: held, sent or released."""
        states: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        rows = Reservation.objects.values_list("reference", "level__product", "state", "units")
        for reference, product, state, units in rows:
            states[reference, product][state] += units
        held, released, sent = Reservation.State.held, Reservation.State.released, Reservation.State.shipped
        for order in self.books.orders:
            of_states = {
                held: order.held(),
                released: order.released,
                sent: order.sent(),
            }
            for product in order.units:
                found = states.pop((order.number, product))
                assert found == Counter({name: units[product] for name, units in of_states.items()}), order
        assert not states

    @invariant()
    def placed_orders_cost_what_they_cost(self) -> None:
        """Compare each line with the day it was ordered on, whatever staff have changed since."""
        rows = OrderLine.objects.order_by("order", "pk").values_list(
            "order__order_no", "product", "amount", "price", "discount", "points_discount", "gst", "promotion"
        )
        found = defaultdict(list)
        for number, *facts, promotion in rows:
            found[number].append((*facts, promotion is not None))
        assert found == {order.number: [line.facts for line in order.lines] for order in self.books.orders}
