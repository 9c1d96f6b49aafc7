"""Products as the API lists them, read in one query: nothing is asked for more often."""

# ruff: noqa: S608  what the queries are put together from are names of tables and columns

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from wagtail.images import get_image_model
from wagtail.images.models import Rendition

from catalog.browse.selecting import Select, order_text
from catalog.browse.snapshot import Snapshot, snapshot
from catalog.goods.listed import DetailedProduct, ListedProduct
from catalog.goods.models import Brand, Category, Product, ProductPicture
from catalog.stock.models import Location, StockLevel
from core.pictures.renditions import CARD, PAGE, file_url, picture_url, rendition_spec, store_pads
from core.prepared import prepared_cursor

P = TypeVar("P", bound=ListedProduct)
M = TypeVar("M", bound=Model)
# The side in pixels of the pictures whose URLs a field has.
_SIDES = {"picture_url": CARD, "picture_urls": PAGE}
# Positions in a row of the facts that are looked up; the facts of a list are the first of a page's.
_NAMES = [field.name for field in fields(DetailedProduct)]
_BRAND, _CATEGORY, _CARD_FILE, _PAGE_FILE = map(_NAMES.index, ("brand", "category", *_SIDES))


class _Query(NamedTuple):
    text: str
    specs: list[str]
    # What Django turns values of the database into others with, by the column's place.
    converters: dict[int, Any]


def listed_rows(chosen: Sequence[int] | Select, *, now: Snapshot | None = None) -> list[ListedProduct]:
    """Return those products that are on sale, in the order of the ids; one query.

    Brands and categories come from the snapshot `now`, by default the newest. Another query for products of
    newer ones, and three for pictures whose files are still to be made.
    """
    return _read(ListedProduct, chosen, now)


def detailed_row(pk: int) -> DetailedProduct | None:
    """Return one product that is on sale with what its page shows; queries as `listed_rows`.

    Two more where it has a gallery.
    """
    return next(iter(_read(DetailedProduct, [pk], None)), None)


def _read(kind: type[P], chosen: Sequence[int] | Select, now: Snapshot | None) -> list[P]:
    if not chosen:
        return []
    if isinstance(chosen, Select):
        within, values, order = chosen.text, chosen.values, chosen.order
    else:
        within, values, order = ", ".join(["%s"] * len(chosen)), tuple(chosen), ()
    query = _query(kind is DetailedProduct, within, order)
    with prepared_cursor() as cursor:
        cursor.execute(query.text, [*query.specs, *values])
        rows: Iterable[Sequence[Any]] = cursor.fetchall()
    if query.converters:
        compiler = Product.objects.all().query.get_compiler(connection=connection)
        rows = compiler.apply_converters(rows, query.converters)
    products = _products(kind, [list(row) for row in rows], now or snapshot())
    if isinstance(chosen, Select):
        return products
    places = {pk: place for place, pk in enumerate(chosen)}
    return sorted(products, key=lambda product: places[product.id])


@lru_cache(2_000)
def _query(is_detailed: bool, within: str, order: tuple[str, ...]) -> _Query:
    """Write the query once: Django would need longer for it than the database for the answer.

    `within`: what gives the ids. A column for each field of the facts, then the picture's id and, for a
    product with details, whether it has a gallery. The files of pictures are renditions, or the pictures' own
    where the store makes the squares.
    """
    products, levels, places, files, images, galleries = (
        model._meta.db_table
        for model in (Product, StockLevel, Location, Rendition, get_image_model(), ProductPicture)
    )
    place = f"(SELECT id FROM {places} WHERE fills_deliveries)"
    level = (
        f"SELECT on_hand - reserved FROM {levels} WHERE product_id = {products}.id AND location_id = {place}"
    )
    file = f"SELECT file FROM {files} WHERE image_id = {products}.picture_id AND filter_spec = %s LIMIT 1"
    if store_pads():
        file = f"SELECT file FROM {images} WHERE id = {products}.picture_id"
    names = [field.name for field in fields(DetailedProduct if is_detailed else ListedProduct)]
    # Selects within take the database less time to plan than joins.
    looked_up = {"available": f"COALESCE(({level}), 0)"} | dict.fromkeys(_SIDES, f"({file})")
    own = {field.name: field for field in Product._meta.concrete_fields}
    own |= {field.attname: field for field in Product._meta.concrete_fields}
    columns = [looked_up.get(name) or f"{products}.{own[name].column}" for name in names]
    columns.append(f"{products}.picture_id")
    if is_detailed:
        columns.append(f"EXISTS (SELECT 1 FROM {galleries} WHERE product_id = {products}.id)")
    text = f"SELECT {', '.join(columns)} FROM {products}"
    text += f" WHERE {products}.on_sale AND {products}.id IN ({within})"
    if order:
        text += f" ORDER BY {order_text(order)}"
    specs = [] if store_pads() else [rendition_spec(side) for name, side in _SIDES.items() if name in names]
    compiler = Product.objects.all().query.get_compiler(connection=connection)
    expressions = [None if name in looked_up else own[name].cached_col for name in names]
    return _Query(text, specs, compiler.get_converters(expressions))


def _products(kind: type[P], rows: Sequence[list[Any]], now: Snapshot) -> list[P]:
    """Make the facts of rows, whose values are in the order of the facts' fields."""
    brands = _with_new(Brand.objects.all(), now.brands, {row[_BRAND] for row in rows})
    above = Category.objects.select_related("parent")
    categories = _with_new(above, now.categories, {row[_CATEGORY] for row in rows})
    count = len(fields(kind))
    for row in rows:
        row[_BRAND], row[_CATEGORY] = brands[row[_BRAND]], categories[row[_CATEGORY]]
        row[_CARD_FILE] = _url(row[_CARD_FILE], CARD, row[count])
        if kind is DetailedProduct:
            gallery = _gallery(row[0]) if row[count + 1] else []
            own = _url(row[_PAGE_FILE], PAGE, row[count])
            row[_PAGE_FILE] = [url for url in (own, *gallery) if url]
    return [kind(*row[:count]) for row in rows]


def _with_new(rows: QuerySet[M], known: Mapping[int, M], needed: set[int]) -> Mapping[int, M]:
    """Add what the snapshot is too old to know."""
    missing = needed - known.keys()
    return {**known, **rows.in_bulk(missing)} if missing else known


def _url(file: str | None, side: int, picture_id: int | None) -> str | None:
    """Return the address of a product's own picture, whose file may still have to be made."""
    if file or picture_id is None:
        return file_url(file, side) if file else None
    return picture_url(get_image_model().objects.filter(pk=picture_id).first(), side)


def _gallery(product_id: int) -> list[str | None]:
    rows = ProductPicture.objects.filter(product=product_id).select_related("picture")
    return [picture_url(row.picture, PAGE) for row in rows.prefetch_related("picture__renditions")]
