"""Rows of a product that fit into one cell: price tiers, level prices, further pictures."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django.db import models

from catalog.goods.models import LevelPrice, PriceTier, ProductPicture

# Field → model, the model's field that identifies a row, and the model's field with the value.
_CHILDREN: dict[str, tuple[type[models.Model], str, str]] = {
    "tiers": (PriceTier, "from_amount", "price"),
    "level_prices": (LevelPrice, "level", "price"),
    "gallery": (ProductPicture, "sort", "picture"),
}
FIELDS = frozenset(_CHILDREN)


def children_of(field: str, product_ids: Collection[int], picture: str) -> dict[int, tuple[Any, ...]]:
    """Return product id → cell for products with such rows: prices by number, or pictures in order.

    `picture`: the field of the picture to return, such as `file_hash`. One query.
    """
    model, key, value = _CHILDREN[field]
    shown = f"picture__{picture}" if value == "picture" else value
    rows = model._default_manager.filter(product__in=product_ids).order_by("product", key, "pk")
    found: dict[int, tuple[Any, ...]] = defaultdict(tuple)
    for pk, *pair in rows.values_list("product_id", key, shown):
        found[pk] += (pair[1],) if value == "picture" else (tuple(pair),)
    return found


def write_children(field: str, values: Mapping[int, tuple[Any, ...]]) -> None:
    """Replace these rows of products with prices by number, or with images in order."""
    model, key, value = _CHILDREN[field]
    model._default_manager.filter(product__in=values).delete()
    model._default_manager.bulk_create(
        model(**{"product_id": pk, key: number, value: each})
        for pk, cell in values.items()
        for number, each in (enumerate(cell) if value == "picture" else cell)
    )
