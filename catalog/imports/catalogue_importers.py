"""Importers for each kind of catalogue file, which process a batch of rows at a time."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime, time
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _
from wagtail.images.models import AbstractImage

from catalog.goods.models import Brand, Category, Product, ProductGroup
from catalog.goods.writing import (
    create_brands,
    create_categories,
    create_products,
    save_brands,
    save_categories,
    save_products,
    writing_catalogue,
)
from catalog.imports.catalogue_tables import BRANDS, CATEGORIES, GROUPS, PRICES, PRODUCTS
from catalog.imports.checks import Known, check_categories, check_products, check_was_prices
from catalog.imports.pictures import Pictures
from catalog.imports.plan import Plan, Resolve, plan_rows
from catalog.imports.problems import Problems
from catalog.imports.tables import Row, Table
from core.clock import shop_zone


class TableImporter(ABC):
    """The importer of one kind of file: it checks and compares all rows, then writes all rows."""

    table: Table
    # The number of rows that are checked together.
    rows_checked = 1000

    def __init__(self, known: Known, pictures: Pictures) -> None:
        self.known = known
        self.pictures = pictures

    @abstractmethod
    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check rows, record problems, and compare the rows with the shop's."""

    def in_order(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Return checked rows in an order that allows writing them in small batches."""
        return rows

    @abstractmethod
    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write checked rows within the caller's transaction, and add created images to `made`."""


class CategoryImporter(TableImporter):
    """Imports categories; all are checked together, because each may refer to any other."""

    table = CATEGORIES
    rows_checked = CATEGORIES.max_rows

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare all categories of the file."""
        check_categories(rows, self.known, problems)
        self.pictures.check(rows, problems)
        return [] if problems.found else [self._plan(rows)]

    def in_order(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Return top categories first, because subcategories refer to them."""
        return iter(sorted(rows, key=lambda row: row.values["classify_pid"] is not None))

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write a batch of categories."""
        plan = self._plan(rows)
        plan.apply(_with_pictures(plan, self.pictures, made), create_categories, save_categories)

    def _plan(self, rows: Sequence[Row]) -> Plan:
        return plan_rows(Category, CATEGORIES, rows, self.pictures.hashes)


class BrandImporter(TableImporter):
    """Imports brands."""

    table = BRANDS

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Compare brands."""
        self.known.brands.update(row.values["brand_id"] for row in rows)
        return [plan_rows(Brand, BRANDS, rows, None)]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write brands."""
        plan_rows(Brand, BRANDS, rows, None).apply(_unchanged, create_brands, save_brands)


class ProductImporter(TableImporter):
    """Imports products and the product groups to which their rows refer."""

    table = PRODUCTS
    # The number of rows that are sorted in memory.
    rows_sorted = 5000

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare products."""
        fresh = _group_rows(rows, self.known.groups)
        check_products(rows, self.known, problems)
        self.pictures.check(rows, problems)
        if problems.found:
            return []
        plan = plan_rows(Product, PRODUCTS, rows, self.pictures.hashes)
        check_was_prices(plan, problems)
        return [plan, plan_rows(ProductGroup, GROUPS, fresh, None)]

    def in_order(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Return the rows in groups of `rows_sorted`, each sorted by category."""
        while some := list(islice(rows, self.rows_sorted)):
            # Products of a category share words, and a batch writes the posting of a word only once.
            yield from sorted(some, key=lambda row: row.values["classify_id"])

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write product groups, then products; a was-price is written with the history that proves it."""
        group_rows = _group_rows(rows, ())
        groups = ProductGroup.objects
        plan_rows(ProductGroup, GROUPS, group_rows, None).apply(
            _unchanged, groups.bulk_create, groups.bulk_update
        )
        codes = [row.values["spec_group"] for row in group_rows]
        by_code = groups.in_bulk(codes, field_name="code")
        plan = plan_rows(Product, PRODUCTS, rows, self.pictures.hashes)
        resolve = _with_pictures(plan, self.pictures, made)
        since = {
            row.values["goods_id"]: datetime.combine(row.values["market_since"], time(), shop_zone())
            for row, values in plan.new
            if values.get("market_price")
        }
        with writing_catalogue():
            plan.apply(
                lambda name, value: by_code[value] if name == "group" and value else resolve(name, value),
                lambda products: create_products(products, since),
                save_products,
            )


class PriceImporter(TableImporter):
    """Imports prices of products that exist or are in the same import."""

    table = PRICES

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare prices."""
        plan = plan_rows(Product, PRICES, rows, None)
        coming = self.known.of(PRODUCTS.name)
        for row, _values in plan.new:
            if row.values["sku"] not in coming:
                text = _("there is no product with the SKU %(sku)s") % {"sku": row.values["sku"]}
                problems.add(row.file, row.number, "sku", text)
        plan.new = []
        check_was_prices(plan, problems)
        return [plan]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write prices; products that were deleted after the check are skipped."""
        plan = plan_rows(Product, PRICES, rows, None)
        plan.new = []
        plan.apply(_unchanged, create_products, save_products)


def _unchanged(_field: str, value: Any) -> Any:
    return value


def _group_rows(rows: Sequence[Row], known: Any) -> list[Row]:
    """Return one row for each new product group."""
    row_by_group = {row.values["spec_group"]: row for row in rows if row.values.get("spec_group")}
    return [row for code, row in row_by_group.items() if code not in known]


def _with_pictures(plan: Plan, pictures: Pictures, made: list[AbstractImage]) -> Resolve:
    """Return a function that turns the hashes of a plan into images, after creating the missing images."""
    hashes: set[str] = set()
    for values in (*(values for _row, values in plan.new), *(change.after for change in plan.changed)):
        hashes.update(values.get("gallery", ()))
        if values.get("picture"):
            hashes.add(values["picture"])
    images = pictures.keep(hashes, made) if hashes else {}

    def resolve(field: str, value: Any) -> Any:
        if field == "picture" and value:
            return images[value]
        return [images[hash] for hash in value] if field == "gallery" else value

    return resolve
