"""Reads products for lists, pages and carts in one query."""

# ruff: noqa: S608  the queries are built from names of tables and columns only

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from django.db.models import Model, QuerySet
from wagtail.images import get_image_model
from wagtail.images.models import Rendition

from catalog.browse.selecting import Select, order_text
from catalog.browse.snapshot import Snapshot, snapshot
from catalog.goods.listed import CartProduct, DetailedProduct, ListedProduct
from catalog.goods.models import Brand, Category, Product, ProductPicture
from catalog.goods.unitprice import unit_rule
from catalog.stock.models import Location, StockLevel
from core.pictures.renditions import CARD, PAGE, file_url, picture_url, rendition_spec, store_pads
from core.prepared import among, converters_of, fetch

P = TypeVar("P", bound=ListedProduct)
M = TypeVar("M", bound=Model)
# The side in pixels of the picture for each field with picture URLs.
_SIDES = {"picture_url": CARD, "picture_urls": PAGE}
# Positions of looked-up facts in a row. A cart's fields are the first of a list's fields, and a list's fields
# are the first of a page's.
_NAMES = [field.name for field in fields(DetailedProduct)]
_RULE, _BRAND, _CATEGORY = map(_NAMES.index, ("unit_rule", "brand", "category"))
_CARD_FILE, _PAGE_FILE = map(_NAMES.index, _SIDES)


class Named(NamedTuple):
    """A query for rows that refer to products: `product_id`, an `extra` number, `place` (highest first)."""

    text: str
    values: tuple[Any, ...]


class NamedRow(NamedTuple):
    """A product and its extra number; `unmade`: its picture, if the file of the rendition is missing."""

    product: CartProduct
    extra: int
    unmade: int | None


class _Query(NamedTuple):
    text: str
    specs: list[str]
    # Functions that convert database values, by the position of the column.
    converters: dict[int, Any]

    def rows(self, values: Iterable[Any]) -> Iterable[Sequence[Any]]:
        return fetch(self.text, [*self.specs, *values], self.converters)


def listed_rows(chosen: Sequence[int] | Select, *, now: Snapshot | None = None) -> list[ListedProduct]:
    """Return the products with these ids that are on sale, in the order of the ids; one query.

    Brands and categories come from the snapshot `now`, by default the newest. One more query if a product has
    a newer brand or category, and three for each picture whose file is missing.
    """
    return _read(ListedProduct, chosen, now)


def detailed_row(pk: int) -> DetailedProduct | None:
    """Return one product on sale with the facts for its page; None if it is not on sale.

    Queries as in `listed_rows`, and two more if it has a gallery.
    """
    return next(iter(_read(DetailedProduct, [pk], None)), None)


def named_rows(named: Named) -> list[NamedRow]:
    """Return the products to which a query's rows refer, on sale or not, in its order; one query.

    Reads no snapshot. A product is repeated for each row that refers to it. Creates no picture files, so the
    caller may hold locks; call `finished` after the transaction.
    """
    count = len(fields(CartProduct))
    found = []
    for row in map(list, _named_query(named.text).rows(named.values)):
        file, picture_id = row[_CARD_FILE], row[count]
        row[_CARD_FILE] = file_url(file, CARD) if file else None
        found.append(NamedRow(CartProduct(*row[:count]), row[count + 1], None if file else picture_id))
    return found


def products_to_order(product_ids: Collection[int]) -> dict[int, CartProduct]:
    """Return product id → product, on sale or not; one query, and those of `finished`."""
    wanted, ids = among("id", product_ids)
    text = f"SELECT id AS product_id, 0 AS extra, 0 AS place FROM {Product._meta.db_table} WHERE {wanted}"
    return {row.product.id: finished(row) for row in named_rows(Named(text, (ids,)))}


def finished(row: NamedRow) -> CartProduct:
    """Return the row's product with its picture; three queries if the picture's file is missing."""
    if row.unmade is None:
        return row.product
    return replace(row.product, picture_url=_url(None, CARD, row.unmade))


def _read(kind: type[P], chosen: Sequence[int] | Select, now: Snapshot | None) -> list[P]:
    if not chosen:
        return []
    if isinstance(chosen, Select):
        within, values, order = chosen.text, chosen.values, chosen.order
    else:
        within, values, order = ", ".join(["%s"] * len(chosen)), tuple(chosen), ()
    rows = _query(kind is DetailedProduct, within, order).rows(values)
    products = _products(kind, [list(row) for row in rows], now or snapshot())
    if isinstance(chosen, Select):
        return products
    places = {pk: place for place, pk in enumerate(chosen)}
    return sorted(products, key=lambda product: places[product.id])


@lru_cache(2_000)
def _query(is_detailed: bool, within: str, order: tuple[str, ...]) -> _Query:
    """Return the query; cached, because Django takes longer to build it than the database to execute it.

    `within`: SQL that gives the ids.
    """
    products = Product._meta.db_table
    columns = _columns(DetailedProduct if is_detailed else ListedProduct)
    text = f"SELECT {columns.text} FROM {products} WHERE {products}.on_sale AND {products}.id IN ({within})"
    if order:
        text += f" ORDER BY {order_text(order)}"
    return columns._replace(text=text)


@lru_cache(2_000)
def _named_query(named: str) -> _Query:
    """Return the query for the products to which another query refers, with its extra column."""
    columns, products = _columns(CartProduct), Product._meta.db_table
    text = f"SELECT {columns.text}, named.extra FROM ({named}) named"
    text += f" JOIN {products} ON {products}.id = named.product_id ORDER BY named.place DESC"
    return columns._replace(text=text)


def _columns(kind: type[CartProduct]) -> _Query:
    """Return the columns of a query, with their parameters and converters.

    One column for each field of the facts, then the picture's id. For a page, another shows if the product
    has a gallery. Files are those of renditions, or of the pictures themselves if the store pads pictures.
    """
    products, levels, places, files, images, galleries, categories = (
        model._meta.db_table
        for model in (Product, StockLevel, Location, Rendition, get_image_model(), ProductPicture, Category)
    )
    place = f"(SELECT id FROM {places} WHERE fills_deliveries)"
    level = (
        f"SELECT on_hand - reserved FROM {levels} WHERE product_id = {products}.id AND location_id = {place}"
    )
    file = f"SELECT file FROM {files} WHERE image_id = {products}.picture_id AND filter_spec = %s LIMIT 1"
    if store_pads():
        file = f"SELECT file FROM {images} WHERE id = {products}.picture_id"
    # The same rule as `unit_rule`, which lists apply to the snapshot's categories.
    above = f"SELECT unit_rule FROM {categories} above WHERE above.id = own.parent_id"
    rule = f"SELECT COALESCE(NULLIF(own.unit_rule, ''), ({above}), '') FROM {categories} own"
    rule += f" WHERE own.id = {products}.category_id"
    names = [field.name for field in fields(kind)]
    # The database plans subqueries faster than joins.
    looked_up = {"available": f"COALESCE(({level}), 0)"} | dict.fromkeys(_SIDES, f"({file})")
    looked_up["unit_rule"] = f"({rule})" if kind is CartProduct else "NULL"
    own = {field.name: field for field in Product._meta.concrete_fields}
    own |= {field.attname: field for field in Product._meta.concrete_fields}
    columns = [looked_up.get(name) or f"{products}.{own[name].column}" for name in names]
    columns.append(f"{products}.picture_id")
    if kind is DetailedProduct:
        columns.append(f"EXISTS (SELECT 1 FROM {galleries} WHERE product_id = {products}.id)")
    specs = [] if store_pads() else [rendition_spec(side) for name, side in _SIDES.items() if name in names]
    converters = converters_of([None if name in looked_up else own[name] for name in names])
    return _Query(", ".join(columns), specs, converters)


def _products(kind: type[P], rows: Sequence[list[Any]], now: Snapshot) -> list[P]:
    """Return the facts of rows, whose values are in the order of the facts' fields."""
    brands = _with_new(Brand.objects.all(), now.brands, {row[_BRAND] for row in rows})
    above = Category.objects.select_related("parent")
    named = {row[_CATEGORY] for row in rows}
    categories = _with_new(above, now.categories, named)
    rules = {pk: unit_rule(categories[pk]) for pk in named}
    count = len(fields(kind))
    for row in rows:
        row[_RULE] = rules[row[_CATEGORY]]
        row[_BRAND], row[_CATEGORY] = brands[row[_BRAND]], categories[row[_CATEGORY]]
        row[_CARD_FILE] = _url(row[_CARD_FILE], CARD, row[count])
        if kind is DetailedProduct:
            gallery = _gallery(row[0]) if row[count + 1] else []
            own = _url(row[_PAGE_FILE], PAGE, row[count])
            row[_PAGE_FILE] = [url for url in (own, *gallery) if url]
    return [kind(*row[:count]) for row in rows]


def _with_new(rows: QuerySet[M], known: Mapping[int, M], needed: set[int]) -> Mapping[int, M]:
    """Return the known objects and, read by one query, those that are newer than the snapshot."""
    missing = needed - known.keys()
    return {**known, **rows.in_bulk(missing)} if missing else known


def _url(file: str | None, side: int, picture_id: int | None) -> str | None:
    """Return the URL of a product's own picture; creates its file if it is missing."""
    if file or picture_id is None:
        return file_url(file, side) if file else None
    return picture_url(get_image_model().objects.filter(pk=picture_id).first(), side)


def _gallery(product_id: int) -> list[str | None]:
    rows = ProductPicture.objects.filter(product=product_id).select_related("picture")
    return [picture_url(row.picture, PAGE) for row in rows.prefetch_related("picture__renditions")]
