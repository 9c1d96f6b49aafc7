"""Steps of customers who look what an order would cost, order, and cancel."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import initialize, multiple, rule

from commerce.accounts.models import Customer
from commerce.delivery.freight import Region
from commerce.delivery.shipping import ShippingType
from commerce.delivery.slots import slots
from commerce.orders.pricing import PricedLine
from commerce.orders.requests import Basket, Delivery, Fulfilment, OrderIntent, PickUp
from commerce.orders.services import cancel_order, open_trade, place_order, preview_order
from core.errors import Err
from tools.chaos.machine.opened import BUYERS, CODES, PRODUCTS
from tools.chaos.machine.ordered import POINTS_PER_CENT
from tools.chaos.machine.paying import Paying
from tools.chaos.machine.prices import KINDS, dollars, freight_gst, paid_with_points
from tools.chaos.machine.records import CANCELED, UNPAID, Code, Wanted

HOURS = st.none() | st.integers(0, 2)


@dataclass(frozen=True)
class Choice:
    """Units of products at ordinary prices and at the promotion's, points, and a voucher, None for none."""

    ordinary: dict[int, int]
    promoted: dict[int, int]
    voucher: int | None = None
    points: int = 0


# Of all three products, as a bundle needs them, or of some.
_PROMOTED = st.fixed_dictionaries({0: st.integers(1, 2), 1: st.integers(2, 3), 2: st.integers(1, 2)}) | (
    st.dictionaries(PRODUCTS, st.integers(1, 4), max_size=2)
)
CHOICES = st.builds(
    Choice,
    st.dictionaries(PRODUCTS, st.integers(1, 3), max_size=2),
    st.just({}) | _PROMOTED,
    st.sampled_from([None, None, None, 0, 1, 2]),
    st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2, 334, 500, 3000]),
).filter(lambda choice: choice.ordinary or choice.promoted)


class Ordering(Paying):
    """Customers order at ordinary prices, in the promotion and with vouchers, to be sent or picked up."""

    @initialize(
        target=CODES,
        kind=st.sampled_from(KINDS),
        points_at=st.sampled_from(["completion", "payment"]),
        choices=st.tuples(CHOICES, CHOICES, CHOICES),
        hour=HOURS,
    )
    def order_first(self, kind: str, points_at: str, choices: tuple[Choice, ...], hour: int | None) -> Any:
        """Begin with a kind of promotion, a time of points, and an order of each customer, or a refusal."""
        self.choose_kind(kind)
        self.choose_points(points_at)
        return multiple(*(self._order(number, choice, hour) for number, choice in enumerate(choices)))

    @rule(target=CODES, buyer=BUYERS, choice=CHOICES, pays=st.sampled_from([True, True, False]))
    def order(self, buyer: int, choice: Choice, pays: bool) -> Code:
        """Order products to an address, and pay immediately or later; a code that is refused is still
        good."""
        code = self._order(buyer, choice, None)
        if pays:
            self.pay_from_wallet(code)
        return code

    @rule(target=CODES, buyer=BUYERS, choice=CHOICES, hour=st.integers(0, 2))
    def order_in_store(self, buyer: int, choice: Choice, hour: int) -> Code:
        """Order products to be picked up in the store."""
        return self._order(buyer, choice, hour)

    def _order(self, buyer: int, choice: Choice, hour: int | None) -> Code:
        customer = self.buyers[buyer]
        valid_until = timezone.now() + timedelta(hours=2)
        code = Code(customer.pk, valid_until, open_trade(customer=customer, basket=None))
        self.books.codes.append(code)
        self._place(code, self._wanted(choice, hour))
        return code

    @rule(code=CODES, choice=st.none() | CHOICES, hour=HOURS)
    def order_again(self, code: Code, choice: Choice | None, hour: int | None) -> None:
        """Send a code again: with the same order it answers that one, with another it makes no second."""
        if choice:
            self._place(code, self._wanted(choice, hour))
        elif code.order:
            self._place(code, code.order.wanted)

    @rule(buyer=BUYERS, choice=CHOICES)
    def ask_early(self, buyer: int, choice: Choice) -> None:
        """Ask for a code with products: the same refusals as the order's, and nothing is held."""
        wanted, customer = self._wanted(choice, None), self.buyers[buyer]
        refusal = self.books.refusal_of_customer(customer.pk, wanted, timezone.now())
        if refusal is None and not self.books.is_anywhere(wanted):
            refusal = Err.stock_insufficient
        self._expect(
            refusal,
            lambda: open_trade(
                customer=customer, basket=self._basket(wanted), voucher_code=self._voucher_code(wanted)
            ),
        )

    @rule(target=CODES, buyer=st.none() | BUYERS, choice=CHOICES, hour=HOURS)
    def preview(self, buyer: int | None, choice: Choice, hour: int | None) -> Any:
        """Look what an order would hold, as a guest too; a customer then makes it, which costs just that."""
        customer = None if buyer is None else self.buyers[buyer]
        shown = self._preview(customer, self._wanted(choice, hour))
        if buyer is None:
            return multiple()
        code = self._order(buyer, choice, hour)
        if code.order and shown is not None:
            ordered = [line.facts for line in code.order.lines]
            # The store that hands it out may lack the gift, the last line.
            assert ordered in ([shown] if hour is None else [shown, shown[:-1]])
        return code

    def _preview(self, customer: Customer | None, wanted: Wanted) -> list[Any] | None:
        """Compare a preview with the books; returns its lines, None for a refusal."""
        now, pk = timezone.now(), customer.pk if customer else None
        refusal = self.books.refusal_of_preview(pk, wanted, now)
        shown = self._expect(
            refusal,
            lambda: preview_order(
                customer=customer,
                basket=self._basket(wanted),
                shipping_type=ShippingType.pickup if wanted.hour else ShippingType.domestic,
                region=Region.from_wire("Australia-WA-Perth-6000"),
                voucher_code=self._voucher_code(wanted),
                points=wanted.points,
            ),
        )
        if shown is None:
            return None
        lines = paid_with_points(self.books.discounted(pk, wanted), wanted.points // POINTS_PER_CENT)
        assert [_facts(line) for line in shown.lines] == [line.facts for line in lines]
        freight = dollars(0) if wanted.hour else self.books.freight(lines, now)
        assert shown.freight is not None
        assert shown.freight.freight == freight
        assert shown.goods_amount == dollars(sum(line.total for line in lines))
        assert shown.pay_amount == dollars(sum(line.in_money for line in lines)) + freight
        assert shown.freight_gst == dollars(freight_gst(lines, int(freight * 100)))
        assert shown.gst == dollars(sum(line.gst for line in lines))
        assert shown.discount == dollars(sum(line.discount for line in lines))
        return [line.facts for line in lines]

    def _place(self, code: Code, wanted: Wanted) -> None:
        customer, now = self._buyer(code.buyer), timezone.now()
        refusal = self.books.refusal_of_order(code, wanted, now)
        fulfilment: Fulfilment = (
            PickUp(self.store.pk, wanted.hour)
            if wanted.hour
            else Delivery(ShippingType.domestic, self.addresses[code.buyer])
        )
        row = self._expect(
            refusal,
            lambda: place_order(
                customer=customer,
                code=code.text,
                intent=OrderIntent(
                    self._basket(wanted),
                    fulfilment,
                    voucher_code=self._voucher_code(wanted),
                    points=wanted.points,
                ),
            ),
        )
        if row and code.order:
            assert row.order_no == code.order.number
        elif row:
            self.books.make_order(code, wanted, now).number = row.order_no

    def _wanted(self, choice: Choice, hour: int | None) -> Wanted:
        ordinary, promoted = (
            {self.products[product].pk: count for product, count in units.items()}
            for units in (choice.ordinary, choice.promoted)
        )
        if self.books.promotion.kind == "gift" and len(promoted) > 1:
            # The gift cannot be bought, which would refuse too many orders.
            promoted.pop(self.books.promotion.gift, None)
        place = self.warehouse.pk if hour is None else self.store.location_id
        at = None if hour is None else slots(self.store.hours.all(), timezone.now())[hour].starts_at
        return Wanted(ordinary, promoted, place, at, choice.voucher, choice.points)

    def _basket(self, wanted: Wanted) -> Basket:
        promoted = [(self.promotion.pk, product, units) for product, units in wanted.promoted.items()]
        return Basket.of(wanted.ordinary.items(), promoted)

    def _voucher_code(self, wanted: Wanted) -> str:
        return "" if wanted.voucher is None else self.vouchers[wanted.voucher].code

    @rule(code=CODES)
    def cancel(self, code: Code) -> None:
        """Let a customer cancel an order."""
        order = code.order
        if order is None:
            return
        refusals = {UNPAID: None, CANCELED: Err.order_cancelled}
        refusal = refusals.get(order.status, Err.paid_cannot_cancel)
        customer = self._buyer(order.buyer)
        if self._expect(refusal, lambda: cancel_order(customer=customer, order_no=order.number)):
            self.books.end_unpaid(order)


def _facts(line: PricedLine) -> tuple[Any, ...]:
    """Write a line of a preview as the books have it."""
    amounts = (line.price, line.discount, line.points, line.gst)
    return (line.product.id, line.amount, *amounts, line.promotion_id is not None)
