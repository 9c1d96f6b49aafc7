"""What the lines of an order cost, by the server's own prices (RELIABILITY 2.11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.goods.models import Product
from catalog.promotions.models import PromotionItem
from catalog.promotions.pricing import load_level_prices, load_tier_prices, member_price
from commerce.orders.payload import Basket
from core.errors import Err, ShopError
from core.money import ZERO, aud, gst_share

# Dollars: what the columns of an order can hold.
MOST = Decimal("9999999999.99")


@dataclass(frozen=True)
class PricedLine:
    """An amount of one good: the price of one, of all, and the tax in it, in dollars; which promotion's."""

    product: Product
    amount: int
    price: Decimal
    total: Decimal
    gst: Decimal
    promotion_id: int | None = None


def price_lines(
    basket: Basket,
    products: Mapping[int, Product],
    items: Mapping[int, PromotionItem],
    level: int,
) -> list[PricedLine]:
    """Price the goods of a basket, in their order, for a member level; two queries at most.

    `items`: the promotion's goods by product id. Nobody pays more in a promotion than without it.
    """
    load_level_prices(products.values(), level)
    load_tier_prices(products.values())
    ordinary = [
        _line(products[product_id], amount, member_price(products[product_id], level, amount))
        for product_id, amount in basket.goods
    ]
    promoted = [
        _line(
            products[product_id],
            amount,
            min(items[product_id].price, member_price(products[product_id], level, amount)),
            basket.promotion_id,
        )
        for product_id, amount in basket.promoted
    ]
    return ordinary + promoted


def _line(product: Product, amount: int, price: Decimal, promotion_id: int | None = None) -> PricedLine:
    total = aud(price * amount)
    return PricedLine(
        product, amount, price, total, gst_share(total, gst_free=product.gst_free), promotion_id
    )


def total_of(lines: Sequence[PricedLine], freight: Decimal = ZERO) -> Decimal:
    """Add lines and freight up, in dollars.

    Raises ShopError(amount_above_limit) for more than an order can hold.
    """
    total = sum((line.total for line in lines), freight)
    if total > MOST:
        raise ShopError(Err.amount_above_limit)
    return total
