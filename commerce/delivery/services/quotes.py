"""Quotes the freight of products."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import Protocol

from django.utils import timezone
from django.utils.translation import gettext

from catalog.browse.rows import products_to_order
from catalog.goods.listed import CartProduct
from catalog.goods.models import Storage
from catalog.promotions.pricing import price_at, prices_by_amount
from commerce.delivery.freight import FreightQuote, Parcel, Region, quote
from commerce.delivery.models import FreightRule
from commerce.delivery.models.freight import kilograms
from core import clock
from core.errors import Err, ShopError
from core.languages import in_both_languages
from core.money import ZERO
from core.snapshots import SharedRows

_rules = SharedRows(lambda: list(FreightRule.objects.all()), FreightRule)


class Packable(Protocol):
    """What freight depends on: the storage kind and the weight of one unit, in grams."""

    @property
    def storage(self) -> str:
        """The storage kind."""

    @property
    def net_weight(self) -> int:
        """Grams of one unit."""


def has_advance(units: Iterable[tuple[CartProduct, int]]) -> bool:
    """Return True if the shop does not have some of the products yet, so that their parcels wait for them."""
    return any(product.is_advance for product, _ in units)


def quote_freight(
    *,
    region: Region,
    units: Sequence[tuple[Packable, int]],
    amount: Decimal,
    gifts: Sequence[tuple[Packable, int]] = (),
    waits: bool = False,
) -> FreightQuote:
    """Quote the current freight of products to a region, in dollars (docs/wire.md#commonfreight).

    One query every SNAPSHOT_SECONDS.
    `units`: products with their units. `amount`: their price after promotions and vouchers, in dollars.
    `gifts`: sent along with the products of their storage, else in parcels of their own without a price
    (docs/freight.md#gifts). `waits`: the parcels wait for products, so no days are known. Raises
    ShopError(address_error) if a storage kind cannot be delivered there, ShopError(amount_above_limit) if
    there are too many parcels.
    """
    bought = _quote(region, units, amount, _rules.get())
    if waits:
        unknown = [replace(parcel, days_from=None, days_to=None) for parcel in bought.parcels]
        bought = replace(bought, parcels=unknown)
    storages = {product.storage for product, _ in units}
    alone = [(product, count) for product, count in gifts if product.storage not in storages]
    if not alone:
        return bought
    return replace(
        bought, parcels=[*bought.parcels, *map(_given, _quote(region, alone, amount, _rules.get()).parcels)]
    )


def freight_rules() -> Sequence[FreightRule]:
    """Return all freight rules; one query every SNAPSHOT_SECONDS."""
    return _rules.get()


def quote_unit(
    *, product: Packable, amount: Decimal, regions: Iterable[Region]
) -> Iterator[tuple[Region, FreightQuote]]:
    """Give the freight of one unit to each region that it is delivered to; one query every SNAPSHOT_SECONDS.

    `amount`: its price in dollars.
    """
    rules = _rules.get()
    for region in regions:
        with suppress(ShopError):
            yield region, _quote(region, [(product, 1)], amount, rules)


def _quote(
    region: Region, units: Sequence[tuple[Packable, int]], amount: Decimal, rules: Sequence[FreightRule]
) -> FreightQuote:
    weights: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for product, count in units:
        weights[product.storage].append((product.net_weight, count))
    day = timezone.localdate(timezone=clock.shop_zone())
    return quote(region, weights, rules, amount=amount, day=day)


def _given(parcel: Parcel) -> Parcel:
    """Return a parcel of gifts, which has no price."""
    why = in_both_languages(
        lambda: (
            gettext("%(storage)s, %(weight)s kg: gift, sent free of charge")
            % {"storage": Storage(parcel.storage).label, "weight": kilograms(parcel.weight)}
        )
    )
    return replace(parcel, freight=ZERO, reason_zh=why.zh, reason_en=why.en)


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
