"""What the books must say after each step, in plain dictionaries and without a query (docs/guarantees.md)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from config.storm.machine.prices import Freight, Line, Promotion, Voucher, dollars
from config.storm.machine.records import CANCELED, PAID, UNPAID, Code, Order, Payment, Wanted, units_of
from core import clock
from core.errors import Err

MAX_PAYMENTS = 20
A_DAY = timedelta(days=1)
CODE_VALID, CHARGE_OPEN = timedelta(hours=2), timedelta(hours=24)
PICKUP_FROM, PICKUP_UNTIL = timedelta(hours=2), timedelta(days=7)


@dataclass
class Books:
    """Everything the shop has to remember; `limits`: most units of a product for one customer, 0 for none.

    `prices`: cents. `taxed`: products with GST. `per_hour`: customers that are handed out to in one hour.
    `freights`: by day.
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
            for product, units in order.units.items():
                held[order.wanted.place, product] += units
        return held

    def free(self, place: int, product: int) -> int:
        """Return the units of a product that can be bought at a place."""
        return self.on_hand[place, product] - self.reserved()[place, product]

    def taken(self) -> Counter[int]:
        """Count the units of each product that are taken of the promotion."""
        return sum((order.promoted for order in self.living()), Counter())

    def shares(self) -> Counter[tuple[int, int]]:
        """Count the units of the promotion that each customer has, by customer and product."""
        shares: Counter[tuple[int, int]] = Counter()
        for order in self.living():
            for product, units in order.promoted.items():
                shares[order.buyer, product] += units
        return shares

    def voucher_uses(self) -> Counter[tuple[int, int]]:
        """Count the orders with each voucher of each customer, by voucher and customer."""
        uses: Counter[tuple[int, int]] = Counter()
        for order in self.living():
            if order.wanted.voucher is not None:
                uses[order.wanted.voucher, order.buyer] += 1
        return uses

    def booked(self) -> Counter[datetime]:
        """Count the customers of each pick-up hour."""
        return Counter(order.wanted.hour for order in self.living() if order.wanted.hour)

    def sold(self) -> Counter[int]:
        """Count the units of paid orders that the sweep has counted."""
        return sum((order.units for order in self.orders if order.is_counted), Counter())

    # ── Carts ─────────────────────────────────────────────────────────────────────────────────────────

    def most(self, product: int) -> int:
        """Return the most units of a product that one customer may order without having paid for them."""
        return self.limits[product] or settings.MAX_UNPAID_UNITS

    def buyable(self, product: int) -> int:
        """Return the most units of a product that a cart may have."""
        return min(self.free(self.warehouse, product), self.most(product))

    # ── Orders ────────────────────────────────────────────────────────────────────────────────────────

    def lines(self, buyer: int | None, wanted: Wanted) -> list[Line]:
        """Price what is wanted now, with the gift that a customer can have of it; without the voucher."""
        ordinary = [
            Line(pk, units, self.prices[pk], pk in self.taxed) for pk, units in wanted.ordinary.items()
        ]
        promoted = self.promotion.lines(wanted.promoted, self.prices, self.taxed)
        return ordinary + promoted + self._gift(buyer, wanted, promoted)

    def _gift(self, buyer: int | None, wanted: Wanted, promoted: Sequence[Line]) -> list[Line]:
        pk = self.promotion.gift
        item = self.promotion.items[pk]
        if not self.promotion.earns_gift(promoted):
            return []
        # The warehouse alone has gifts to give; where an order is picked up they must be too.
        if self.free(self.warehouse, pk) < wanted.units[pk] + item.units:
            return []
        share = self.shares()[buyer, pk] if buyer is not None else 0
        if self.taken()[pk] + item.units > item.quota or (item.limit and share + item.units > item.limit):
            return []
        price = self.prices[pk]
        return [Line(pk, item.units, price, pk in self.taxed, price * item.units, True, is_gift=True)]

    def discounted(self, buyer: int | None, wanted: Wanted) -> list[Line]:
        """Price what is wanted now, the voucher taken off too."""
        lines = self.lines(buyer, wanted)
        return lines if wanted.voucher is None else self.vouchers[wanted.voucher].taken_off(lines)

    def lines_at(self, place: int, lines: list[Line]) -> list[Line]:
        """Return what an order has from a place, which may lack the gift."""
        has_all = all(self.free(place, pk) >= units for pk, units in units_of(lines).items())
        return lines if has_all else [line for line in lines if not line.is_gift]

    def freight(self, lines: Sequence[Line], now: datetime) -> Decimal:
        """Return what sending lines costs on a day."""
        day = timezone.localdate(now, timezone=clock.shop_zone())
        rule = [rule for rule in self.freights if rule.valid_from <= day][-1]
        grams = sum(self.grams[line.product] * line.units for line in lines)
        return dollars(rule.price(grams, sum(line.total for line in lines)))

    def refusal_of_basket(self, buyer: int | None, wanted: Wanted, now: datetime) -> Err | None:
        """Tell why products cannot be had by anybody, or a guest, at these prices; None if they can."""
        promotion = self.promotion
        if wanted.promoted and now >= promotion.ends_at:
            return Err.parameter_error
        if wanted.promoted.keys() - promotion.products:
            return Err.goods_error
        if any(units > self.most(product) for product, units in wanted.units.items()):
            return Err.amount_above_limit
        shares = self.shares()
        for pk, units in wanted.promoted.items():
            limit = promotion.items[pk].limit
            if limit and (0 if buyer is None else shares[buyer, pk]) + units > limit:
                return Err.amount_above_limit
        taken = self.taken()
        if any(taken[pk] + units > promotion.items[pk].quota for pk, units in wanted.promoted.items()):
            return Err.stock_insufficient
        return self._refusal_of_voucher(buyer, wanted, now)

    def _refusal_of_voucher(self, buyer: int | None, wanted: Wanted, now: datetime) -> Err | None:
        if wanted.voucher is None:
            return None
        if buyer is None:
            return Err.login_required
        voucher = self.vouchers[wanted.voucher]
        if not voucher.is_active:
            return Err.voucher_unknown
        if now >= voucher.ends_at:
            return Err.voucher_ended
        if not self._has_voucher(buyer, wanted.voucher):
            return Err.voucher_used_up
        if voucher.is_for_first_orders and any(order.buyer == buyer for order in self.living()):
            return Err.voucher_first_order
        return voucher.refusal(self.lines(buyer, wanted))

    def _has_voucher(self, buyer: int, voucher: int) -> bool:
        uses, limits = self.voucher_uses(), self.vouchers[voucher]
        of_all = sum(count for (each, _), count in uses.items() if each == voucher)
        is_left = not limits.total_limit or of_all < limits.total_limit
        return is_left and (not limits.customer_limit or uses[voucher, buyer] < limits.customer_limit)

    def refusal_of_customer(self, buyer: int, wanted: Wanted, now: datetime) -> Err | None:
        """Tell why a customer cannot order these products, wherever they go; None if they can."""
        refusal = self.refusal_of_basket(buyer, wanted, now)
        return refusal or self._refusal_of_more_unpaid(buyer, wanted, now)

    def refusal_of_preview(self, buyer: int | None, wanted: Wanted, now: datetime) -> Err | None:
        """Tell why what is wanted has no preview, of a guest for no buyer; None if it has."""
        refusal = self.refusal_of_basket(buyer, wanted, now)
        return refusal or (None if self.is_anywhere(wanted) else Err.stock_insufficient)

    def _refusal_of_more_unpaid(self, buyer: int, wanted: Wanted, now: datetime) -> Err | None:
        amount = dollars(sum(line.total for line in self.discounted(buyer, wanted)))
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
        held = sum((order.units for order in unpaid), Counter[int]())
        # What the gift adds counts for later orders only.
        if unpaid and any(held[pk] + units > self.most(pk) for pk, units in wanted.units.items()):
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
        if not self.is_anywhere(wanted):
            # Whoever wants what nobody has hears of nothing that their voucher would change.
            without = replace(wanted, voucher=None)
            return self.refusal_of_customer(code.buyer, without, now) or Err.stock_insufficient
        refusal = self.refusal_of_customer(code.buyer, wanted, now)
        if refusal:
            return refusal
        if wanted.hour and not self._has_hour(wanted.hour, now):
            return Err.parameter_error
        return None if self.has_units(wanted) else Err.stock_insufficient

    def is_anywhere(self, wanted: Wanted) -> bool:
        """Tell whether any place has all units."""
        return any(self.has_units(wanted, place) for place, _ in self.on_hand)

    def has_units(self, wanted: Wanted, place: int | None = None) -> bool:
        """Tell whether a place, by default the wanted one, has all units."""
        place = place or wanted.place
        return all(self.free(place, product) >= units for product, units in wanted.units.items())

    def _has_hour(self, hour: datetime, now: datetime) -> bool:
        return now + PICKUP_FROM <= hour < now + PICKUP_UNTIL and self.booked()[hour] < self.per_hour

    def make_order(self, code: Code, wanted: Wanted, now: datetime) -> Order:
        """Make the order of a code; what is ordered at ordinary prices leaves the cart."""
        hold = timedelta(minutes=settings.ORDER_HOLD_MINUTES)
        lines = self.discounted(code.buyer, wanted)
        # What is sent is weighed before the place is asked for the gift.
        freight = dollars(0) if wanted.hour else self.freight(lines, now)
        lines = self.lines_at(wanted.place, lines)
        code.order = Order(code.buyer, wanted, lines, freight, made_at=now, expires_at=now + hold)
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
        wanted, taken, shares = order.wanted, self.taken(), self.shares()
        items = [(pk, units, self.promotion.items[pk]) for pk, units in order.promoted.items()]
        return (
            (wanted.hour is None or self._has_hour(wanted.hour, now))
            and all(taken[pk] + units <= item.quota for pk, units, item in items)
            and all(not i.limit or shares[order.buyer, pk] + units <= i.limit for pk, units, i in items)
            and (wanted.voucher is None or self._has_voucher(order.buyer, wanted.voucher))
            and all(self.free(wanted.place, pk) >= units for pk, units in order.units.items())
        )
