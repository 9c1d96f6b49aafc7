"""Quotes what sending products costs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from catalog.goods.models import Product
from commerce.delivery.freight import FreightQuote, Region, quote
from commerce.delivery.models import FreightRule
from core.errors import Err, ShopError
from core.snapshots import SharedRows

_rules = SharedRows(lambda: list(FreightRule.objects.all()), FreightRule)


def quote_freight(*, region: Region, units: Sequence[tuple[Product, int]]) -> FreightQuote:
    """Quote what sending products to a region costs, in dollars (docs/wire.md#commonfreight).

    A query in SNAPSHOT_SECONDS.
    `units`: products with their units. Raises ShopError(address_error) where a storage kind cannot be sent
    to, ShopError(amount_above_limit) for more than parcels can carry.
    """
    weights: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for product, amount in units:
        weights[product.storage].append((product.net_weight, amount))
    return quote(region, weights, _rules.get())


def find_products(*, units_by_product: Mapping[int, int]) -> list[tuple[Product, int]]:
    """Look up products that are to be sent, with their units.

    `units_by_product`: product id → units. Raises ShopError(goods_error) for none and for an unknown one,
    ShopError(goods_off_shelf).
    """
    products = Product.objects.only("storage", "net_weight", "on_sale").in_bulk(units_by_product)
    if not units_by_product or len(products) < len(units_by_product):
        raise ShopError(Err.goods_error)
    if not all(product.on_sale for product in products.values()):
        raise ShopError(Err.goods_off_shelf)
    return [(products[product_id], units) for product_id, units in units_by_product.items()]
