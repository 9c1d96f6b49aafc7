"""What customers may order and what it costs, by the books (docs/product.md, docs/guarantees/README.md)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from commerce.orders.status import is_paid
from core import clock
from core.errors import Err
from tools.chaos.machine.held import Held
from tools.chaos.machine.prices import Line, dollars, paid_with_points
from tools.chaos.machine.records import CANCELED, UNPAID, Code, Order, Wanted, units_of

A_DAY = timedelta(days=1)
PICKUP_FROM, PICKUP_UNTIL = timedelta(hours=2), timedelta(days=7)
# By the setting of `opened`.
POINTS_PER_CENT = 2


@dataclass
class Ordered(Held):
    """The books of what is ordered, and which orders are refused."""

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
        off = price * item.units
        return [Line(pk, item.units, price, pk in self.taxed, off, is_promoted=True, is_gift=True)]

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
        grams = sum(self.grams[line.product] * line.units for line in lines if not line.is_gift)
        return dollars(rule.price(grams, sum(line.total for line in lines)))

    def refusal_of_basket(self, buyer: int | None, wanted: Wanted, now: datetime) -> Err | None:
        """Return why products are not available to anyone, or to a guest, at these prices; None if they
        are."""
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
        if not self.has_voucher(buyer, wanted.voucher):
            return Err.voucher_used_up
        if voucher.is_for_first_orders and any(order.buyer == buyer for order in self.living()):
            return Err.voucher_first_order
        return voucher.refusal(self.lines(buyer, wanted))

    def has_voucher(self, buyer: int, voucher: int) -> bool:
        """Return True if a customer may have a voucher as far as its limits go."""
        uses, limits = self.voucher_uses(), self.vouchers[voucher]
        of_all = sum(count for (each, _), count in uses.items() if each == voucher)
        is_left = not limits.total_limit or of_all < limits.total_limit
        return is_left and (not limits.customer_limit or uses[voucher, buyer] < limits.customer_limit)

    def refusal_of_customer(self, buyer: int, wanted: Wanted, now: datetime) -> Err | None:
        """Return why a customer cannot order these products, wherever they go; None if they can."""
        refusal = self.refusal_of_basket(buyer, wanted, now)
        return refusal or self._refusal_of_more_unpaid(buyer, wanted, now)

    def refusal_of_preview(self, buyer: int | None, wanted: Wanted, now: datetime) -> Err | None:
        """Return why there is no preview, for a guest without a buyer; None if there is one."""
        if wanted.points % POINTS_PER_CENT:
            return Err.points_unusable
        refusal = self.refusal_of_basket(buyer, wanted, now)
        refusal = refusal or (None if self.is_anywhere(wanted) else Err.stock_insufficient)
        if refusal is None and buyer is None and wanted.points:
            refusal = Err.login_required
        return refusal or self._refusal_of_points(buyer, wanted) or self._beyond_goods(buyer, wanted, now)

    def _refusal_of_points(self, buyer: int | None, wanted: Wanted) -> Err | None:
        if wanted.points % POINTS_PER_CENT:
            return Err.points_unusable
        is_short = wanted.points and self.points[buyer] < wanted.points  # type: ignore[index]  # no guest's
        return Err.points_insufficient if is_short else None

    def _beyond_goods(self, buyer: int | None, wanted: Wanted, now: datetime) -> Err | None:
        """Return the refusal of points that pay more than the products, or all there is to pay; else None."""
        lines, cents = self.discounted(buyer, wanted), wanted.points // POINTS_PER_CENT
        freight = dollars(0) if wanted.hour else self.freight(lines, now)
        total = sum(line.total for line in lines)
        is_beyond = cents > total or dollars(total - cents) + freight <= 0
        return Err.points_beyond_goods if cents and is_beyond else None

    def _refusal_of_more_unpaid(self, buyer: int, wanted: Wanted, now: datetime) -> Err | None:
        amount = dollars(sum(line.total for line in self.discounted(buyer, wanted)))
        if amount > settings.MAX_UNPAID_AMOUNT:
            return Err.amount_above_limit
        never_paid = [order for order in self.orders if order.buyer == buyer and not order.was_paid]
        unpaid = [order for order in never_paid if order.status == UNPAID]
        if len(unpaid) >= settings.MAX_UNPAID_ORDERS:
            return Err.too_many_unpaid
        if sum((order.goods_amount for order in unpaid), amount) > settings.MAX_UNPAID_AMOUNT:
            return Err.too_many_unpaid
        today = [order for order in never_paid if order.made_at > now - A_DAY]
        if len(today) >= settings.MAX_UNPAID_ORDERS_A_DAY:
            return Err.too_many_unpaid_today
        held = sum((order.units for order in unpaid), Counter[int]())
        # What the gift adds counts for later orders only.
        if unpaid and any(held[pk] + units > self.most(pk) for pk, units in wanted.units.items()):
            return Err.too_many_unpaid
        return None

    def _refusal_of_place(self, buyer: int, wanted: Wanted) -> Err | None:
        mine = [order for order in self.orders if order.buyer == buyer]
        has_paid = any(is_paid(order.status) for order in mine)
        hours = [order.wanted.hour for order in mine if order.status == UNPAID]
        return Err.one_unpaid_place if wanted.hour and wanted.hour in hours and not has_paid else None

    def refusal_of_order(self, code: Code, wanted: Wanted, now: datetime) -> Err | None:
        """Return why a code does not make this order; None if it does, or if it has made this very order."""
        if code.is_deleted:
            return Err.parameter_error
        if code.order:
            return None if code.order.wanted == wanted else Err.order_exists
        if code.expires_at <= now:
            return Err.order_timeout
        if not self.is_anywhere(wanted):
            # A request for missing products gets no answer that their voucher would change.
            without = replace(wanted, voucher=None)
            return self.refusal_of_customer(code.buyer, without, now) or Err.stock_insufficient
        refusal = self._refusal_of_points(code.buyer, wanted)
        refusal = refusal or self.refusal_of_customer(code.buyer, wanted, now)
        refusal = refusal or self._refusal_of_place(code.buyer, wanted)
        if refusal:
            return refusal
        if wanted.hour and not self.has_hour(wanted.hour, now):
            return Err.parameter_error
        if refusal := self._beyond_goods(code.buyer, wanted, now):
            return refusal
        return None if self.has_units(wanted) else Err.stock_insufficient

    def is_anywhere(self, wanted: Wanted) -> bool:
        """Return True if any place has all units."""
        return any(self.has_units(wanted, place) for place, _ in self.on_hand)

    def has_units(self, wanted: Wanted, place: int | None = None) -> bool:
        """Return True if a place, by default the wanted one, has all units."""
        place = place or wanted.place
        return all(self.free(place, product) >= units for product, units in wanted.units.items())

    def has_hour(self, hour: datetime, now: datetime) -> bool:
        """Return True if an hour can be booked now."""
        return now + PICKUP_FROM <= hour < now + PICKUP_UNTIL and self.booked()[hour] < self.per_hour

    def make_order(self, code: Code, wanted: Wanted, now: datetime) -> Order:
        """Make the order of a code; what is ordered at ordinary prices leaves the cart."""
        hold = timedelta(minutes=settings.ORDER_HOLD_MINUTES)
        lines = self.discounted(code.buyer, wanted)
        # What is sent is weighed before the place is asked for the gift.
        freight = dollars(0) if wanted.hour else self.freight(lines, now)
        lines = paid_with_points(self.lines_at(wanted.place, lines), wanted.points // POINTS_PER_CENT)
        rate = self.levels[self.level_of[code.buyer]][1]
        code.order = Order(code.buyer, wanted, lines, freight, now, expires_at=now + hold, rate=rate)
        self.points[code.buyer] -= wanted.points
        self.orders.append(code.order)
        for product, units in wanted.ordinary.items():
            self.put_in_cart(code.buyer, product, self.carts.get((code.buyer, product), 0) - units)
        return code.order

    def purge(self, now: datetime) -> None:
        """Forget the codes without an order, a day after their end."""
        for code in self.codes:
            code.is_deleted |= code.order is None and code.expires_at < now - A_DAY

    def expire(self, now: datetime) -> None:
        """End the unpaid orders that are past their time."""
        for order in self.orders:
            if order.status == UNPAID and order.expires_at <= now:
                self.end_unpaid(order)

    def end_unpaid(self, order: Order) -> None:
        """End an order that is not paid, and give its points back."""
        order.end(CANCELED)
        self.points[order.buyer] += order.wanted.points
