"""What the books must say after each step, in plain dictionaries and without a query (docs/guarantees.md)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings

from core.errors import Err

UNPAID, PAID, CANCELED = 1, 2, 10
MAX_PAYMENTS = 20
A_DAY = timedelta(days=1)
CODE_VALID, CHARGE_OPEN = timedelta(hours=2), timedelta(hours=24)
PICKUP_FROM, PICKUP_UNTIL = timedelta(hours=2), timedelta(days=7)
ZERO = Decimal("0.00")


@dataclass(frozen=True)
class Wanted:
    """What an order asks for: units by product at ordinary prices and at the promotion's, from which place.

    `hour`: when it is picked up; None for a delivery.
    """

    ordinary: Mapping[int, int]
    promoted: Mapping[int, int]
    place: int
    hour: datetime | None

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
    goods_amount: Decimal
    freight: Decimal
    made_at: datetime
    expires_at: datetime
    number: str = ""
    status: int = UNPAID
    is_counted: bool = False
    payments: list[Payment] = field(default_factory=list)

    @property
    def to_pay(self) -> Decimal:
        """What it costs."""
        return self.goods_amount + self.freight

    def open_payments(self, pay_type: str) -> list[Payment]:
        """Return those of its payments of a pay type whose end nobody knows yet."""
        return [each for each in self.payments if each.pay_type == pay_type and each.state == "pending"]


@dataclass
class Books:
    """Everything the shop has to remember; `limits`: most units of a product for one customer, 0 for none.

    `per_hour`: customers that are handed out to in one hour.
    """

    prices: dict[int, Decimal]
    limits: dict[int, int]
    grams: dict[int, int]
    warehouse: int
    per_hour: int
    promotion_price: Decimal
    promotion_quota: int
    promotion_limit: int
    promotion_ends_at: datetime
    on_hand: Counter[tuple[int, int]] = field(default_factory=Counter)
    wallets: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    posted: set[tuple[int, str, str]] = field(default_factory=set)
    carts: dict[tuple[int, int], int] = field(default_factory=dict)
    codes: list[Code] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)

    # ── What follows from the orders ──────────────────────────────────────────────────────────────────

    def living(self) -> list[Order]:
        """Return the orders that hold units: all that are not canceled."""
        return [order for order in self.orders if order.status != CANCELED]

    def reserved(self) -> Counter[tuple[int, int]]:
        """Count the units held at each place, by place and product."""
        held: Counter[tuple[int, int]] = Counter()
        for order in self.living():
            for product, units in order.wanted.units.items():
                held[order.wanted.place, product] += units
        return held

    def free(self, place: int, product: int) -> int:
        """Return the units of a product that can be bought at a place."""
        return self.on_hand[place, product] - self.reserved()[place, product]

    def taken(self) -> Counter[int]:
        """Count the units of the promotion that each customer has."""
        taken: Counter[int] = Counter()
        for order in self.living():
            taken[order.buyer] += sum(order.wanted.promoted.values())
        return taken

    def booked(self) -> Counter[datetime]:
        """Count the customers of each pick-up hour."""
        return Counter(order.wanted.hour for order in self.living() if order.wanted.hour)

    def sold(self) -> Counter[int]:
        """Count the units of paid orders that the sweep has counted."""
        return sum((order.wanted.units for order in self.orders if order.is_counted), Counter())

    # ── Carts ─────────────────────────────────────────────────────────────────────────────────────────

    def most(self, product: int) -> int:
        """Return the most units of a product that one customer may order without having paid for them."""
        return self.limits[product] or settings.MAX_UNPAID_UNITS

    def buyable(self, product: int) -> int:
        """Return the most units of a product that a cart may have."""
        return min(self.free(self.warehouse, product), self.most(product))

    # ── Orders ────────────────────────────────────────────────────────────────────────────────────────

    def goods_amount(self, wanted: Wanted) -> Decimal:
        """Return what the products cost now."""
        ordinary = sum((self.prices[pk] * units for pk, units in wanted.ordinary.items()), ZERO)
        promoted = sum(
            (min(self.prices[pk], self.promotion_price) * units for pk, units in wanted.promoted.items()),
            ZERO,
        )
        return ordinary + promoted

    def freight(self, wanted: Wanted) -> Decimal:
        """Return what sending costs: 9.90 for the first kilogram, 2.50 for each further 500 g."""
        if wanted.hour:
            return ZERO
        grams = sum(self.grams[product] * units for product, units in wanted.units.items())
        return Decimal("9.90") + -(-max(0, grams - 1000) // 500) * Decimal("2.50")

    def refusal_of_basket(self, buyer: int, wanted: Wanted, now: datetime) -> Err | None:
        """Tell why these products cannot be ordered by a customer, wherever they go; None if they can."""
        promoted = sum(wanted.promoted.values())
        if promoted and now >= self.promotion_ends_at:
            return Err.parameter_error
        if any(units > self.most(product) for product, units in wanted.units.items()):
            return Err.amount_above_limit
        if promoted and self.taken()[buyer] + promoted > self.promotion_limit:
            return Err.amount_above_limit
        if self.taken().total() + promoted > self.promotion_quota:
            return Err.stock_insufficient
        return self._refusal_of_more_unpaid(buyer, wanted, now)

    def _refusal_of_more_unpaid(self, buyer: int, wanted: Wanted, now: datetime) -> Err | None:
        amount = self.goods_amount(wanted)
        if amount > settings.MAX_UNPAID_AMOUNT:
            return Err.amount_above_limit
        open_or_ended = [o for o in self.orders if o.buyer == buyer and o.status in (UNPAID, CANCELED)]
        unpaid = [order for order in open_or_ended if order.status == UNPAID]
        if len(unpaid) >= settings.MAX_UNPAID_ORDERS:
            return Err.too_many_unpaid
        if sum((order.goods_amount for order in unpaid), amount) > settings.MAX_UNPAID_AMOUNT:
            return Err.too_many_unpaid
        today = [order for order in open_or_ended if order.made_at > now - A_DAY]
        if len(today) >= settings.MAX_UNPAID_ORDERS_A_DAY:
            return Err.too_many_unpaid_today
        held = sum((order.wanted.units for order in unpaid), Counter[int]())
        if any(held[product] + units > self.most(product) for product, units in wanted.units.items()):
            return Err.too_many_unpaid
        return None

    def refusal_of_order(self, code: Code, wanted: Wanted, now: datetime) -> Err | None:
        """Tell why a code does not make this order; None if it does, or if it has made this very order."""
        if code.is_deleted:
            return Err.parameter_error
        if code.order:
            return None if code.order.wanted == wanted else Err.order_exists
        if code.expires_at <= now:
            return Err.order_timeout
        refusal = self.refusal_of_basket(code.buyer, wanted, now)
        if refusal:
            return refusal
        if not any(self.has_units(wanted, place) for place, _ in self.on_hand):
            return Err.stock_insufficient
        if wanted.hour and not self._has_hour(wanted.hour, now):
            return Err.parameter_error
        return None if self.has_units(wanted) else Err.stock_insufficient

    def has_units(self, wanted: Wanted, place: int | None = None) -> bool:
        """Tell whether a place, by default the wanted one, has all units."""
        place = place or wanted.place
        return all(self.free(place, product) >= units for product, units in wanted.units.items())

    def _has_hour(self, hour: datetime, now: datetime) -> bool:
        return now + PICKUP_FROM <= hour < now + PICKUP_UNTIL and self.booked()[hour] < self.per_hour

    def make_order(self, code: Code, wanted: Wanted, now: datetime) -> Order:
        """Make the order of a code; what is ordered at ordinary prices leaves the cart."""
        hold = timedelta(minutes=settings.ORDER_HOLD_MINUTES)
        amounts = self.goods_amount(wanted), self.freight(wanted)
        code.order = Order(code.buyer, wanted, *amounts, made_at=now, expires_at=now + hold)
        self.orders.append(code.order)
        for product, units in wanted.ordinary.items():
            self.put_in_cart(code.buyer, product, self.carts.get((code.buyer, product), 0) - units)
        return code.order

    def put_in_cart(self, buyer: int, product: int, units: int) -> None:
        """Let a cart have so many units of a product, none for less than one."""
        if units < 1:
            self.carts.pop((buyer, product), None)
        else:
            self.carts[buyer, product] = units

    def purge(self, now: datetime) -> None:
        """Forget the codes that nobody ordered with, a day after their end."""
        for code in self.codes:
            code.is_deleted |= code.order is None and code.expires_at < now - A_DAY

    def expire(self, now: datetime) -> None:
        """End the unpaid orders that are past their time."""
        for order in self.orders:
            if order.status == UNPAID and order.expires_at <= now:
                order.status = CANCELED

    # ── Payments ──────────────────────────────────────────────────────────────────────────────────────

    def refusal_of_payment(self, order: Order, now: datetime) -> Err | None:
        """Tell why an order cannot be paid; None if it can."""
        if order.status == CANCELED:
            return Err.order_cancelled
        if order.status != UNPAID:
            return Err.order_paid
        return Err.order_timeout if order.expires_at <= now else None

    def begin(self, order: Order, pay_type: str, now: datetime) -> Payment:
        """Begin to pay an order."""
        reference = f"{order.number}-{len(order.payments) + 1}"
        payment = Payment(order, reference, pay_type, order.to_pay, now)
        order.payments.append(payment)
        return payment

    def post(self, balances: Counter[int], buyer: int, amount: Decimal | int, reference: str) -> None:
        """Move a balance, once for each reference."""
        entry = (buyer, "wallet" if balances is self.wallets else "points", reference)
        if entry not in self.posted:
            self.posted.add(entry)
            balances[buyer] += amount  # type: ignore[assignment]  # dollars are decimal

    def settle(self, payments: Iterable[Payment], now: datetime) -> None:
        """Apply what the gateway knows of payments, one after the other."""
        for payment in payments:
            if payment.state == "paid":
                continue
            if payment.charge == "paid":
                self._capture(payment, now)
            elif payment.charge == "declined" or payment.begun_at <= now - CHARGE_OPEN:
                payment.state = "failed"

    def _capture(self, payment: Payment, now: datetime) -> None:
        assert payment.collected
        payment.state = "paid"
        amount, currency = payment.collected
        order = payment.order
        if currency != "AUD":
            reason = "wrong_currency"
        elif amount != payment.amount:
            reason = "wrong_amount"
        elif order.status == UNPAID or (order.status == CANCELED and self._fits_again(order, now)):
            order.status = PAID
            return
        else:
            reason = "order_canceled" if order.status == CANCELED else "paid_twice"
        payment.refund = (amount, currency, reason)

    def _fits_again(self, order: Order, now: datetime) -> bool:
        wanted, promoted = order.wanted, sum(order.wanted.promoted.values())
        return (
            (wanted.hour is None or self._has_hour(wanted.hour, now))
            and self.taken().total() + promoted <= self.promotion_quota
            and (not promoted or self.taken()[order.buyer] + promoted <= self.promotion_limit)
            and self.has_units(wanted)
        )
