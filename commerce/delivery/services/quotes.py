"""Quotes the freight of products."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.utils import timezone

from catalog.browse.rows import products_to_order
from catalog.goods.listed import CartProduct
from catalog.promotions.pricing import price_at, prices_by_amount
from commerce.delivery.freight import FreightQuote, Region, quote
from commerce.delivery.models import FreightRule
from core import clock
from core.errors import Err, ShopError
from core.snapshots import SharedRows

_rules = SharedRows(lambda: list(FreightRule.objects.all()), FreightRule)


def quote_freight(
    *, region: Region, units: Sequence[tuple[CartProduct, int]], amount: Decimal
) -> FreightQuote:
    """Quote the current freight of products to a region, in dollars (docs/wire.md#commonfreight).

    One query every SNAPSHOT_SECONDS.
    `units`: products with their units. `amount`: their price after promotions and vouchers, in dollars.
    Raises ShopError(address_error) if a storage kind cannot be delivered there, ShopError(amount_above_limit)
    if there are too many parcels.
    """
    weights: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for product, count in units:
        weights[product.storage].append((product.net_weight, count))
    day = timezone.localdate(timezone=clock.shop_zone())
    return quote(region, weights, _rules.get(), amount=amount, day=day)


def ordinary_amounts(
    *, units: Sequence[tuple[CartProduct, int]], level: int
) -> list[tuple[CartProduct, int, Decimal]]:
    """Return products, units and the price of these units for a member level, in dollars.

    Bulk prices apply, promotions do not. One query, of `prices_by_amount`.
    """
    tiers = prices_by_amount([product for product, _ in units], level=level)
    return [(product, count, price_at(tiers[product.id], count) * count) for product, count in units]


def find_products(*, units_by_product: Mapping[int, int]) -> list[tuple[CartProduct, int]]:
    """Return the products to deliver, with their units.

    `units_by_product`: product id → units. Raises ShopError(goods_error) if it is empty or has an unknown
    product, ShopError(goods_off_shelf).
    """
    products = products_to_order(units_by_product)
    if not units_by_product or len(products) < len(units_by_product):
        raise ShopError(Err.goods_error)
    if not all(product.on_sale for product in products.values()):
        raise ShopError(Err.goods_off_shelf)
    return [(products[product_id], units) for product_id, units in units_by_product.items()]
