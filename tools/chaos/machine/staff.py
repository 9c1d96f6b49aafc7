"""Steps of the staff: stock, prices, promotion, vouchers, freight and balances."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from hypothesis import strategies as st
from hypothesis.stateful import rule

from catalog.goods.models import Product
from catalog.goods.writing import save_product
from catalog.promotions.models import PromotionItem
from catalog.promotions.services import locking_promotion
from catalog.stock.models import StockMovement
from catalog.stock.services import receive, set_counted
from commerce.ledger.models import LedgerAccount
from commerce.ledger.points import adjust_points
from commerce.orders.levels import update_levels
from core.errors import Err
from core.snapshots import invalidate_all
from tools.chaos.machine.opened import BUYERS, PRODUCTS, UNITS, OpenedShop
from tools.chaos.machine.prices import KINDS, dollars

REFERENCES = st.sampled_from("ABCDEF")


class Staff(OpenedShop):
    """The staff change everything that an order must keep as it was."""

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

    @rule(product=PRODUCTS, price=st.sampled_from([449, 700, 1999]))
    def change_price(self, product: int, price: int) -> None:
        """Change a price: orders that are made keep theirs."""
        row = Product.objects.get(pk=self.products[product].pk)
        self.books.prices[row.pk] = price
        row.price = dollars(price)
        save_product(row, ["price"])

    @rule(product=PRODUCTS, quota=st.integers(1, 9))
    def change_quota(self, product: int, quota: int) -> None:
        """Change a quota of the promotion, never below what is taken."""
        pk = self.products[product].pk
        model = self.books.promotion.items[pk]
        may_not_be = quota < self.books.taken()[pk] or model.price > self.books.prices[pk]
        with locking_promotion(self.promotion.pk):
            item = PromotionItem.objects.get(promotion=self.promotion, product=pk)
            item.quota = quota
            try:
                item.clean()
            except ValidationError:
                is_refused = True
            else:
                is_refused = False
                item.save()
                model.quota = quota
        assert is_refused == may_not_be

    @rule(
        kind=st.sampled_from(KINDS), percent=st.sampled_from([1, 15, 90]), bundle=st.sampled_from([1, 2800])
    )
    def change_promotion(self, kind: str, percent: int, bundle: int) -> None:
        """Let the promotion do something else: orders that are made keep their prices and gifts."""
        model = self.books.promotion
        with locking_promotion(self.promotion.pk):
            self.promotion.percent_off = model.percent_off = percent
            model.bundle_price = bundle
            self.promotion.bundle_price = dollars(bundle)
            self.choose_kind(kind)

    @rule(
        voucher=st.integers(0, 2),
        value=st.sampled_from([150, 499, 3333]),
        total_limit=st.integers(0, 4),
        is_active=st.sampled_from([True, True, True, False]),
    )
    def change_voucher(self, voucher: int, value: int, total_limit: int, is_active: bool) -> None:
        """Change a voucher, with no limit below what has it: orders that are made keep their discount."""
        model, row = self.books.vouchers[voucher], self.vouchers[voucher]
        uses = sum(count for (each, _), count in self.books.voucher_uses().items() if each == voucher)
        model.value, model.is_active = value, is_active
        model.total_limit = max(total_limit, uses) if total_limit else 0
        row.value, row.is_active, row.total_limit = dollars(value), is_active, model.total_limit
        row.save()

    @rule(place=st.integers(0, 1), first=st.sampled_from([0, 550, 990]), free_from=st.none() | st.just(3000))
    def change_freight(self, place: int, first: int, free_from: int | None) -> None:
        """Change what sending costs: orders that are made keep theirs."""
        model, row = self.books.freights[place], self.freight_rules[place]
        model.first, model.free_from = first, free_from
        row.first_price = dollars(first)
        row.free_from = None if free_from is None else dollars(free_from)
        row.save()
        invalidate_all()

    @rule(buyer=BUYERS, amount=st.sampled_from([100, 60, -30]), reference=REFERENCES)
    def move_money(self, buyer: int, amount: int, reference: str) -> None:
        """Top a wallet up or correct it; the same reference counts once, and no wallet goes below zero."""
        customer, kind = self.buyers[buyer], LedgerAccount.Kind.wallet
        is_repeat = (customer.pk, reference) in self.books.posted
        is_short = self.books.wallets[customer.pk] + amount < 0
        refusal = Err.balance_insufficient if is_short and not is_repeat else None
        self._expect(refusal, lambda: self._post(customer, kind, amount, reference))
        if refusal is None and not is_repeat:
            self.books.posted.add((customer.pk, reference))
            self.books.credit(customer.pk, Decimal(amount))

    @rule(buyer=BUYERS, points=st.sampled_from([-130, -7, 0, 10]), note=st.sampled_from(["Sorry", " "]))
    def adjust_points(self, buyer: int, points: int, note: str) -> None:
        """Give or take points with a reason, never below zero."""
        customer = self.buyers[buyer]
        refusal = None
        if not note.strip():
            refusal = Err.note_missing
        elif points == 0:
            refusal = Err.points_unusable
        elif points < 0 and self.books.points[customer.pk] + points < 0:
            refusal = Err.points_insufficient
        seen = customer.points_adjustments.count()
        self._expect(
            refusal,
            lambda: adjust_points(customer=customer, points=points, staff=self.staff, note=note, seen=seen),
        )
        if refusal is None:
            self.books.points[customer.pk] += points

    @rule()
    def give_levels(self) -> None:
        """Give customers the levels of what they have spent, as each night."""
        update_levels()
        self.books.change_levels()
        for customer in self.buyers:
            customer.refresh_from_db()
            assert customer.level_number == self.books.level_of[customer.pk] + 1
