"""What the lines of an order cost, by the server's own prices (docs/guarantees.md#prices-of-the-server)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.goods.listed import CartProduct
from catalog.promotions.models import PromotionItem
from catalog.promotions.pricing import price_at, price_in_promotion, prices_by_amount
from commerce.orders.requests import Basket
from core.errors import Err, ShopError
from core.money import ZERO, aud, gst_share

# Dollars: what the columns of an order can hold.
MAX_TOTAL = Decimal("9999999999.99")


@dataclass(frozen=True)
class PricedLine:
    """Units of one product: the price of one, of all, and the tax in it, in dollars; whose promotion."""

    product: CartProduct
    amount: int
    price: Decimal
    total: Decimal
    gst: Decimal
    promotion_id: int | None = None


def price_lines(
    basket: Basket,
    products: Mapping[int, CartProduct],
    items: Mapping[int, PromotionItem],
    level: int,
) -> list[PricedLine]:
    """Price the products of a basket, in their order, for a member level; two queries at most.

    What a product costs follows from all its units, in the promotion and out of it.
    `items`: the promotion's items by product id.
    """
    tiers_by_product = prices_by_amount(products.values(), level=level)
    units = basket.units
    ordinary = [
        _line(products[product_id], amount, price_at(tiers_by_product[product_id], units[product_id]))
        for product_id, amount in basket.ordinary
    ]
    promoted = [
        _line(
            products[product_id],
            amount,
            price_in_promotion(items[product_id], tiers_by_product[product_id], units[product_id]),
            basket.promotion_id,
        )
        for product_id, amount in basket.promoted
    ]
    return ordinary + promoted


def _line(product: CartProduct, amount: int, price: Decimal, promotion_id: int | None = None) -> PricedLine:
    total = aud(price * amount)
    return PricedLine(
        product, amount, price, total, gst_share(total, gst_free=product.gst_free), promotion_id
    )


def total_of(lines: Sequence[PricedLine], freight: Decimal = ZERO) -> Decimal:
    """Add lines and freight up, in dollars.

    Raises ShopError(amount_above_limit) for more than an order can hold.
    """
    total = sum((line.total for line in lines), freight)
    if total > MAX_TOTAL:
        raise ShopError(Err.amount_above_limit)
    return total
