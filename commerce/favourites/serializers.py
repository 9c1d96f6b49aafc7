"""Serialises favourites for the wire (docs/wire.md#favourites)."""

from typing import Any

from catalog.browse.serializers import bulk_goods_out
from catalog.goods.listed import CartProduct
from catalog.promotions.pricing import PricedProduct
from commerce.favourites.reading import ListSummary


def list_out(row: ListSummary) -> dict[str, Any]:
    """Serialise a list."""
    return {
        "listId": row.id,
        "name": row.name,
        "count": row.count,
        "hasGoods": row.has_product,
        "sharePath": share_path(row.share_token) if row.share_token else None,
        "shareTitle": row.share_title,
    }


def share_path(token: str) -> str:
    """Return the path of a shared list's page, without a language prefix."""
    return f"/shared/{token}"


def favourite_out(priced: PricedProduct[CartProduct]) -> dict[str, Any]:
    """Serialise a product of a list."""
    return bulk_goods_out(priced) | {"isOnSale": priced.product.on_sale}
