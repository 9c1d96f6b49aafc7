"""The import of the catalogue's three files, from reading to writing."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wagtail.images.models import AbstractImage

from catalog.goods.importer.checks import check_categories, check_goods
from catalog.goods.importer.pictures import PictureFile, keep_pictures, read_pictures, without_renditions
from catalog.goods.importer.plan import Plan, advance_sequences, plan_table
from catalog.goods.importer.problems import Problems
from catalog.goods.importer.tables import BRANDS, CATEGORIES, GOODS, GROUPS, Row, Table, read_table
from catalog.goods.models import Brand, Category, Product, ProductGroup


@dataclass(frozen=True)
class Source:
    """Where the files are; those that are None are not imported."""

    categories: Path | None = None
    brands: Path | None = None
    goods: Path | None = None
    pictures: Path | None = None


@dataclass
class CatalogueImport:
    """Files that have been read and found good, and what they would change."""

    categories: Plan
    brands: Plan
    goods: Plan
    pictures: dict[str, PictureFile]
    groups: Plan
    skus: set[str]

    def apply(self, made: list[AbstractImage]) -> None:
        """Write everything, within a transaction; the images that are made are noted in `made`."""
        images = keep_pictures(self.pictures.values(), made)
        self.groups.apply(lambda _field, value: value)
        groups = ProductGroup.objects.in_bulk(field_name="code")

        def resolve(field: str, value: Any) -> Any:
            found = {"picture": images, "group": groups}.get(field)
            return value if found is None or value is None else found[value]

        for plan in (self.categories, self.brands, self.goods):
            plan.apply(resolve)
        advance_sequences(Category, Brand, Product)

    def unfinished_pictures(self) -> list[AbstractImage]:
        """Return the pictures of this import that lack files which pages show."""
        return without_renditions(file.hash for file in self.pictures.values())


def prepare(source: Source, problems: Problems) -> CatalogueImport:
    """Read and check files; nothing is written.

    Raises ImportRefusedError with every problem of the goods' files and those noted before.
    """
    categories = _read(CATEGORIES, source.categories, problems)
    brands = _read(BRANDS, source.brands, problems)
    goods = _read(GOODS, source.goods, problems)
    check_categories(categories, problems)
    # Goods of a category whose own row is broken are no fault of theirs.
    if not problems.concern(*(path.name for path in (source.categories, source.brands) if path)):
        check_goods(goods, categories, brands, problems)
    pictures = None
    if source.pictures:
        pictures = read_pictures([*goods, *categories], source.pictures, problems)
    problems.refuse()
    hashes = None if pictures is None else {name: file.hash for name, file in pictures.items()}
    return CatalogueImport(
        categories=plan_table(Category, CATEGORIES, _tops_first(categories), hashes),
        brands=plan_table(Brand, BRANDS, brands, hashes),
        goods=plan_table(Product, GOODS, goods, hashes),
        pictures=pictures or {},
        groups=plan_table(ProductGroup, GROUPS, _groups(goods), None),
        skus={row.values["sku"] for row in goods},
    )


def _read(table: Table, path: Path | None, problems: Problems) -> list[Row]:
    return read_table(table, path, problems) if path else []


def _tops_first(categories: Iterable[Row]) -> list[Row]:
    return sorted(categories, key=lambda row: row.values["classify_pid"] is not None)


def _groups(goods: Iterable[Row]) -> list[Row]:
    """Return one row of each spec group."""
    return list({row.values["spec_group"]: row for row in goods if row.values.get("spec_group")}.values())
