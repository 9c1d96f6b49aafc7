"""Brings opening stock in from a CSV file: units of a good at a place that has never kept it before."""

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation import gettext as _

from catalog.goods.importer import cells
from catalog.goods.importer.problems import Problems
from catalog.goods.importer.tables import Column, Table, read_table
from catalog.goods.models import Product
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import receive

STOCK = Table(
    key=("location", "sku"),
    columns=(
        Column("location", "", cells.text(50)),
        Column("sku", "", cells.text(40)),
        Column("units", "", cells.number(1, 1_000_000)),
    ),
)


@dataclass
class StockImport:
    """A stock file that has been read and found good: units by place and SKU, and what it leaves alone."""

    new: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    same: int = 0

    def count(self) -> int:
        """Return how many stock levels are new."""
        return sum(map(len, self.new.values()))

    def apply(self, reference: str) -> None:
        """Receive the units, within the transaction that made the goods; `reference` marks the movements."""
        places = Location.objects.in_bulk(field_name="code")
        for code, units in sorted(self.new.items()):
            ids = dict(Product.objects.filter(sku__in=units).values_list("sku", "pk"))
            receive(
                location=places[code],
                units_by_product={ids[sku]: count for sku, count in units.items()},
                reason=StockMovement.Reason.imported,
                reference=reference,
            )


def prepare_stock(path: Path, new_skus: Set[str], problems: Problems) -> StockImport:
    """Read and check a stock file; nothing is written. `new_skus`: of goods that come in the same import.

    A level that exists is left alone: what has been sold since must not come back by importing again.
    Notes problems; raises ImportRefusedError past a bound of them.
    """
    places = set(Location.objects.values_list("code", flat=True))
    skus = new_skus | set(Product.objects.values_list("sku", flat=True))
    kept = set(StockLevel.objects.values_list("location__code", "product__sku"))
    found = StockImport()
    for row in read_table(STOCK, path, problems):
        code, sku = row.values["location"], row.values["sku"]
        if code not in places:
            text = _("there is no stock location “%(code)s”") % {"code": code}
            problems.add(row.file, row.number, "location", text)
        elif sku not in skus:
            problems.add(
                row.file, row.number, "sku", _("there is no good with the SKU %(sku)s") % {"sku": sku}
            )
        elif (code, sku) in kept:
            found.same += 1
        else:
            found.new[code][sku] = row.values["units"]
    return found
