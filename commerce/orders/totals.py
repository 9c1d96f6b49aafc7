"""What the lines of an order cost, by the server's own prices (RELIABILITY 2.11)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.goods.models import Product
from catalog.promotions.pricing import member_price
from core.errors import Err, ShopError
from core.money import ZERO, aud, gst_share

# Dollars: what the columns of an order can hold.
MOST = Decimal("9999999999.99")


@dataclass(frozen=True)
class PricedLine:
    """An amount of one good: the price of one, of all, and the tax in it, in dollars."""

    product: Product
    amount: int
    price: Decimal
    total: Decimal
    gst: Decimal


def price_lines(goods: Iterable[tuple[Product, int]]) -> list[PricedLine]:
    """Price goods, in their order."""
    lines = []
    for product, amount in goods:
        price = member_price(product)
        total = aud(price * amount)
        lines.append(PricedLine(product, amount, price, total, gst_share(total, gst_free=product.gst_free)))
    return lines


def total_of(lines: Sequence[PricedLine], freight: Decimal = ZERO) -> Decimal:
    """Add lines and freight up, in dollars.

    Raises ShopError(amount_above_limit) for more than an order can hold.
    """
    total = sum((line.total for line in lines), freight)
    if total > MOST:
        raise ShopError(Err.amount_above_limit)
    return total
