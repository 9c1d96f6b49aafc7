"""Steps of customers, the staff, the gateway and the clock, and what must hold after each of them.

A step calls a service as the API and the tasks do.
"""

from collections import Counter, defaultdict
from typing import ClassVar

from django.db.models import Sum
from hypothesis.stateful import invariant

from catalog.goods.models import Product, SoldDay
from catalog.promotions.models import PromotionItem
from catalog.stock import audit as stock_audit
from catalog.stock.models import Reservation, StockLevel
from commerce.cart.models import CartItem
from commerce.delivery.models import PickupSlot
from commerce.ledger import audit as ledger_audit
from commerce.ledger.models import LedgerAccount
from commerce.orders import audit as order_audit
from commerce.orders.models import Order as OrderRow
from commerce.orders.models import OrderLine, PromotionUse
from commerce.payments import audit as payment_audit
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.models import Refund
from commerce.vouchers.models import Voucher, VoucherUse
from config.storm.machine.carts import FillingCarts
from config.storm.machine.ordering import Ordering
from config.storm.machine.records import CANCELED, PAID
from config.storm.machine.staff import Staff


class Shop(FillingCarts, Ordering, Staff):
    """Everybody at once in one shop, whose rows are compared with the books after each step."""

    # What all examples of this process have made, so that a run can tell that it tried something.
    made: ClassVar[Counter[str]] = Counter()

    def teardown(self) -> None:
        """Count what was made, and close the shop."""
        self._count()
        super().teardown()

    def _count(self) -> None:
        orders = self.books.orders
        self.made["orders"] += len(orders)
        self.made["paid"] += sum(order.status == PAID for order in orders)
        self.made["canceled"] += sum(order.status == CANCELED for order in orders)
        self.made["refunds due"] += sum(bool(p.refund) for order in orders for p in order.payments)
        self.made["with a voucher"] += sum(order.wanted.voucher is not None for order in orders)
        self.made["with a gift"] += sum(any(line.is_gift for line in order.lines) for order in orders)
        self.made["in the promotion"] += sum(bool(order.promoted) for order in orders)

    @invariant()
    def stock_is_what_the_orders_leave(self) -> None:
        """Compare counters, `sold_out` and hours."""
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
        """Compare each reservation with the line of its order: held while that lives, else released."""
        states: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        rows = Reservation.objects.values_list("reference", "level__product", "state", "units")
        for reference, product, state, units in rows:
            states[reference, product][state] += units
        held, released = Reservation.State.held, Reservation.State.released
        for order in self.books.orders:
            for product, units in order.units.items():
                found = states.pop((order.number, product))
                assert found[held] == (units if order.status != CANCELED else 0), order
                assert found[released] % units == 0, order
        assert not states

    @invariant()
    def placed_orders_cost_what_they_cost(self) -> None:
        """Compare each line with the day it was ordered on, whatever staff have changed since."""
        rows = OrderLine.objects.order_by("order", "pk").values_list(
            "order__order_no", "product", "amount", "price", "discount", "gst", "promotion"
        )
        found = defaultdict(list)
        for number, *facts, promotion in rows:
            found[number].append((*facts, promotion is not None))
        assert found == {order.number: [line.facts for line in order.lines] for order in self.books.orders}

    @invariant()
    def money_is_where_it_belongs(self) -> None:
        """Compare orders, payments, refunds, balances, carts and sales."""
        books = self.books
        orders = OrderRow.objects.values_list("order_no", "status", "goods_amount", "freight", "pay_amount")
        assert {row[0]: row[1:] for row in orders} == {
            order.number: (order.status, order.goods_amount, order.freight, order.to_pay)
            for order in books.orders
        }
        payments = [payment for order in books.orders for payment in order.payments]
        assert dict(PaymentRow.objects.values_list("reference", "state")) == {
            payment.reference: payment.state for payment in payments
        }
        refunds = Refund.objects.values_list("payment__reference", "amount", "currency", "reason")
        assert {row[0]: row[1:] for row in refunds} == {
            payment.reference: payment.refund for payment in payments if payment.refund
        }
        self.made["steps"] += 1
        for kind, balances in (("wallet", books.wallets), ("points", books.points)):
            found = LedgerAccount.objects.filter(kind=kind).values_list("customer", "balance")
            assert Counter(dict(found)) == balances
        carts = CartItem.objects.values_list("customer", "product", "amount")
        assert {row[:2]: row[2] for row in carts} == books.carts
        sold = SoldDay.objects.order_by().values_list("product").annotate(Sum("units"))
        assert Counter(dict(sold)) == books.sold()

    @invariant()
    def the_books_agree(self) -> None:
        """Audit money, orders and stock."""
        for app in (stock_audit, ledger_audit, order_audit, payment_audit):
            assert [str(difference) for difference in app.differences()] == []
