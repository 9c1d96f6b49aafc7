"""The products in a cart, with their current prices and limits."""

# ruff: noqa: S608  the query is built from table names only

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from catalog.browse.rows import Named, NamedRow, finished, named_rows
from catalog.goods.listed import CartProduct
from catalog.goods.models import Product
from catalog.promotions.pricing import PricedProduct, price_products
from commerce.accounts.models import Customer
from commerce.cart.limits import QuantityLimits, quantity_limits
from commerce.cart.models import CartItem, CartType
from core.prepared import among


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a cart: `amounts` by product id, newest first; `rows` may have other products too."""

    type: CartType
    amounts: dict[int, int]
    rows: dict[int, NamedRow]


@dataclass(frozen=True, slots=True)
class PricedItem:
    """A product in a cart: its price at its amount, and the limits of that amount."""

    priced: PricedProduct[CartProduct]
    amount: int
    limits: QuantityLimits


def read_contents(*, customer: Customer, type: CartType, asked: Collection[int] = ()) -> Contents:
    """Return the contents of a customer's cart; `rows` has existing `asked` products too. One query."""
    place = "ROW_NUMBER() OVER (ORDER BY created_at, id)"
    text = f"SELECT product_id, amount AS extra, {place} AS place FROM {CartItem._meta.db_table}"
    text += " WHERE customer_id = %s AND type = %s"
    values: list[Any] = [customer.pk, type.value]
    if asked:
        wanted, ids = among("id", asked)
        text += f" UNION ALL SELECT id, 0, 0 FROM {Product._meta.db_table} WHERE {wanted}"
        values.append(ids)
    rows = named_rows(Named(text, tuple(values)))
    amounts = {row.product.id: row.extra for row in rows if row.extra}
    return Contents(type, amounts, {row.product.id: row for row in rows})


def priced_items(contents: Contents, *, level: int) -> list[PricedItem]:
    """Price a cart's contents for a member level; queries of `price_products`, and `finished` per product.

    Do not call it while rows are locked: it may create picture files.
    """
    products = [finished(contents.rows[pk]) for pk in contents.amounts]
    priced = price_products(products, level=level, amounts=contents.amounts, with_offers=False)
    return [
        PricedItem(facts, contents.amounts[facts.product.id], quantity_limits(facts.product, contents.type))
        for facts in priced
    ]
