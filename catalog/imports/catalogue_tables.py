"""The tables of the catalogue: their columns, cells and fields."""

from pathlib import Path
from typing import Any

from catalog.goods.models import AUST_NUMBER, BASE_LEVEL, Allergen, Category, Diet, Storage
from catalog.imports import cells
from catalog.imports.tables import Column, Table

_NAMES = (Column("name_en", "name_en", cells.text(200)), Column("name_zh", "name_zh", cells.text(200)))


def _picture_name(row: Any) -> str:
    return Path(row.picture.file.name).name if row.picture else ""


_PICTURE = Column("picture", "picture", cells.text(200, blank=True), value=_picture_name)

CATEGORIES = Table(
    name="categories",
    key=("classify_id",),
    max_rows=10_000,
    columns=(
        Column("classify_id", "id", cells.identifier),
        Column("classify_pid", "parent_id", cells.parent),
        *_NAMES,
        _PICTURE,
        Column("tint", "tint", cells.colour),
        Column("sort", "sort", cells.number(0)),
        Column(
            "unit_price",
            "unit_rule",
            cells.one_of({rule: rule for rule in Category.UnitRule.values}),
            optional=True,
        ),
    ),
)
BRANDS = Table(
    name="brands",
    key=("brand_id",),
    max_rows=100_000,
    columns=(
        Column("brand_id", "id", cells.identifier),
        *_NAMES,
        Column("origin", "origin", cells.or_default(cells.country, "")),
        Column("house", "is_house", cells.flag),
        Column("zh_kind", "", cells.text(40, blank=True), optional=True),
    ),
)

_SKU = Column("sku", "sku", cells.text(40))
_PRICE = Column("price_aud", "price", cells.price)
_WAS_PRICE = Column("market_price", "market_price", cells.or_default(cells.price, None), optional=True)
_TIERS = Column("tiers", "tiers", cells.prices_by(cells.number(2)), optional=True)
_LEVELS = Column(
    "level_prices", "level_prices", cells.prices_by(cells.number(BASE_LEVEL + 1, 32_767)), optional=True
)

PRODUCTS = Table(
    name="goods",
    key=("sku",),
    columns=(
        Column("goods_id", "id", cells.identifier),
        _SKU,
        Column("classify_id", "category_id", cells.identifier),
        Column(
            "first_classify_id",
            "",
            cells.identifier,
            optional=True,
            value=lambda row: row.top_category_id,
        ),
        Column("brand_id", "brand_id", cells.identifier),
        *_NAMES,
        Column("pack", "pack", cells.text(40)),
        Column("net_weight_g", "net_weight", cells.number(1)),
        Column("unit_en", "unit_en", cells.text(20)),
        Column("unit_zh", "unit_zh", cells.text(20)),
        _PRICE,
        Column("gst", "gst_free", cells.one_of({"free": True, "taxable": False})),
        Column("storage", "storage", cells.one_of({word: word for word in Storage.values})),
        Column("origin", "origin", cells.country),
        _PICTURE,
        Column("desc_en", "description_en", cells.text(5_000, blank=True)),
        Column("desc_zh", "description_zh", cells.text(5_000, blank=True)),
        Column("direct_mail", "is_self", cells.flag, optional=True),
        Column("advance", "is_advance", cells.flag, optional=True),
        Column("expected_date", "expected_on", cells.or_default(cells.date, None), optional=True),
        Column("min_amount", "min_amount", cells.or_default(cells.number(1), 1), optional=True),
        Column("limit_amount", "limit_amount", cells.or_default(cells.number(0), 0), optional=True),
        Column(
            "spec_group", "group", cells.code, optional=True, value=lambda row: row.group and row.group.code
        ),
        Column(
            "spec_en",
            "",
            cells.text(60, blank=True),
            optional=True,
            value=lambda row: row.group and row.group.name_en,
        ),
        Column(
            "spec_zh",
            "",
            cells.text(60, blank=True),
            optional=True,
            value=lambda row: row.group and row.group.name_zh,
        ),
        Column("variant_en", "variant_en", cells.text(60, blank=True), optional=True),
        Column("variant_zh", "variant_zh", cells.text(60, blank=True), optional=True),
        Column("pack_zh", "pack_zh", cells.text(40, blank=True), optional=True),
        Column("ingredients_en", "ingredients_en", cells.text(5_000, blank=True), optional=True),
        Column("ingredients_zh", "ingredients_zh", cells.text(5_000, blank=True), optional=True),
        Column("allergens", "allergens", cells.codes(Allergen.values), optional=True),
        Column("best_before", "best_before", cells.or_default(cells.date, None), optional=True),
        Column("is_bulk", "is_bulk", cells.flag, optional=True),
        Column("carton_size", "carton_size", cells.or_default(cells.number(1), 1), optional=True),
        Column("no_export", "no_export", cells.flag, optional=True),
        Column("on_sale", "on_sale", cells.one_of({"1": True, "0": False, "": True}), optional=True),
        _WAS_PRICE,
        # The day from which the was-price was charged, for products without a price history.
        Column("market_since", "", cells.or_default(cells.date, None), optional=True),
        _TIERS,
        _LEVELS,
        Column("gallery", "gallery", cells.names, optional=True),
        Column("may_contain", "may_contain", cells.codes(Allergen.values), optional=True),
        Column("allergens_checked", "allergens_checked", cells.flag, optional=True),
        Column("diets", "diets", cells.codes(Diet.values), optional=True),
        Column("nutrition", "nutrition", cells.nutrition, optional=True),
        Column("directions_en", "directions_en", cells.text(5_000, blank=True), optional=True),
        Column("directions_zh", "directions_zh", cells.text(5_000, blank=True), optional=True),
        Column("warnings_en", "warnings_en", cells.text(5_000, blank=True), optional=True),
        Column("warnings_zh", "warnings_zh", cells.text(5_000, blank=True), optional=True),
        Column("aust_number", "aust_number", cells.pattern(AUST_NUMBER, "AUST L 123456"), optional=True),
        Column("gtin", "gtin", cells.gtin, optional=True),
    ),
)
# Changes prices of existing products, but no other column.
PRICES = Table(name="prices", key=("sku",), columns=(_SKU, _PRICE, _WAS_PRICE, _TIERS, _LEVELS))
# Product groups have no file of their own: they are columns of the products' file.
GROUPS = Table(
    name="product groups",
    key=("spec_group",),
    columns=(
        Column("spec_group", "code", cells.code),
        Column("spec_en", "name_en", cells.text(60)),
        Column("spec_zh", "name_zh", cells.text(60)),
    ),
)
