"""Steps of customers, the staff, the gateway and the clock, and what must hold after each of them.

A step calls a service as the API and the tasks do.
"""

from collections import Counter, defaultdict
from typing import ClassVar

from django.db.models import Sum
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

from catalog.goods.models import Product, SoldDay
from catalog.promotions.models import PromotionItem
from catalog.stock.models import Reservation, StockLevel
from commerce.cart.models import CartItem
from commerce.delivery.models import PickupSlot
from commerce.ledger.models import LedgerAccount
from commerce.orders.models import Order as OrderRow
from commerce.orders.models import OrderLine, OrderStatusChange, PromotionUse
from commerce.orders.points import pending_points
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.models import Refund as RefundRow
from commerce.payments.providers.sandbox.models import SandboxRefund
from commerce.refunds.models import OrderRefund
from commerce.vouchers.models import Voucher, VoucherUse
from tools.chaos.machine.carts import FillingCarts
from tools.chaos.machine.fulfilling import Fulfilling
from tools.chaos.machine.opened import CODES
from tools.chaos.machine.ordering import Ordering
from tools.chaos.machine.prices import dollars
from tools.chaos.machine.records import CANCELED, REDIRECTING, Code, Payment, add_up
from tools.chaos.machine.refunding import Refunding
from tools.chaos.machine.staff import Staff


class Shop(FillingCarts, Ordering, Fulfilling, Refunding, Staff):
    """All actors in one shop: compared with the books after each step, audited at the end."""

    # The steps of all examples of this process, so that a run can show that it tried something.
    made: ClassVar[Counter[str]] = Counter()

    @rule(code=CODES, is_won=st.booleans())
    def dispute_parts(self, code: Code, is_won: bool) -> None:
        """Let a bank take a top-up whose money is a part of an order, and then the part at the gateway."""
        order = code.order
        if order is None:
            return
        top_up = self.top_up([buyer.pk for buyer in self.buyers].index(order.buyer))
        payment = self.begin_to_pay(code, REDIRECTING[0], self.books.wallets[order.buyer] or None)
        if isinstance(top_up, Payment) and isinstance(payment, Payment):
            self._dispute(top_up, is_won=False)
            self.decide(payment, "paid")
            self.notify(payment, 0, 1)
            self._dispute(payment, is_won)

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
        self.made["hand-overs undone"] += OrderStatusChange.objects.filter(reason="undone").count()
        self.made["disputes"] += len(self.books.disputes)
        self.made["disputes won"] += sum(dispute.state == "won" for dispute in self.books.disputes)
        self.made["disputes of parts"] += sum(dispute.is_of_part for dispute in self.books.disputes)
        self.made["debts"] += sum(bool(debt) for debt in self.books.debts.values())
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
        rows = Reservation.objects.values_list("reference", "level__product", "state", "units")
        found = add_up((row[:3], row[3]) for row in rows)
        held, released, sent = Reservation.State.held, Reservation.State.released, Reservation.State.shipped
        orders = self.books.orders
        units = [
            (order.number, {held: order.held(), released: order.released, sent: order.sent()})
            for order in orders
        ]
        assert found == add_up(
            ((number, product, state.value), count)
            for number, of_states in units
            for state, counts in of_states.items()
            for product, count in counts.items()
        )
        lines = {(order.number, product) for order in orders for product in order.units}
        assert {(number, product) for number, product, _ in found} == lines

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

    @invariant()
    def orders_are_where_they_belong(self) -> None:
        """Compare orders, carts and sales."""
        columns = ("status", "goods_amount", "freight", "freight_gst", "pay_amount")
        orders = OrderRow.objects.values_list("order_no", *columns)
        assert {row[0]: row[1:] for row in orders} == {
            order.number: (
                order.status,
                order.goods_amount,
                order.freight,
                dollars(order.freight_gst),
                order.to_pay,
            )
            for order in self.books.orders
        }
        carts = CartItem.objects.values_list("customer", "product", "amount")
        assert {row[:2]: row[2] for row in carts} == self.books.carts
        sold = SoldDay.objects.order_by().values_list("product").annotate(Sum("units"))
        assert Counter(dict(sold)) == self.books.sold()

    @invariant()
    def money_is_where_it_belongs(self) -> None:
        """Compare payments, what goes back of them, what the gateway has sent back, and wallets."""
        books = self.books
        assert {
            row[0]: row[1:]
            for row in PaymentRow.objects.values_list("reference", "state", "is_held", "refunded")
        } == {
            payment.reference: (payment.state, payment.is_held, payment.refunded)
            for payment in books.payments
        }
        columns = ("payment__reference", "amount", "currency", "reason", "to", "state")
        refunds = {row[0]: row[1:] for row in RefundRow.objects.values_list("reference", *columns)}
        assert refunds == {refund.reference: refund.facts for refund in books.refunds()}
        sent = dict(SandboxRefund.objects.values_list("reference", "amount"))
        assert sent.keys() == books.gateway.keys()
        assert all(
            sent[refund.reference] == refund.amount for refund in books.refunds() if refund.reference in sent
        )
        found = LedgerAccount.objects.filter(kind="wallet").values_list("customer", "balance")
        assert dict(found) == books.wallets
        debts = LedgerAccount.objects.filter(kind="debt", balance__gt=0).values_list("customer", "balance")
        assert dict(debts) == {buyer: debt for buyer, debt in books.debts.items() if debt}

    @invariant()
    def points_are_where_they_belong(self) -> None:
        """Compare points, those to come too, and which the orders have earned."""
        found = LedgerAccount.objects.filter(kind="points").values_list("customer", "balance")
        assert Counter(dict(found)) == self.books.points
        for customer in self.buyers:
            assert pending_points(customer) == self.books.pending(customer.pk)
        earned = OrderRow.objects.values_list("order_no", "points_earned", "points_returned")
        assert {row[0]: row[1:] for row in earned} == {
            order.number: (order.earned, order.given_back) for order in self.books.orders
        }

    @invariant()
    def what_goes_back_of_orders_is_what_staff_gave(self) -> None:
        """Compare refunds of orders, their tax, and the counters of each line."""
        columns = ("goods_amount", "gst", "freight_amount", "freight_gst")
        refunds = defaultdict(list)
        for number, *amounts in OrderRefund.objects.order_by("pk").values_list("order__order_no", *columns):
            refunds[number].append(tuple(amounts))
        assert refunds == {order.number: order.refunds for order in self.books.orders if order.refunds}
        counters = ("unsent", "refunded_units", "refunded_amount")
        lines = defaultdict(list)
        for number, *counts in OrderLine.objects.order_by("pk").values_list("order__order_no", *counters):
            lines[number].append(tuple(counts))
        assert lines == {
            order.number: [(fate.left_out, fate.refunded, dollars(fate.cents)) for fate in order.fates]
            for order in self.books.orders
        }


def make_steps(examples: str, steps: str) -> Counter[str]:
    """Make so many examples of so many steps; return what they made.

    The first step that leaves wrong books is described on standard error and raises an error.
    """
    run_state_machine_as_test(
        Shop,
        settings=settings(
            max_examples=int(examples),
            stateful_step_count=int(steps),
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return Shop.made
