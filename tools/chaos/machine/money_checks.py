"""What must hold of money and points after each step."""

from collections import Counter, defaultdict

from django.db.models import Sum
from hypothesis.stateful import invariant

from catalog.goods.models import SoldDay
from commerce.cart.models import CartItem
from commerce.ledger.models import LedgerAccount
from commerce.orders.models import Order as OrderRow
from commerce.orders.models import OrderLine
from commerce.orders.points import pending_points
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.models import Refund as RefundRow
from commerce.payments.providers.sandbox.models import SandboxRefund
from commerce.refunds.models import OrderRefund
from tools.chaos.machine.opened import OpenedShop
from tools.chaos.machine.prices import dollars


class MoneyChecks(OpenedShop):
    """Money and points are compared with the books."""

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
