"""The checks that a code is given out by and an order is made by, so that both refuse alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalog.browse.rows import products_to_order
from catalog.goods.listed import CartProduct
from catalog.promotions.services import running_items
from catalog.stock.availability import locations_with
from commerce.accounts.models import Customer
from commerce.cart.limits import max_units
from commerce.delivery.services import open_locations
from commerce.orders.pricing import PricedLine, price_lines, total_of
from commerce.orders.requests import Basket
from commerce.orders.services.promotion_units import check_promotion_units
from commerce.orders.services.unpaid import check_unpaid_orders
from core.errors import Err, ShopError


@dataclass(frozen=True)
class CheckedBasket:
    """What may be ordered now: the units of each product, and the lines with their prices."""

    units: Sequence[tuple[CartProduct, int]]
    lines: Sequence[PricedLine]

    @property
    def is_in_warehouse(self) -> bool:
        """Whether a delivery could have all of it now."""
        return all(product.available >= units for product, units in self.units)


def check_basket(*, customer: Customer, basket: Basket) -> CheckedBasket:
    """Check all that a customer's order asks of its products, wherever they go, and price them.

    See docs/wire.md#orders.

    Nothing is written or reserved, so it may be sold out when the order takes it. What the customer's other
    orders hold changes unless the customer's row is locked.
    Raises ShopError(goods_error) for an unknown product, goods_off_shelf, amount_above_limit,
    amount_below_one for fewer than the minimum amount, and as `running_items`, `total_of`,
    `check_promotion_units` and `check_unpaid_orders` do.
    """
    promoted = dict(basket.promoted)
    items = running_items(promotion_id=basket.promotion_id, product_ids=promoted)
    products = _orderable_products(basket.units)
    lines = price_lines(basket, products, items, customer.level_number)
    amount = total_of(lines)
    check_promotion_units(customer=customer, items=items, units_by_product=promoted)
    units = [(products[product_id], units) for product_id, units in basket.units.items()]
    check_unpaid_orders(customer=customer, units=units, amount=amount)
    return CheckedBasket(units, lines)


def check_stock(checked: CheckedBasket) -> None:
    """Refuse what no order could be filled with now: the warehouse lacks it, and so does every pick-up shop.

    An order takes all its products from one location, and a code is given out before that location is chosen.
    One query where the warehouse lacks something. Raises ShopError(stock_insufficient).
    """
    if checked.is_in_warehouse:
        return
    units_by_product = {product.id: units for product, units in checked.units}
    if open_locations().isdisjoint(locations_with(units_by_product)):
        raise ShopError(Err.stock_insufficient)


def _orderable_products(units_by_product: Mapping[int, int]) -> Mapping[int, CartProduct]:
    products = products_to_order(units_by_product)
    if len(products) < len(units_by_product):
        raise ShopError(Err.goods_error)
    for product_id, units in units_by_product.items():
        product = products[product_id]
        if not product.on_sale:
            raise ShopError(Err.goods_off_shelf)
        if units > max_units(product):
            raise ShopError(Err.amount_above_limit)
        if units < product.min_amount:
            raise ShopError(Err.amount_below_one)
    return products
