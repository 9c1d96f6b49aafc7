"""Every table that can be exported, those of the goods and the stock."""

from catalog.goods.importer.exporting import EXPORTS as CATALOGUE
from catalog.goods.importer.exporting import Export
from catalog.stock.importer import STOCKTAKE
from catalog.stock.models import StockLevel

EXPORTS: dict[str, Export] = CATALOGUE | {
    STOCKTAKE.name: Export(STOCKTAKE, lambda: StockLevel.objects.select_related("product", "location"))
}
