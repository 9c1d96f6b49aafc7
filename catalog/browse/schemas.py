"""The catalogue on the wire (CONTRACT 2)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator, Field

from catalog.goods.schemas import GoodsId
from core.wire import Flag, Page, PageQuery, Price, WireText, blank_as_none

# Brands that one search may name.
MOST_BRANDS = 50


def _texts(value: Any) -> Any:
    """Read one text, a list of them, or nothing as a list."""
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def _code(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else blank_as_none(value)


OptionalId = Annotated[GoodsId | None, BeforeValidator(blank_as_none)]
OptionalFlag = Annotated[bool | None, BeforeValidator(blank_as_none)]
StockType = Literal["1", "2", "3"]


class GoodsQuery(PageQuery):
    """What to list; everything may be left out. `isAsc` left out: prices upwards, all else downwards.

    `isEnglishWebsite` changes nothing: goods carry both languages.
    """

    brandName: Annotated[list[WireText], BeforeValidator(_texts), Field(max_length=MOST_BRANDS)] = []
    goodsTypeId: OptionalId = None
    firstCategoryId: OptionalId = None
    word: WireText | None = None
    stockType: Annotated[StockType | None, BeforeValidator(_code)] = None
    orderBy: WireText | None = None
    isAsc: OptionalFlag = None
    isEnglishWebsite: OptionalFlag = None


class GoodsOut(Schema):
    """One good as lists show it; prices in dollars with GST, `netWeight` in grams."""

    goodsId: int
    sku: str
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    brandId: int
    brandName: str
    brandNameEn: str
    firstCategoryId: int
    goodsTypeId: int
    memberPrice: Price
    marketPrice: Price | None
    goodsStockAmount: int
    isSelf: Flag
    isAdvance: Flag
    stockType: StockType
    netWeight: int
    pack: str
    unit: str
    unitZh: str
    unitPrice: Price | None
    unitPriceMeasure: str | None
    storage: str
    gstFree: bool
    isBulk: bool
    minAmount: int
    limitAmount: int
    actionTypeId: int | None
    actionPrice: Price | None


class ClassifyName(Schema):
    """A category on the way to a good."""

    classifyId: int
    classifyName: str
    classifyEnglishName: str


class GoodsDetail(GoodsOut):
    """One good with everything that is known of it."""

    images: list[str]
    description: str
    descriptionEn: str
    ingredients: str | None
    ingredientsEn: str | None
    allergens: list[str]
    origin: str
    originEn: str
    bestBefore: str | None
    classifyPath: list[ClassifyName]
    promotions: list[dict[str, Any]]


class BrandFacet(Schema):
    """How many goods a brand would leave."""

    brandName: str
    brandNameEn: str
    count: int


class CategoryFacet(Schema):
    """How many goods a category of either level would leave."""

    classifyId: int
    count: int


class StockFacet(Schema):
    """How many goods are in one state of stock."""

    stockType: StockType
    count: int


class FacetsOut(Schema):
    """Counts under all filters but the facet's own."""

    brands: list[BrandFacet]
    categories: list[CategoryFacet]
    stockTypes: list[StockFacet]


class GoodsPage(Page[GoodsOut]):
    """A page of goods with the counts of every further choice."""

    facets: FacetsOut


class Classify(ClassifyName):
    """A category with those below it; `classifyPid` 0 means a top one."""

    classifyPid: int
    classifyImgUrl: str | None
    secondClassify: "Sequence[Classify]"


class SpecValue(Schema):
    """One variant, which is a good of its own."""

    goodsId: int
    value: str
    valueEn: str
    memberPrice: Price
    goodsStockAmount: int
    goodsImgUrl: str | None


class Spec(Schema):
    """What the variants differ in."""

    specName: str
    specNameEn: str
    values: list[SpecValue]


class SpecsOut(Schema):
    """The variants of a good."""

    goodsId: int
    specs: list[Spec]


class RateOut(Schema):
    """CNY for one AUD; `updateTime` is null until a rate has been fetched."""

    exchangeRate: Price
    base: Literal["AUD"] = "AUD"
    quote: Literal["CNY"] = "CNY"
    updateTime: datetime | None
