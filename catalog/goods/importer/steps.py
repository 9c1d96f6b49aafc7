"""What is done with the rows of each kind of file, a batch at a time."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime, time
from typing import Any

from django.utils.translation import gettext as _
from wagtail.images.models import AbstractImage

from catalog.goods.importer.checks import Known, check_categories, check_goods, check_was_prices
from catalog.goods.importer.kinds import BRANDS, CATEGORIES, GOODS, GROUPS, PRICES
from catalog.goods.importer.pictures import Pictures
from catalog.goods.importer.plan import BATCH, Plan, Resolve, plan_rows
from catalog.goods.importer.problems import Problems
from catalog.goods.importer.tables import Row, Table
from catalog.goods.models import Brand, Category, PriceChange, Product, ProductGroup
from core.clock import shop_zone


class Step(ABC):
    """One file of an import: all its rows are checked and compared, then all are written."""

    table: Table
    # Rows that are looked at and written together: short enough a transaction for orders to wait for its end.
    batch = BATCH

    def __init__(self, known: Known, pictures: Pictures) -> None:
        self.known = known
        self.pictures = pictures

    @abstractmethod
    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check rows, note what is wrong, and compare them with what the shop has."""

    @abstractmethod
    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write rows that were found good, within a transaction; images that are made are noted in `made`."""


class CategoryStep(Step):
    """Categories: few, and each needs to know of all others."""

    table = CATEGORIES
    batch = CATEGORIES.most_rows

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare categories, top ones first."""
        check_categories(rows, self.known, problems)
        self.pictures.check(rows, problems)
        return [] if problems.found else [self._plan(rows)]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write categories."""
        plan = self._plan(rows)
        plan.apply(_with_pictures(plan, self.pictures, made))

    def _plan(self, rows: Sequence[Row]) -> Plan:
        tops_first = sorted(rows, key=lambda row: row.values["classify_pid"] is not None)
        return plan_rows(Category, CATEGORIES, tops_first, self.pictures.hashes)


class BrandStep(Step):
    """Brands."""

    table = BRANDS

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Compare brands."""
        self.known.brands.update(row.values["brand_id"] for row in rows)
        return [plan_rows(Brand, BRANDS, rows, None)]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write brands."""
        plan_rows(Brand, BRANDS, rows, None).apply(_as_it_is)


class GoodsStep(Step):
    """Goods, and the spec groups that they tell."""

    table = GOODS

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare goods."""
        fresh = _group_rows(rows, self.known.groups)
        check_goods(rows, self.known, problems)
        self.pictures.check(rows, problems)
        if problems.found:
            return []
        plan = plan_rows(Product, GOODS, rows, self.pictures.hashes)
        check_was_prices(plan, problems)
        return [plan, plan_rows(ProductGroup, GROUPS, fresh, None)]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write spec groups, then goods; goods that bring a was-price bring the history that it needs."""
        group_rows = _group_rows(rows, ())
        plan_rows(ProductGroup, GROUPS, group_rows, None).apply(_as_it_is)
        codes = [row.values["spec_group"] for row in group_rows]
        groups = ProductGroup.objects.in_bulk(codes, field_name="code")
        plan = plan_rows(Product, GOODS, rows, self.pictures.hashes)
        was_prices = {row.number: values.pop("market_price", None) for row, values in plan.new}
        resolve = _with_pictures(plan, self.pictures, made)
        plan.apply(lambda name, value: groups[value] if name == "group" and value else resolve(name, value))
        _bring_was_prices([(row, was) for row, _v in plan.new if (was := was_prices[row.number])])


class PriceStep(Step):
    """Prices of goods that are there, or that the same import brings."""

    table = PRICES

    def plan(self, rows: Sequence[Row], problems: Problems) -> list[Plan]:
        """Check and compare prices."""
        plan = plan_rows(Product, PRICES, rows, None)
        coming = self.known.of(GOODS.name)
        for row, _values in plan.new:
            if row.values["sku"] not in coming:
                text = _("there is no good with the SKU %(sku)s") % {"sku": row.values["sku"]}
                problems.add(row.file, row.number, "sku", text)
        plan.new = []
        check_was_prices(plan, problems)
        return [plan]

    def write(self, rows: Sequence[Row], made: list[AbstractImage]) -> None:
        """Write prices; goods that are gone meanwhile are left out."""
        plan = plan_rows(Product, PRICES, rows, None)
        plan.new = []
        plan.apply(_as_it_is)


def _as_it_is(_field: str, value: Any) -> Any:
    return value


def _group_rows(rows: Sequence[Row], known: Any) -> list[Row]:
    """Return one row of each spec group that is not known."""
    told = {row.values["spec_group"]: row for row in rows if row.values.get("spec_group")}
    return [row for code, row in told.items() if code not in known]


def _with_pictures(plan: Plan, pictures: Pictures, made: list[AbstractImage]) -> Resolve:
    """Return what turns the hashes in a plan into images, after making those that are missing."""
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


def _bring_was_prices(told: Sequence[tuple[Row, Any]]) -> None:
    """Write down since when the was-prices of new goods were charged, then let them be shown."""
    if not told:
        return
    PriceChange.objects.bulk_create(
        PriceChange(
            product_id=row.values["goods_id"],
            price=was,
            charged_from=datetime.combine(row.values["market_since"], time(), shop_zone()),
        )
        for row, was in told
    )
    products = Product.objects.in_bulk([row.values["goods_id"] for row, _was in told])
    for row, was in told:
        products[row.values["goods_id"]].market_price = was
    Product.objects.bulk_update(products.values(), ["market_price"])
