"""Reads lists of favourites, for the API and for the page of a shared list."""

# ruff: noqa: S608  the query is built from table names only

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet

from catalog.browse.rows import Named, finished, named_rows
from catalog.goods.listed import CartProduct
from catalog.goods.sellable import is_sellable
from catalog.promotions.pricing import PricedProduct, price_products
from commerce.accounts.models import Customer
from commerce.favourites.models import Favourite, FavouriteList
from core.errors import Err, ShopError

# The id of the default list on the wire. The list has a row only after its first product.
DEFAULT = 0
# The format of `new_secret`. Other text may contain characters that a database cannot compare.
_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ListSummary:
    """One of a customer's lists; `has_product` is True if the requested product is in it."""

    id: int
    name: str
    count: int
    has_product: bool
    share_token: str | None
    share_title: str


def lists_of(customer: Customer, *, product_id: int = 0) -> list[ListSummary]:
    """Return a customer's lists, the default list first, then oldest first; one query."""
    has = Exists(Favourite.objects.filter(list=OuterRef("pk"), product=product_id))
    rows = customer.favourite_lists.annotate(count=Count("favourites"), has_product=has)
    found = [
        ListSummary(
            row.pk if row.name else DEFAULT,
            row.name,
            row.count,
            row.has_product,
            row.share_token,
            row.share_title,
        )
        for row in rows
    ]
    if all(row.id != DEFAULT for row in found):
        found.append(ListSummary(DEFAULT, "", 0, False, None, ""))
    return sorted(found, key=lambda row: row.id)


def default_list(customer: Customer) -> FavouriteList | None:
    """Return a customer's default list; None if it has no row yet."""
    return customer.favourite_lists.filter(name="").first()


def own_list(customer: Customer, list_id: int) -> FavouriteList | None:
    """Return a list of the customer; None for a default list that has no row yet.

    Raises ShopError(parameter_error) if the list is not the customer's.
    """
    if list_id == DEFAULT:
        return default_list(customer)
    row = customer.favourite_lists.exclude(name="").filter(pk=list_id).first()
    if row is None:
        raise ShopError(Err.parameter_error)
    return row


def default_products(customer: Customer) -> list[int]:
    """Return the ids of the products in a customer's default list, newest first."""
    rows = Favourite.objects.filter(list__customer=customer, list__name="")
    return list(rows.values_list("product_id", flat=True))


def favourites_page(
    row: FavouriteList, *, level: int, first: int, size: int
) -> list[PricedProduct[CartProduct]]:
    """Return a page of a list's products, on sale or not, newest first, with prices of a member level.

    Queries: one, those of `price_products`, and those of `finished` for each product.
    """
    text = f"SELECT product_id, 0 AS extra, id AS place FROM {Favourite._meta.db_table}"
    text += " WHERE list_id = %s ORDER BY id DESC LIMIT %s OFFSET %s"
    found = named_rows(Named(text, (row.pk, size, first)))
    products = [finished(each) for each in found]
    return price_products(products, level=level, amounts={}, with_offers=False)


def shared_list(token: str) -> FavouriteList | None:
    """Return the list of a share link; None if the link has ended or never existed."""
    if not _TOKEN.fullmatch(token):
        return None
    return FavouriteList.objects.filter(share_token=token).first()


def products_on_sale(row: FavouriteList) -> Sequence[int]:
    """Return the ids of a list's products that are on sale, newest first; at most MAX_FAVOURITES."""
    rows: QuerySet[Favourite] = row.favourites.filter(is_sellable("product__"))
    return list(rows.values_list("product_id", flat=True))
