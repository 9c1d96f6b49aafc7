"""Serialises the cart for the wire (docs/wire.md#cart)."""

from collections.abc import Iterable
from typing import Any

from catalog.browse.serializers import cart_goods_out, price_tiers_out
from commerce.cart.items import PricedItem


def cart_out(items: Iterable[PricedItem]) -> dict[str, Any]:
    """Serialise a cart."""
    return {"list": [_item_out(item) for item in items]}


def _item_out(item: PricedItem) -> dict[str, Any]:
    return {
        **cart_goods_out(item.priced),
        "goodsAmount": item.amount,
        "checked": False,
        "available": item.limits.maximum > 0,
        "minAmount": item.limits.minimum,
        "cartonSize": item.limits.step,
        "priceTiers": price_tiers_out(item.priced),
    }
