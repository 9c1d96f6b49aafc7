"""Checks baskets before a code is issued and before an order is created, by the same rules."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext

from catalog.browse.rows import products_to_order
from catalog.goods.listed import CartProduct
from catalog.goods.models import BASE_LEVEL
from catalog.promotions.services import RunningPromotion, promotion_to_order
from catalog.stock.availability import locations_with
from commerce.accounts.models import Customer
from commerce.accounts.services import is_person
from commerce.cart.limits import max_units
from commerce.delivery.services import open_locations
from commerce.orders.models import Order
from commerce.orders.pricing import PricedLine, price_lines, total_of, with_voucher
from commerce.orders.requests import Basket
from commerce.orders.services.promotion_units import check_promotion_units, promotion_shares
from commerce.orders.services.unpaid import check_unpaid_orders
from commerce.orders.status import OrderStatus
from commerce.vouchers.models import Voucher
from commerce.vouchers.services import UsableVoucher, find_voucher
from core.errors import Err, ShopError
from core.languages import TwoTexts, in_both_languages
from core.money import ZERO


@dataclass(frozen=True)
class CheckedBasket:
    """A basket that can be ordered now: priced lines, promotion and voucher.

    `full_lines`: the lines before the voucher's discount.
    """

    lines: Sequence[PricedLine]
    full_lines: Sequence[PricedLine]
    running: RunningPromotion | None
    usable: UsableVoucher | None

    @property
    def units(self) -> list[tuple[CartProduct, int]]:
        """The units of each product, including gifts."""
        return _units_of(self.lines)

    @property
    def units_by_product(self) -> dict[int, int]:
        """Product id → units, including gifts."""
        return {product.id: units for product, units in self.units}

    @property
    def bought(self) -> list[tuple[CartProduct, int]]:
        """The units of each product that the customer buys, without gifts."""
        return _units_of([line for line in self.lines if not line.is_gift])

    @property
    def gifts(self) -> list[tuple[CartProduct, int]]:
        """The units of each gift."""
        return _units_of([line for line in self.lines if line.is_gift])

    @property
    def goods(self) -> list[tuple[CartProduct, int, Decimal]]:
        """The units of each product, including gifts, and the price of these units in dollars."""
        totals: dict[int, Decimal] = defaultdict(lambda: ZERO)
        for line in self.lines:
            totals[line.product.id] += line.total
        return [(product, units, totals[product.id]) for product, units in self.units]

    @property
    def units_by_item(self) -> dict[int, int]:
        """Promotion item pk → units, including gifts."""
        if self.running is None:
            return {}
        items = self.running.items
        return {items[line.product.id].pk: line.amount for line in self.lines if line.promotion_id}

    def exported(self) -> "CheckedBasket":
        """Return the basket as an export: free of GST, at the same prices (docs/freight.md#gst)."""
        return replace(self, lines=[replace(line, is_exported=True) for line in self.lines])

    @property
    def is_in_warehouse(self) -> bool:
        """True if all units are available for a delivery now."""
        return all(product.available >= units for product, units in self.units)

    def without_voucher(self) -> "CheckedBasket":
        """Return the basket before the voucher's discount; call it before `exported` and `without_gifts`."""
        return replace(self, lines=self.full_lines, usable=None)

    def without_gifts(self) -> "CheckedBasket":
        """Return the basket without gifts; other lines do not change, since gifts cost nothing."""
        return replace(self, lines=[line for line in self.lines if not line.is_gift])


def check_basket(*, customer: Customer | None, basket: Basket, voucher_code: str = "") -> CheckedBasket:
    """Check and price the products of an order, for any destination (docs/wire.md#orders).

    Nothing is written or reserved, so products may be sold out before the order is placed. The customer's
    other orders may change, unless the customer's row is locked. `customer`: None for a guest's preview,
    which counts no share of a promotion.
    Raises ShopError(goods_error) for an unknown product, goods_off_shelf, amount_above_limit,
    amount_below_one below the minimum amount, login_required for a guest's voucher. Raises also as
    `promotion_to_order`, `total_of`, `check_promotion_units`, `find_voucher` and `with_voucher` do.
    """
    promoted = dict(basket.promoted)
    running = promotion_to_order(promotion_id=basket.promotion_id, product_ids=promoted)
    gifts = [item.product_id for item in running.items.values() if item.is_gift] if running else []
    products = _orderable_products(basket.units, gifts)
    shares = promotion_shares(customer=customer, running=running) if customer and running else {}
    level = customer.level_number if customer else BASE_LEVEL
    lines = price_lines(basket, products, running, shares, level)
    total_of(lines)
    if running:
        check_promotion_units(running=running, shares=shares, units_by_product=promoted)
    usable = _usable_voucher(customer, voucher_code, basket) if voucher_code else None
    return CheckedBasket(with_voucher(lines, usable) if usable else lines, lines, running, usable)


def check_order(*, customer: Customer, basket: Basket, voucher_code: str = "") -> CheckedBasket:
    """Check and price a basket together with the customer's unpaid orders.

    Raises as `check_basket` and `check_unpaid_orders` do.
    """
    checked = check_basket(customer=customer, basket=basket, voucher_code=voucher_code)
    # Gifts are left out: they have their own limits, and no order may be refused because of a gift.
    check_unpaid_orders(customer=customer, units=checked.bought, amount=total_of(checked.lines))
    return checked


def _usable_voucher(customer: Customer | None, code: str, basket: Basket) -> UsableVoucher:
    if customer is None:
        raise ShopError(Err.login_required)
    usable = find_voucher(customer=customer, code=code, product_ids=basket.units)
    check_first_order(usable.voucher, customer)
    return usable


def check_first_order(voucher: Voucher, customer: Customer, *, but: Order | None = None) -> None:
    """Refuse a voucher for first orders if another order of the customer is not canceled.

    Orders of a deleted account with the same name count too. `but`: the order that uses the voucher, if it
    exists. One query for such a voucher. Raises ShopError(voucher_first_order).
    """
    if not voucher.first_order_only:
        return
    others = Order.objects.filter(is_person(customer)).exclude(status=OrderStatus.canceled)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if others.exists():
        raise ShopError(Err.voucher_first_order, fields={"voucherCode": Err.voucher_first_order.name})


def check_stock(checked: CheckedBasket) -> None:
    """Refuse a basket that neither the warehouse nor a pick-up shop can fill now.

    An order takes all its products from one location, and a code is issued before that location is chosen.
    One query if the warehouse lacks units. Raises ShopError(stock_insufficient).
    """
    if checked.is_in_warehouse:
        return
    # Gifts are left out, since no order may be refused because of a gift.
    bought = {product.id: units for product, units in checked.bought}
    if open_locations().isdisjoint(locations_with(bought)):
        raise ShopError(Err.stock_insufficient)


def _units_of(lines: Iterable[PricedLine]) -> list[tuple[CartProduct, int]]:
    """Return the total units of each product, in the order of the lines."""
    products: dict[int, CartProduct] = {}
    units: Counter[int] = Counter()
    for line in lines:
        products[line.product.id] = line.product
        units[line.product.id] += line.amount
    return [(product, units[pk]) for pk, product in products.items()]


def _orderable_products(
    units_by_product: Mapping[int, int], gifts: Collection[int]
) -> Mapping[int, CartProduct]:
    products = products_to_order({*units_by_product, *gifts})
    if not products.keys() >= units_by_product.keys():
        raise ShopError(Err.goods_error)
    for product_id, units in units_by_product.items():
        product = products[product_id]
        if not product.on_sale:
            raise ShopError(Err.goods_off_shelf)
        if units > max_units(product):
            raise ShopError(Err.amount_above_limit)
        if units < product.min_amount:
            raise ShopError(
                Err.amount_below_one,
                fields={"orderGoods": Err.amount_below_one.name},
                why=_why_below(product),
            )
    return products


def _why_below(product: CartProduct) -> TwoTexts:
    """Return the minimum amount of a product."""
    text = in_both_languages(lambda: gettext("%(name)s: at least %(units)d in one order."))
    units = product.min_amount
    return TwoTexts(
        text.zh % {"name": product.name_zh, "units": units},
        text.en % {"name": product.name_en, "units": units},
    )
