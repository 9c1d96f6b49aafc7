"""What is in a customer's lists of favourites, for their calls and for the page of a shared list."""

# ruff: noqa: S608  what the query is put together from are names of tables

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

# What names the default list on the wire, which has a row only once something is in it.
DEFAULT = 0
# As `new_secret` makes it; other text may be what no database compares.
_TOKEN = re.compile(r"[\w-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ListSummary:
    """A list as a customer chooses it; `has_product` shows whether the asked product is in it."""

    id: int
    name: str
    count: int
    has_product: bool
    share_token: str | None
    share_title: str


def lists_of(customer: Customer, *, product_id: int = 0) -> list[ListSummary]:
    """Return a customer's lists, the default one first, then the oldest first; one query."""
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
    """Return a customer's default list; None while it has no row."""
    return customer.favourite_lists.filter(name="").first()


def own_list(customer: Customer, list_id: int) -> FavouriteList | None:
    """Return a list of a customer's; None for the default one while it has no row.

    Raises ShopError(parameter_error) for one that is not theirs.
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
    """Return some products of a list, on sale or not, the newest first, at a member level's prices.

    Queries: one, those of `price_products`, and of `finished` for each.
    """
    text = f"SELECT product_id, 0 AS extra, id AS place FROM {Favourite._meta.db_table}"
    text += " WHERE list_id = %s ORDER BY id DESC LIMIT %s OFFSET %s"
    found = named_rows(Named(text, (row.pk, size, first)))
    products = [finished(each) for each in found]
    return price_products(products, level=level, amounts={}, with_offers=False)


def shared_list(token: str) -> FavouriteList | None:
    """Return the list of a link; None for a link that has ended or never existed."""
    if not _TOKEN.fullmatch(token):
        return None
    return FavouriteList.objects.filter(share_token=token).first()


def products_on_sale(row: FavouriteList) -> Sequence[int]:
    """Return the ids of a list's products that are on sale, the newest first; at most MAX_FAVOURITES."""
    rows: QuerySet[Favourite] = row.favourites.filter(is_sellable("product__"))
    return list(rows.values_list("product_id", flat=True))
