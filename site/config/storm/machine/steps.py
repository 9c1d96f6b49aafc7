"""One step at a time of three customers, the staff, the gateway and the clock, each compared with the books.

A step calls a service as the API and the tasks do. All of an example happens in one transaction, which is
rolled back at its end: the next one finds an empty shop again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar, TypeVar

import time_machine
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Sum
from django.test import override_settings
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from catalog.goods.models import Product, SoldDay
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import save_product
from catalog.promotions import offers
from catalog.promotions.models import PromotionItem
from catalog.promotions.services import locking_promotion
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock import audit as stock_audit
from catalog.stock.models import StockLevel, StockMovement
from catalog.stock.services import receive, set_counted
from catalog.stock.tests.builders import make_location, stock
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import PASSWORD, make_address, make_customer
from commerce.cart.models import CartItem, CartType
from commerce.cart.services import Changed, add_to_cart, merge_cart, remove_from_cart, set_amount
from commerce.delivery.models import PickupSlot
from commerce.delivery.shipping import ShippingType
from commerce.delivery.slots import slots
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from commerce.ledger import audit as ledger_audit
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from commerce.orders import audit as order_audit
from commerce.orders.models import Order as OrderRow
from commerce.orders.models import PromotionUse
from commerce.orders.purging import delete_expired_trades
from commerce.orders.requests import Basket, Delivery, Fulfilment, PickUp
from commerce.orders.sales import count_due_sales
from commerce.orders.services import cancel_order, expire_due_orders, open_trade, place_order
from commerce.payments import audit as payment_audit
from commerce.payments.models import Payment as PaymentRow
from commerce.payments.models import Refund
from commerce.payments.sandbox.models import SandboxCharge
from commerce.payments.services import pay_order, query_open_payments, refresh_order, refresh_payment
from commerce.payments.tests.builders import decide, make_pay_types
from config.management.commands.audit import all_differences
from config.storm.machine.books import (
    CANCELED,
    MAX_PAYMENTS,
    PAID,
    UNPAID,
    Books,
    Code,
    Order,
    Payment,
    Wanted,
)
from core.errors import Err, ShopError

R = TypeVar("R")

# Times are whole minutes later, so that none comes near the moment at which something ends.
START = datetime(2027, 3, 1, 2, 7, 30, tzinfo=UTC)
PROMOTED_FOR = timedelta(hours=26)
# The audit finds unpaid orders that the sweeps have left for longer.
MINUTES_BETWEEN_SWEEPS = 9
LIMITS = {"MAX_UNPAID_ORDERS": 3, "MAX_UNPAID_ORDERS_A_DAY": 6, "MAX_UNPAID_AMOUNT": 250}
# Counted wrong for no password: how a password is hashed is no subject here.
QUICK = {"PASSWORD_HASHERS": ["tests.hashers.QuickArgon2"], "SANDBOX_GATEWAY": True}
WALLET = "0"
REDIRECTING = ("5", "2")

BUYERS, PRODUCTS = st.integers(0, 2), st.integers(0, 2)
UNITS = st.integers(1, 5)
# Products at ordinary prices, and units of the promotion's: not both empty.
BASKETS = st.tuples(st.dictionaries(PRODUCTS, UNITS, max_size=2), st.integers(0, 4)).filter(any)
HOURS = st.none() | st.integers(0, 2)
REFERENCES = st.sampled_from("ABCDEF")
Basketful = tuple[dict[int, int], int]


@contextmanager
def _rolled_back() -> Iterator[None]:
    """Let services believe that what they commit is committed, and roll it back at the end."""
    example = transaction.atomic()
    # As the tests' own transactions, so that what refuses to be nested is not refused.
    example._from_testcase = True  # type: ignore[attr-defined]  # Django's mark
    with example:
        yield
        transaction.set_rollback(True)


class Shop(RuleBasedStateMachine):
    """Three customers, three products, a warehouse, a store, and a promotion of the third product."""

    # What all examples of this process have made, so that a run can tell that it tried something.
    made: ClassVar[Counter[str]] = Counter()

    # Each with its order, where it made one.
    codes: Bundle[Code] = Bundle("codes")
    payments: Bundle[Payment] = Bundle("payments")

    def __init__(self) -> None:
        super().__init__()
        self._blocks = ExitStack()
        try:
            self._open()
        except BaseException:
            self._blocks.close()
            raise

    def _open(self) -> None:
        self._blocks.enter_context(override_settings(**LIMITS, **QUICK))
        self._clock = self._blocks.enter_context(time_machine.travel(START))
        self._blocks.enter_context(_rolled_back())
        self._unswept = 0
        make_pay_types()
        make_freight_rule()
        self.buyers = [make_customer(account=f"{name}@example.com") for name in ("ann", "bo", "cai")]
        self.addresses = {buyer.pk: make_address(buyer).pk for buyer in self.buyers}
        self.warehouse = make_location(code="warehouse", fills_deliveries=True)
        self.store = make_shop(per_hour=2)
        self.products = [
            make_product(price=Decimal("20.00"), net_weight=1000),
            make_product(price=Decimal("4.49"), net_weight=500, limit_amount=4),
            make_product(price=Decimal("10.00"), net_weight=700),
        ]
        self.promotion = make_promotion(ends_at=timezone.now() + PROMOTED_FOR)
        self.item = promote(self.promotion, self.products[2], "7.50", quota=6, limit_amount=4)
        self.books = Books(
            prices={product.pk: product.price for product in self.products},
            limits={product.pk: product.limit_amount for product in self.products},
            grams={product.pk: product.net_weight for product in self.products},
            warehouse=self.warehouse.pk,
            per_hour=2,
            promotion_price=Decimal("7.50"),
            promotion_quota=self.item.quota,
            promotion_limit=self.item.limit_amount,
            promotion_ends_at=self.promotion.ends_at,
        )
        for product, units, in_store in zip(self.products, (9, 6, 8), (4, 2, 3), strict=True):
            for place, count in ((self.warehouse, units), (self.store.location, in_store)):
                stock(product, count, place)
                self.books.on_hand[place.pk, product.pk] = count

        for number in range(len(self.buyers)):
            self.move_money(number, 100, "opening")

    def teardown(self) -> None:
        """Audit everything, the search index too, and roll it back."""
        try:
            self._count()
            connection.check_constraints()
            assert [str(difference) for difference in all_differences()] == []
        finally:
            self._blocks.close()
            offers.invalidate()

    def _count(self) -> None:
        orders = self.books.orders
        self.made["orders"] += len(orders)
        self.made["paid"] += sum(order.status == PAID for order in orders)
        self.made["canceled"] += sum(order.status == CANCELED for order in orders)
        self.made["refunds due"] += sum(bool(p.refund) for order in orders for p in order.payments)

    def _expect(self, refusal: Err | None, act: Callable[[], R]) -> R | None:
        """Act, which must be refused so or succeed; returns the outcome of a success."""
        outcome, refused = None, None
        try:
            outcome = act()
        except ShopError as error:
            refused = error.err
        assert refused is refusal, f"{refused} instead of {refusal}"
        return outcome

    # ── Carts ─────────────────────────────────────────────────────────────────────────────────────────

    @rule(buyer=BUYERS, product=PRODUCTS, units=st.integers(0, 5), adds=st.booleans())
    def put_in_cart(self, buyer: int, product: int, units: int, adds: bool) -> None:
        """Add units of a product to a cart, set how many there are, or remove it."""
        customer, pk = self.buyers[buyer], self.products[product].pk
        if not units:
            remove_from_cart(customer=customer, type=CartType.direct_mail, product_id=pk)
            self.books.put_in_cart(customer.pk, pk, 0)
            return
        most = self.books.buyable(pk)
        change: Callable[..., Changed] = add_to_cart if adds else set_amount
        changed = self._expect(
            None if most > 0 else Err.stock_insufficient,
            lambda: change(customer=customer, type=CartType.direct_mail, product_id=pk, amount=units),
        )
        if most > 0:
            wanted = units + (self.books.carts.get((customer.pk, pk), 0) if adds else 0)
            assert changed is not None
            assert changed.note is (Err.amount_above_limit if wanted > most else None)
            self.books.put_in_cart(customer.pk, pk, min(wanted, most))

    @rule(buyer=BUYERS, pushed=st.dictionaries(PRODUCTS, UNITS))
    def merge_carts(self, buyer: int, pushed: dict[int, int]) -> None:
        """Merge the cart of a browser into a customer's."""
        customer = self.buyers[buyer]
        amounts = {self.products[product].pk: units for product, units in pushed.items()}
        first, again = (
            merge_cart(customer=customer, type=CartType.direct_mail, pushed=list(amounts.items()))
            for _ in range(2)
        )
        removed = []
        for pk, units in amounts.items():
            most = self.books.buyable(pk)
            if most > 0:
                self.books.put_in_cart(customer.pk, pk, min(units, most))
            elif (customer.pk, pk) not in self.books.carts:
                removed.append(pk)
        assert first.note is again.note
        assert first.removed == again.removed == removed
        assert list(first.contents.amounts.items()) == list(again.contents.amounts.items())

    # ── Orders ────────────────────────────────────────────────────────────────────────────────────────

    @initialize(target=codes, baskets=st.tuples(BASKETS, BASKETS, BASKETS), hour=HOURS)
    def order_first(self, baskets: tuple[Basketful, ...], hour: int | None) -> Any:
        """Begin with an order of each customer, or a refusal."""
        return multiple(*(self._order(number, basket, hour) for number, basket in enumerate(baskets)))

    @rule(target=codes, buyer=BUYERS, basket=BASKETS, pays=st.booleans())
    def order(self, buyer: int, basket: Basketful, pays: bool) -> Code:
        """Order products to an address, and pay at once or later; a code that is refused is still good."""
        code = self._order(buyer, basket, None)
        if pays:
            self.pay_from_wallet(code)
        return code

    @rule(target=codes, buyer=BUYERS, basket=BASKETS, hour=st.integers(0, 2))
    def order_in_store(self, buyer: int, basket: Basketful, hour: int) -> Code:
        """Order products to be picked up in the store."""
        return self._order(buyer, basket, hour)

    def _order(self, buyer: int, basket: Basketful, hour: int | None) -> Code:
        customer = self.buyers[buyer]
        valid_until = timezone.now() + timedelta(hours=2)
        code = Code(customer.pk, valid_until, open_trade(customer=customer, basket=None))
        self.books.codes.append(code)
        self._place(code, self._wanted(basket, hour))
        return code

    @rule(code=codes, basket=st.none() | BASKETS, hour=HOURS)
    def order_again(self, code: Code, basket: Basketful | None, hour: int | None) -> None:
        """Send a code again: with the same order it answers that one, with another it makes no second."""
        if basket:
            self._place(code, self._wanted(basket, hour))
        elif code.order:
            self._place(code, code.order.wanted)

    @rule(buyer=BUYERS, basket=BASKETS)
    def ask_early(self, buyer: int, basket: Basketful) -> None:
        """Ask for a code with products: the same refusals as the order's, and nothing is held."""
        wanted = self._wanted(basket, None)
        customer = self.buyers[buyer]
        refusal = self.books.refusal_of_basket(customer.pk, wanted, timezone.now())
        places = (self.warehouse.pk, self.store.location_id)
        if refusal is None and not any(self.books.has_units(wanted, place) for place in places):
            refusal = Err.stock_insufficient
        self._expect(refusal, lambda: open_trade(customer=customer, basket=self._basket(wanted)))

    def _place(self, code: Code, wanted: Wanted) -> None:
        customer, now = self._buyer(code.buyer), timezone.now()
        refusal = self.books.refusal_of_order(code, wanted, now)
        fulfilment: Fulfilment = (
            PickUp(self.store.pk, wanted.hour)
            if wanted.hour
            else Delivery(ShippingType.domestic, self.addresses[code.buyer])
        )
        basket = self._basket(wanted)
        row = self._expect(
            refusal,
            lambda: place_order(
                customer=customer, code=code.text, basket=basket, fulfilment=fulfilment, remark=""
            ),
        )
        if row and code.order:
            assert row.order_no == code.order.number
        elif row:
            self.books.make_order(code, wanted, now).number = row.order_no

    def _wanted(self, basket: Basketful, hour: int | None) -> Wanted:
        ordinary, promoted = basket
        units = {self.products[product].pk: count for product, count in ordinary.items()}
        place = self.warehouse.pk if hour is None else self.store.location_id
        at = None if hour is None else slots(self.store.hours.all(), timezone.now())[hour].starts_at
        return Wanted(units, {self.products[2].pk: promoted} if promoted else {}, place, at)

    def _basket(self, wanted: Wanted) -> Basket:
        promoted = [(self.promotion.pk, product, units) for product, units in wanted.promoted.items()]
        return Basket.of(wanted.ordinary.items(), promoted)

    def _buyer(self, pk: int) -> Customer:
        return next(buyer for buyer in self.buyers if buyer.pk == pk)

    @rule(code=codes)
    def cancel(self, code: Code) -> None:
        """Let a customer cancel an order."""
        order = code.order
        if order is None:
            return
        refusals = {UNPAID: None, PAID: Err.paid_cannot_cancel, CANCELED: Err.order_cancelled}
        customer = self._buyer(order.buyer)
        if self._expect(
            refusals[order.status], lambda: cancel_order(customer=customer, order_no=order.number)
        ):
            order.status = CANCELED

    # ── Payments ──────────────────────────────────────────────────────────────────────────────────────

    @rule(code=codes)
    def pay_from_wallet(self, code: Code) -> None:
        """Pay an order from its customer's wallet."""
        order = code.order
        if order is None:
            return
        refusal = self.books.refusal_of_payment(order, timezone.now())
        if refusal is None and self.books.wallets[order.buyer] < order.to_pay:
            refusal = Err.balance_insufficient
        self._expect(refusal, lambda: self._pay(order, WALLET))
        if refusal is None:
            payment = self.books.begin(order, WALLET, timezone.now())
            payment.state, order.status = "paid", PAID
            self.books.post(self.books.wallets, order.buyer, -order.to_pay, payment.reference)

    @rule(target=payments, code=codes, pay_type=st.sampled_from(REDIRECTING))
    def begin_to_pay(self, code: Code, pay_type: str) -> Any:
        """Send a customer to the gateway, or back to where they were sent before if that is still open."""
        order = code.order
        if order is None:
            return multiple()
        # Nothing was asked about so lately that it is not asked about again.
        self._pass(2)
        refusal = self.books.refusal_of_payment(order, timezone.now())
        if refusal is None:
            self.books.settle(order.open_payments(pay_type), timezone.now())
            refusal = self.books.refusal_of_payment(order, timezone.now())
        is_open = bool(order.open_payments(pay_type))
        if refusal is None and not is_open and len(order.payments) >= MAX_PAYMENTS:
            refusal = Err.too_frequent
        self._expect(refusal, lambda: self._pay(order, pay_type))
        if refusal or is_open:
            return multiple()
        return self.books.begin(order, pay_type, timezone.now())

    def _pay(self, order: Order, pay_type: str) -> str | None:
        return pay_order(
            customer=self._buyer(order.buyer),
            order_no=order.number,
            pay_type=pay_type,
            password=PASSWORD,
            language="en",
            site_url="http://127.0.0.1:1",
        )

    @rule(payment=payments, outcome=st.sampled_from(["paid", "paid", "declined", "0.01", "CNY"]))
    def decide(self, payment: Payment, outcome: str) -> None:
        """Let the gateway collect money, also of another amount or currency, or decline, without a notice."""
        if payment.charge == "paid" or payment.begun_at <= timezone.now() - timedelta(hours=24):
            return
        payment.charge = "declined" if outcome == "declined" else "paid"
        amount = Decimal(outcome) if outcome == "0.01" else payment.amount
        payment.collected = (amount, "CNY" if outcome == "CNY" else "AUD")
        decide(
            PaymentRow.objects.get(reference=payment.reference),
            SandboxCharge.State(payment.charge),
            amount=amount,
            currency=payment.collected[1],
        )

    @rule(payment=payments)
    def ask_about_payment(self, payment: Payment) -> None:
        """Ask the gateway about a payment, as after a notice."""
        refresh_payment(payment=PaymentRow.objects.get(reference=payment.reference))
        self.books.settle([payment], timezone.now())

    @rule(code=codes)
    def look_at_result(self, code: Code) -> None:
        """Let a customer look at the result, which asks about the open and failed payments."""
        order = code.order
        if order is None:
            return
        self._pass(2)
        rows = PaymentRow.objects.filter(next_query_at__isnull=False, order__order_no=order.number)
        asked = list(rows.order_by("-state", "-id").values_list("reference", flat=True)[:5])
        is_paid = order.status == PAID
        refresh_order(customer=self._buyer(order.buyer), order_no=order.number)
        if not is_paid:
            self._settle(asked)

    def _settle(self, references: list[str]) -> None:
        known = {payment.reference: payment for order in self.books.orders for payment in order.payments}
        self.books.settle([known[reference] for reference in references], timezone.now())

    # ── The clock ─────────────────────────────────────────────────────────────────────────────────────

    @rule()
    def sweep(self) -> None:
        """Do what the clock does each minute, and at night."""
        self._unswept = 0
        expire_due_orders()
        self.books.expire(timezone.now())
        due = PaymentRow.objects.filter(next_query_at__lte=timezone.now()).order_by("next_query_at")
        asked = list(due.values_list("reference", flat=True))
        query_open_payments()
        self._settle(asked)
        delete_expired_trades()
        self.books.purge(timezone.now())
        count_due_sales()
        for order in self.books.orders:
            order.is_counted |= order.status == PAID

    @rule(minutes=st.sampled_from([1, 1, 5, 9, 9, 31, 121, 25 * 60]))
    def wait(self, minutes: int) -> None:
        """Let time pass; the sweeps run as they must."""
        self._pass(minutes)

    def _pass(self, minutes: int) -> None:
        self._clock.shift(timedelta(minutes=minutes))
        self._unswept += minutes
        if self._unswept > MINUTES_BETWEEN_SWEEPS:
            self.sweep()

    # ── Staff ─────────────────────────────────────────────────────────────────────────────────────────

    @rule(product=PRODUCTS, units=UNITS, in_store=st.booleans())
    def receive(self, product: int, units: int, in_store: bool) -> None:
        """Receive units of a product."""
        location = self.store.location if in_store else self.warehouse
        pk = self.products[product].pk
        receive(location=location, units_by_product={pk: units}, reason=StockMovement.Reason.imported)
        self.books.on_hand[location.pk, pk] += units

    @rule(product=PRODUCTS, units=st.integers(0, 12), in_store=st.booleans())
    def take_stock(self, product: int, units: int, in_store: bool) -> None:
        """Set the units on hand to what was counted; what is held cannot be missing."""
        location = self.store.location if in_store else self.warehouse
        pk = self.products[product].pk
        refusal = Err.stock_insufficient if units < self.books.reserved()[location.pk, pk] else None
        self._expect(refusal, lambda: set_counted(location=location, units_by_product={pk: units}))
        if refusal is None:
            self.books.on_hand[location.pk, pk] = units

    @rule(product=PRODUCTS, price=st.sampled_from(["4.49", "7.00", "19.99"]))
    def change_price(self, product: int, price: str) -> None:
        """Change a price: orders that are made keep theirs."""
        row = Product.objects.get(pk=self.products[product].pk)
        row.price = self.books.prices[row.pk] = Decimal(price)
        save_product(row, ["price"])

    @rule(quota=st.integers(1, 9))
    def change_quota(self, quota: int) -> None:
        """Change the quota of the promotion, never below what is taken."""
        with locking_promotion(self.promotion.pk):
            item = PromotionItem.objects.get(pk=self.item.pk)
            item.quota = quota
            may_not_be = (
                quota < self.books.taken().total()
                or self.books.promotion_price > self.books.prices[item.product_id]
            )
            try:
                item.clean()
            except ValidationError:
                is_refused = True
            else:
                is_refused = False
                item.save()
                self.books.promotion_quota = quota
        assert is_refused == may_not_be

    @rule(buyer=BUYERS, dollars=st.sampled_from([100, 60, -30]), reference=REFERENCES)
    def move_money(self, buyer: int, dollars: int, reference: str) -> None:
        """Top a wallet up or correct it; the same reference counts once, and no wallet goes below zero."""
        customer, kind = self.buyers[buyer], LedgerAccount.Kind.wallet
        is_repeat = (customer.pk, "wallet", reference) in self.books.posted
        is_short = self.books.wallets[customer.pk] + dollars < 0
        refusal = Err.balance_insufficient if is_short and not is_repeat else None
        self._expect(refusal, lambda: self._post(customer, kind, dollars, reference))
        if refusal is None:
            self.books.post(self.books.wallets, customer.pk, dollars, reference)

    @rule(buyer=BUYERS, points=st.sampled_from([-7, 10]), reference=REFERENCES)
    def move_points(self, buyer: int, points: int, reference: str) -> None:
        """Give or take points, which may go below zero; the same reference counts once."""
        customer = self.buyers[buyer]
        self._post(customer, LedgerAccount.Kind.points, points, reference)
        self.books.post(self.books.points, customer.pk, points, reference)

    def _post(self, customer: Customer, kind: LedgerAccount.Kind, amount: int, reference: str) -> object:
        reason = LedgerEntry.Reason.adjustment
        return post(customer=customer, kind=kind, amount=Decimal(amount), reason=reason, reference=reference)

    # ── After each step ───────────────────────────────────────────────────────────────────────────────

    @invariant()
    def stock_is_what_the_orders_leave(self) -> None:
        """Compare counters, `sold_out`, hours and quotas."""
        books, reserved = self.books, self.books.reserved()
        levels = StockLevel.objects.values_list("location", "product", "on_hand", "reserved")
        assert {row[:2]: row[2:] for row in levels} == {
            place: (units, reserved[place]) for place, units in books.on_hand.items()
        }
        assert dict(Product.objects.values_list("pk", "sold_out")) == {
            product.pk: books.free(self.warehouse.pk, product.pk) < 1 for product in self.products
        }
        assert Counter(dict(PickupSlot.objects.values_list("starts_at", "booked"))) == books.booked()
        taken = books.taken()
        item = PromotionItem.objects.get(pk=self.item.pk)
        assert (item.quota, item.taken) == (books.promotion_quota, taken.total())
        assert Counter(dict(PromotionUse.objects.values_list("customer", "amount"))) == taken

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
