"""Which goods may be ordered, and how many of each."""

from catalog.goods.models import Product
from commerce.cart.limits import MOST_UNITS
from commerce.orders.payload import Basket
from core.errors import Err, ShopError


def orderable(basket: Basket) -> list[tuple[Product, int]]:
    """Look up the goods of an order with the units of each; stock and promotions are no matter here.

    Raises ShopError(goods_error) for an unknown good, goods_off_shelf, amount_above_limit, and
    amount_below_one for fewer than the smallest amount the good is sold in.
    """
    products = (
        Product.objects.select_related("picture")
        .prefetch_related("picture__renditions")
        .in_bulk(basket.units)
    )
    if len(products) < len(basket.units):
        raise ShopError(Err.goods_error)
    for product_id, amount in basket.units.items():
        _check(products[product_id], amount)
    return [(products[product_id], amount) for product_id, amount in basket.units.items()]


def _check(product: Product, amount: int) -> None:
    if not product.on_sale:
        raise ShopError(Err.goods_off_shelf)
    if amount > (product.limit_amount or MOST_UNITS) or amount > MOST_UNITS:
        raise ShopError(Err.amount_above_limit)
    if amount < product.min_amount:
        raise ShopError(Err.amount_below_one)
