"""Creates the search index's entries of products, brands and categories from their rows."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import models

from catalog.goods.bands import band
from catalog.goods.dietary import dietary_filters
from catalog.search.terms import BRAND, CATEGORY, PRODUCT, TOP, Entry

# The number of rows that one query reads.
BATCH = 1000


class ProductRow(NamedTuple):
    """The columns of a product that the index depends on."""

    id: int
    on_sale: bool
    name_en: str
    name_zh: str
    sku: str
    pack: str
    pack_zh: str
    variant_en: str
    variant_zh: str
    brand_id: int
    category_id: int
    top_category_id: int
    storage: str
    is_bulk: bool
    is_advance: bool
    is_self: bool
    units_sold: int
    price: Decimal
    allergens: list[str]
    may_contain: list[str]
    allergens_checked: bool
    diets: list[str]
    gtin: str

    def entry(self) -> Entry | None:
        """Return the product's entry for the index; None if it is not on sale."""
        if not self.on_sale:
            return None
        dietary = dietary_filters(
            self.diets, self.allergens, self.may_contain, checked=self.allergens_checked
        )
        flags = {"bulk": self.is_bulk, "advance": self.is_advance, "mail": self.is_self}
        return Entry(
            id=self.id,
            names=(self.name_en, self.name_zh),
            notes=(self.pack, self.pack_zh, self.variant_en, self.variant_zh),
            codes=(self.sku, self.gtin) if self.gtin else (self.sku,),
            labels=frozenset(
                {
                    "all",
                    f"brand:{self.brand_id}",
                    f"category:{self.category_id}",
                    f"top:{self.top_category_id}",
                    f"storage:{self.storage}",
                    sold_label(self.units_sold),
                    price_label(self.price),
                    *(name for name, is_set in flags.items() if is_set),
                    *(f"suits:{name}" for name in dietary),
                }
            ),
            kind=PRODUCT,
        )


class BrandRow(NamedTuple):
    """The columns of a brand that the index depends on."""

    id: int
    name_en: str
    name_zh: str

    def entry(self) -> Entry:
        """Return the brand's entry for the index."""
        return Entry(self.id, (self.name_en, self.name_zh), kind=BRAND)


class CategoryRow(NamedTuple):
    """The columns of a category that the index depends on."""

    id: int
    name_en: str
    name_zh: str
    parent_id: int | None

    def entry(self) -> Entry:
        """Return the category's entry for the index."""
        kind = TOP if self.parent_id is None else CATEGORY
        return Entry(self.id, (self.name_en, self.name_zh), kind=kind)


Row = ProductRow | BrandRow | CategoryRow
ROWS: dict[str, type[Row]] = {"product": ProductRow, "brand": BrandRow, "category": CategoryRow}


def sold_label(units_sold: int) -> str:
    """Return the label of a product's popularity; each band covers twice as many units as the one below."""
    return f"sold:{units_sold.bit_length()}"


def price_label(price: Decimal) -> str:
    """Return the label of a price in dollars, which is the band of its cents."""
    return f"price:{band(int(price * 100))}"


def columns(model: type[models.Model]) -> frozenset[str]:
    """Return the names of a model's columns that the index depends on, with and without `_id`."""
    names = ROWS[model.__name__.lower()]._fields
    return frozenset({*names, *(name.removesuffix("_id") for name in names)})


def rows(model: type[models.Model], ids: Iterable[int], *, lock: bool = False) -> Iterator[Row]:
    """Read the rows of these ids, one query per 1000 rows.

    `lock`: whether to lock the rows in key order, which requires a transaction.
    """
    kind = ROWS[model.__name__.lower()]
    wanted = sorted(ids)
    for start in range(0, len(wanted), BATCH):
        found: models.QuerySet[Any, Any] = (
            model._base_manager.filter(pk__in=wanted[start : start + BATCH])
            .order_by("pk")
            .values_list(*kind._fields)
        )
        yield from map(kind._make, found.select_for_update(no_key=True) if lock else found)


def rows_within(model: type[models.Model], ids: range) -> Iterator[Row]:
    """Read the rows whose id is in a range; one query."""
    kind = ROWS[model.__name__.lower()]
    found = model._base_manager.filter(pk__gte=ids.start, pk__lt=ids.stop).order_by("pk")
    return map(kind._make, found.values_list(*kind._fields).iterator(BATCH))


def entries(found: Iterable[Row]) -> Iterator[Entry]:
    """Return the entries of the rows that belong in the index."""
    for row in found:
        if entry := row.entry():
            yield entry
