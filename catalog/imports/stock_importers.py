"""Importers for opening stock of new stock levels and for the counts of a stocktake."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from wagtail.images.models import AbstractImage

from catalog.goods.models import Product
from catalog.imports import cells
from catalog.imports.catalogue_importers import (
    BrandImporter,
    CategoryImporter,
    PriceImporter,
    ProductImporter,
    TableImporter,
)
from catalog.imports.catalogue_tables import PRODUCTS
from catalog.imports.plan import Change, Plan
from catalog.imports.problems import ImportRefusedError, Problem, Problems
from catalog.imports.tables import Column, Row, Table
from catalog.stock.models import Location, StockLevel
from catalog.stock.services import receive_opening, set_counted
from core.errors import ShopError

REFERENCE = "import"
MAX_UNITS = 1_000_000

_LOCATION = Column("location", "", cells.text(50), value=lambda level: level.location.code)
_SKU = Column("sku", "", cells.text(40), value=lambda level: level.product.sku)
_GTIN = Column("gtin", "", cells.gtin, optional=True, value=lambda level: level.product.gtin)

STOCK = Table(
    name="stock",
    key=("location", "sku"),
    columns=(_LOCATION, _SKU, Column("units", "", cells.number(1, MAX_UNITS)), _GTIN),
)
STOCKTAKE = Table(
    name="stocktake",
    key=("location", "sku"),
    columns=(_SKU, _LOCATION, Column("on_hand", "on_hand", cells.number(0, MAX_UNITS)), _GTIN),
)


class _StockTableImporter(TableImporter):
    """The importer of units of products at locations."""

    def check(self, rows: Sequence[Row], problems: Problems) -> None:
        """Record a problem for unknown locations and products, and for barcode numbers of other products."""
        places = set(Location.objects.values_list("code", flat=True))
        skus = {row.values["sku"] for row in rows}
        known = dict(Product.objects.filter(sku__in=skus).order_by().values_list("sku", "gtin"))
        coming = self.known.of(PRODUCTS.name)
        for row in rows:
            code, sku = row.values["location"], row.values["sku"]
            if code not in places:
                text = _("there is no stock location “%(code)s”") % {"code": code}
                problems.add(row.file, row.number, "location", text)
            elif sku not in known and sku not in coming:
                text = _("there is no product with the SKU %(sku)s") % {"sku": sku}
                problems.add(row.file, row.number, "sku", text)
            elif row.values.get("gtin") and sku not in coming and row.values["gtin"] != known[sku]:
                text = _("the product with the SKU %(sku)s has another barcode number") % {"sku": sku}
                problems.add(row.file, row.number, "gtin", text)


class OpeningStockImporter(_StockTableImporter):
    """Imports opening stock.

    Existing levels are left as they are, with the reason: a repeated import must not restore sold units.
    """

    table = STOCK

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check opening stock and find the new levels."""
        self.check(rows, problems)
        existing = _levels(rows)
        plan = Plan(STOCK.name, StockLevel)
        for row in rows:
            level = existing.get(_key(row))
            if level is None:
                plan.new.append((row, row.values))
            elif level.on_hand == row.values["units"]:
                plan.same += 1
            else:
                plan.left.append((row, _has_stock(level.on_hand)))
        return [plan]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Receive the units of new levels."""
        ids = _product_ids(rows)
        for location, coming in _by_place(rows):
            receive_opening(
                location=location,
                units_by_product={ids[row.values["sku"]]: row.values["units"] for row in coming},
                reference=REFERENCE,
            )


class StocktakeImporter(_StockTableImporter):
    """Imports the counted units on hand, including units reserved for orders."""

    table = STOCKTAKE

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare counts; record a problem for counts below the reserved units."""
        self.check(rows, problems)
        levels = _levels(rows)
        plan = Plan(STOCKTAKE.name, StockLevel)
        for row in rows:
            level, counted = levels.get(_key(row)), row.values["on_hand"]
            if level is None:
                plan.new.append((row, row.values))
            elif level.on_hand == counted:
                plan.same += 1
            else:
                plan.changed.append(Change(level, row, {"on_hand": level.on_hand}, {"on_hand": counted}))
                if level.reserved > counted:
                    problems.add(row.file, row.number, "on_hand", _held(level.reserved))
        return [plan]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Set the counted units; raises ImportRefusedError if more units are reserved by now."""
        ids = _product_ids(rows)
        for location, counted in _by_place(rows):
            try:
                set_counted(
                    location=location,
                    units_by_product={ids[row.values["sku"]]: row.values["on_hand"] for row in counted},
                    reference=REFERENCE,
                )
            except ShopError:
                raise ImportRefusedError(_held_more(counted)) from None


# The importers, sorted by dependency.
TABLE_IMPORTERS: tuple[type[TableImporter], ...] = (
    CategoryImporter,
    BrandImporter,
    ProductImporter,
    PriceImporter,
    OpeningStockImporter,
    StocktakeImporter,
)


def _key(row: Row) -> tuple[str, str]:
    return row.values["location"], row.values["sku"]


def _levels(rows: Sequence[Row]) -> dict[tuple[str, str], StockLevel]:
    """Return (location code, SKU) → stock level of the rows' products at all locations; one query."""
    levels = StockLevel.objects.filter(product__sku__in={row.values["sku"] for row in rows})
    levels = levels.select_related("location", "product")
    return {(level.location.code, level.product.sku): level for level in levels}


def _product_ids(rows: Sequence[Row]) -> dict[str, int]:
    skus = {row.values["sku"] for row in rows}
    return dict(Product.objects.filter(sku__in=skus).order_by().values_list("sku", "pk"))


def _by_place(rows: Iterable[Row]) -> list[tuple[Location, list[Row]]]:
    places = Location.objects.in_bulk(field_name="code")
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.values["location"]].append(row)
    return [(places[code], found[code]) for code in sorted(found)]


def _has_stock(units: int) -> str:
    text = _("has stock already (%(units)s units): this file is for new stock; a stocktake file changes it")
    return text % {"units": units}


def _held(units: int) -> str:
    return _("is less than the %(units)s units that orders hold") % {"units": units}


def _held_more(rows: Sequence[Row]) -> list[Problem]:
    levels = _levels(rows)
    below = ((row, level) for row in rows if (level := levels.get(_key(row))))
    return [
        Problem(row.file, row.number, "on_hand", _held(level.reserved))
        for row, level in below
        if level.reserved > row.values["on_hand"]
    ]
