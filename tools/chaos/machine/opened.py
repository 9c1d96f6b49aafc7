"""A shop as an example of the state machine finds it, and the books with the same content.

All of an example happens in one transaction, which is rolled back at its end: the next one finds an empty
shop again.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

import time_machine
from django.db import connection, transaction
from django.test import override_settings
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine

from catalog.goods.tests.builders import make_brand, make_product
from catalog.promotions import offers
from catalog.promotions.models import Promotion as PromotionRow
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.tests.builders import make_location, stock
from commerce.accounts.models import Customer
from commerce.accounts.tests.builders import make_address, make_customer, make_level
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from commerce.ledger.models import LedgerAccount, LedgerEntry
from commerce.ledger.services import post
from commerce.payments.tests.builders import make_pay_types
from commerce.refunds.tests.builders import make_staff
from commerce.shipments.tests.builders import make_carrier
from commerce.vouchers.tests.builders import make_voucher
from config.audits.books import all_differences
from core import clock
from core.errors import Err, ShopError
from tools.chaos.machine.books import Books
from tools.chaos.machine.moody_gateway import Gateway
from tools.chaos.machine.ordered import POINTS_PER_CENT
from tools.chaos.machine.prices import Freight, Item, Promotion, Voucher, dollars
from tools.chaos.machine.records import REDIRECTING, Code, Order, Payment

R = TypeVar("R")

# Times are whole minutes later, so that none comes near the moment at which something ends.
START = datetime(2027, 3, 1, 2, 7, 30, tzinfo=UTC)
PROMOTED_FOR = timedelta(hours=26)
LIMITS = {"MAX_UNPAID_ORDERS": 3, "MAX_UNPAID_ORDERS_A_DAY": 6, "MAX_UNPAID_AMOUNT": 250}
POINTS = {"POINTS_PER_DOLLAR": 100 * POINTS_PER_CENT}
# Counted wrong for no password: how a password is hashed is no subject here.
QUICK = {"PASSWORD_HASHERS": ["tests.hashers.QuickArgon2"], "SANDBOX_GATEWAY": True}

SITE = "http://127.0.0.1:1"
PAY_TYPES = st.sampled_from(REDIRECTING)
LAST_PLACE = 4
PLACES = st.integers(0, LAST_PLACE)
BUYERS, PRODUCTS = st.integers(0, 2), st.integers(0, 2)
UNITS = st.integers(1, 5)

# Each with its order, where it made one.
CODES: Bundle[Code] = Bundle("codes")
PAYMENTS: Bundle[Payment] = Bundle("payments")


@contextmanager
def _rolled_back() -> Iterator[None]:
    """Let services believe that what they commit is committed, and roll it back at the end."""
    example = transaction.atomic()
    # As the tests' own transactions, so that what refuses to be nested is not refused.
    example._from_testcase = True  # type: ignore[attr-defined]  # Django's mark
    with example:
        yield
        transaction.set_rollback(True)


class OpenedShop(RuleBasedStateMachine):
    """Three customers, three products that are all in one promotion, three vouchers, a warehouse, a store."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks = ExitStack()
        try:
            self._open()
        except BaseException:
            self._blocks.close()
            raise

    def _open(self) -> None:
        self._blocks.enter_context(override_settings(**LIMITS, **POINTS, **QUICK))
        self._clock = self._blocks.enter_context(time_machine.travel(START))
        self._blocks.enter_context(_rolled_back())
        self.gateway = Gateway()
        self._blocks.enter_context(self.gateway.answering())
        make_pay_types()
        self.buyers = [make_customer(account=f"{name}@example.com") for name in ("ann", "bo", "cai")]
        self.addresses = {buyer.pk: make_address(buyer).pk for buyer in self.buyers}
        self.warehouse = make_location(code="warehouse", fills_deliveries=True)
        self.store = make_shop(per_hour=2)
        brand = make_brand()
        self.products = [
            make_product(price=Decimal("20.00"), net_weight=1000, gst_free=False, brand=brand),
            make_product(price=Decimal("4.49"), net_weight=500, limit_amount=4),
            make_product(price=Decimal("10.00"), net_weight=700, brand=brand),
        ]
        self.books = Books(
            prices={product.pk: int(product.price * 100) for product in self.products},
            taxed={product.pk for product in self.products if not product.gst_free},
            limits={product.pk: product.limit_amount for product in self.products},
            grams={product.pk: product.net_weight for product in self.products},
            warehouse=self.warehouse.pk,
            per_hour=2,
            promotion=self._promotion(),
            vouchers=self._vouchers({product.pk for product in self.products if product.brand == brand}),
            freights=self._freights(),
            levels=self._make_levels(),
        )
        self.promotion = self._make_promotion(self.books.promotion)
        self.vouchers = [
            make_voucher(
                str(dollars(each.value)),
                *([] if len(each.products) == 3 else [brand]),
                kind="percent" if each.is_percent else "fixed",
                from_amount=dollars(each.from_amount),
                total_limit=each.total_limit,
                customer_limit=each.customer_limit,
                first_order_only=each.is_for_first_orders,
                ends_at=each.ends_at,
            )
            for each in self.books.vouchers
        ]
        now, later = self.books.freights
        until = later.valid_from - timedelta(days=1)
        self.freight_rules = [
            make_freight_rule(first_price=dollars(now.first), valid_from=now.valid_from, valid_until=until),
            make_freight_rule(first_price=dollars(later.first), valid_from=later.valid_from),
        ]
        for product, units, in_store in zip(self.products, (9, 6, 8), (4, 2, 3), strict=True):
            for place, count in ((self.warehouse, units), (self.store.location, in_store)):
                stock(product, count, place)
                self.books.on_hand[place.pk, product.pk] = count
        for customer in self.buyers:
            self._post(customer, LedgerAccount.Kind.wallet, 30, "opening")
            self.books.wallets[customer.pk] = Decimal(30)
            self._post(customer, LedgerAccount.Kind.points, 500, "opening")
            self.books.points[customer.pk] = 500
        self.staff, self.carrier = make_staff(), make_carrier()

    def _promotion(self) -> Promotion:
        gift, small, large = (product.pk for product in self.products)
        return Promotion(
            items={
                gift: Item(price=1800, units=1, quota=5, limit=3),
                small: Item(price=399, units=2, quota=9, limit=0),
                large: Item(price=750, units=1, quota=6, limit=4),
            },
            gift=gift,
            ends_at=timezone.now() + PROMOTED_FOR,
        )

    def _make_promotion(self, model: Promotion) -> PromotionRow:
        row = make_promotion(
            ends_at=model.ends_at,
            percent_off=model.percent_off,
            buy_units=model.buy_units,
            free_units=model.free_units,
            gift_from=dollars(model.gift_from),
            bundle_price=dollars(model.bundle_price),
        )
        by_pk = {product.pk: product for product in self.products}
        for pk, item in model.items.items():
            limits = {"quota": item.quota, "limit_amount": item.limit}
            promote(row, by_pk[pk], str(dollars(item.price)), units=item.units, **limits)
        return row

    def _vouchers(self, of_brand: set[int]) -> list[Voucher]:
        now, everything = timezone.now(), {product.pk for product in self.products}
        return [
            Voucher(everything, 500, from_amount=2000, total_limit=3, ends_at=now + timedelta(hours=20)),
            Voucher(of_brand, 3333, True, customer_limit=1, ends_at=now + timedelta(hours=40)),
            Voucher(everything, 200, is_for_first_orders=True, ends_at=now + timedelta(hours=50)),
        ]

    def _freights(self) -> list[Freight]:
        """Return two rules: of yesterday, and of the day after tomorrow."""
        today = timezone.localdate(timezone=clock.shop_zone())
        return [Freight(today - timedelta(days=1), 990), Freight(today + timedelta(days=2), 1190)]

    def _make_levels(self) -> list[tuple[int, int]]:
        """Make the level that everybody begins with, and one that spending gives."""
        levels = [(0, 250), (4000, 333)]
        for number, (cents, rate) in enumerate(levels, 1):
            level = make_level(number)
            level.yearly_spend, level.points_rate = dollars(cents) or None, dollars(rate)
            level.save()
        return levels

    def choose_points(self, points_at: str) -> None:
        """Let orders earn their points when they are completed, or paid."""
        self._blocks.enter_context(override_settings(POINTS_EARNED_AT=points_at))
        self.books.points_at = points_at

    def choose_kind(self, kind: str) -> None:
        """Let the promotion be of a kind, in the shop and in the books."""
        self.books.promotion.kind = self.promotion.kind = kind
        self.promotion.save()
        item = self.promotion.items.get(product=self.books.promotion.gift)
        item.is_gift = kind == "gift"
        item.save()
        offers.invalidate()

    def teardown(self) -> None:
        """Audit everything, the search index too, and roll it back."""
        try:
            connection.check_constraints()
            assert [str(difference) for difference in all_differences()] == []
        finally:
            self._blocks.close()
            offers.invalidate()

    def _expect(self, refusal: Err | None, act: Callable[[], R]) -> R | None:
        """Act, which must be refused so or succeed; returns the outcome of a success."""
        outcome, refused = None, None
        try:
            outcome = act()
        except ShopError as error:
            refused = error.err
        assert refused is refusal, f"{refused} instead of {refusal}"
        return outcome

    def _order_at(self, place: int) -> Order | None:
        """Return one of the paid orders, for the last place any; None where there is none."""
        orders = [order for order in self.books.orders if order.was_paid or place == LAST_PLACE]
        return orders[place % len(orders)] if orders else None

    def _buyer(self, pk: int) -> Customer:
        return next(buyer for buyer in self.buyers if buyer.pk == pk)

    def _post(self, customer: Customer, kind: LedgerAccount.Kind, amount: int, reference: str) -> object:
        reason = LedgerEntry.Reason.opening
        return post(customer=customer, kind=kind, amount=Decimal(amount), reason=reason, reference=reference)
