"""The catalogue on the wire (CONTRACT 2)."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import BeforeValidator, Field

from catalog.goods.models import Storage, UnitMeasure
from catalog.goods.schemas import GoodsId
from core.wire import Flag, Page, PageQuery, Price, WireModel, WireText, blank_as_none

# Brands that one search may name.
MOST_BRANDS = 50


def _texts(value: Any) -> Any:
    """Read one text, a list of them, or nothing as a list."""
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def _code(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else blank_as_none(value)


OptionalId = Annotated[GoodsId | None, BeforeValidator(blank_as_none)]
Dollars = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=2)]
OptionalPrice = Annotated[Dollars | None, BeforeValidator(blank_as_none)]
OptionalFlag = Annotated[bool | None, BeforeValidator(blank_as_none)]
StockType = Literal["1", "2", "3"]


class GoodsQuery(PageQuery):
    """What to list; everything may be left out. `isAsc` left out: prices upwards, all else downwards.

    `isEnglishWebsite` changes nothing: goods carry both languages. Both prices are in dollars and count in,
    `promotion` is the id of one that runs, `bulk` keeps goods of bulk buying.
    """

    brandName: Annotated[list[WireText], BeforeValidator(_texts), Field(max_length=MOST_BRANDS)] = []
    goodsTypeId: OptionalId = None
    firstCategoryId: OptionalId = None
    word: WireText | None = None
    stockType: Annotated[StockType | None, BeforeValidator(_code)] = None
    orderBy: WireText | None = None
    isAsc: OptionalFlag = None
    isEnglishWebsite: OptionalFlag = None
    minPrice: OptionalPrice = None
    maxPrice: OptionalPrice = None
    promotion: OptionalId = None
    bulk: OptionalFlag = None
    storage: Annotated[Storage | None, BeforeValidator(blank_as_none)] = None


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
    packZh: str
    unit: str
    unitZh: str
    unitPrice: Price | None
    unitPriceMeasure: UnitMeasure | None
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


class PromotionName(Schema):
    """A promotion; `endTime` as `dd/MM/yyyy HH:mm` in the shop's zone."""

    goodsActionTypeId: int
    goodsActionTypeName: str
    goodsActionTypeNameEn: str
    endTime: str
    endTimeIso: datetime


class PromotionOut(PromotionName):
    """A promotion of the list; `startTime` is written as `endTime` is."""

    imgUrl: str | None
    startTime: str


class OfferOut(PromotionName):
    """What a running promotion makes of a good: its price, its units left, the most per customer (0: any)."""

    actionPrice: Price
    goodsStockAmount: int
    limitAmount: int


class PriceTierOut(Schema):
    """From how many units on one costs how much, in dollars with GST."""

    fromAmount: int
    price: Price


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
    cartonSize: int
    priceTiers: list[PriceTierOut]
    promotions: list[OfferOut]


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


class BrandQuery(WireModel):
    """Whose brands: of a first-level category (`type` 1), of a second-level one (2), or all."""

    type: Annotated[Literal["1", "2"] | None, BeforeValidator(_code)] = None
    classId: WireText | None = None


class BrandOut(Schema):
    """A brand; `brandName` is the Chinese name."""

    brandId: int
    brandName: str
    brandNameEn: str
    brandImgUrl: str | None


class ClassifyAndGoods(ClassifyName):
    """A category with some of its goods."""

    classifyImgUrl: str | None
    goods: Sequence[GoodsOut]


class SuggestQuery(WireModel):
    """What somebody has typed so far."""

    word: WireText = ""


class SuggestedGoods(Schema):
    """A good as the search field offers it; the price in dollars with GST."""

    goodsId: int
    goodsName: str
    goodsEnglishName: str
    goodsImgUrl: str | None
    memberPrice: Price


class SuggestedClassify(ClassifyName):
    """A category of either level; `classifyPid` 0 means a top one."""

    classifyPid: int


class SuggestionsOut(Schema):
    """What may be meant, the likeliest first."""

    goods: list[SuggestedGoods]
    brands: list[BrandOut]
    categories: list[SuggestedClassify]
