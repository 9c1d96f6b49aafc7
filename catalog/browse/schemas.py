"""The catalogue's schemas (docs/wire.md#catalogue)."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from catalog.browse.filters import Filters
from catalog.goods.dietary import DietaryFilter
from catalog.goods.models import Storage, UnitMeasure
from catalog.goods.nutrition import Panel
from catalog.goods.schemas import MAX_PRODUCTS, GoodsId
from core.wire import (
    AnswerModel,
    Flag,
    Page,
    PageQuery,
    Price,
    Source,
    WireModel,
    WireText,
    blank_as_none,
    flag,
)

# The most brands in one list request.
MAX_BRANDS = 50


def _texts(value: Any) -> Any:
    """Return one text, a list of texts or an empty value as a list."""
    return value if isinstance(value, list) else [] if value in (None, "") else [value]


def _code(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else blank_as_none(value)


OptionalId = Annotated[GoodsId | None, BeforeValidator(blank_as_none)]
Dollars = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=2)]
OptionalPrice = Annotated[Dollars | None, BeforeValidator(blank_as_none)]
OptionalFlag = Annotated[bool | None, BeforeValidator(blank_as_none)]
StockType = Literal["1", "2", "3"]


class GoodsQuery(PageQuery):
    """The filters and page of a list, all optional. Without `isAsc` prices ascend, other orders descend.

    `isEnglishWebsite` has no effect, because products have both languages. Both prices are inclusive and in
    dollars. `promotion` is the id of a running promotion; `bulk` selects products of bulk buying.
    """

    brandName: Annotated[list[WireText], BeforeValidator(_texts), Field(max_length=MAX_BRANDS)] = []
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
    suits: Annotated[list[DietaryFilter], BeforeValidator(_texts), Field(max_length=MAX_BRANDS)] = []

    def filters(self) -> Filters:
        """Return the request as filters of a list."""
        order_by = self.orderBy or ""
        return Filters(
            brand_names=tuple(dict.fromkeys(filter(None, self.brandName))),
            category_id=self.goodsTypeId,
            first_category_id=self.firstCategoryId,
            word=self.word or "",
            stock_type=self.stockType or "",
            storage=self.storage or "",
            suits=tuple(name for name in DietaryFilter.values if name in self.suits),
            bulk=bool(self.bulk),
            promotion_id=self.promotion,
            min_price=self.minPrice,
            max_price=self.maxPrice,
            order_by=order_by,
            ascending=order_by == "price" if self.isAsc is None else self.isAsc,
        )


class CartGoods(AnswerModel):
    """A product's data for a cart; prices in dollars with GST, `netWeight` in grams.

    The sources in these schemas are attributes of a PricedProduct.
    """

    goodsId: Annotated[int, Source("product.id")]
    goodsName: Annotated[str, Source("product.name_zh")]
    goodsEnglishName: Annotated[str, Source("product.name_en")]
    goodsImgUrl: Annotated[str | None, Source("product.picture_url")]
    goodsStockAmount: Annotated[int, Source("available")]
    memberPrice: Annotated[Price, Source("price")]
    isSelf: Annotated[Flag, Source("product.is_self", flag)]
    isAdvance: Annotated[Flag, Source("product.is_advance", flag)]
    expectedDate: Annotated[str | None, Source("product.expected", date.isoformat)]
    netWeight: Annotated[int, Source("product.net_weight")]
    storage: Annotated[str, Source("product.storage")]
    pack: Annotated[str, Source("product.pack")]
    packZh: Annotated[str, Source("product.pack_in_chinese")]
    unitPrice: Annotated[Price | None, Source("unit_price")]
    unitPriceMeasure: Annotated[UnitMeasure | None, Source("unit_measure")]
    minAmount: Annotated[int, Source("product.min_amount")]
    limitAmount: Annotated[int, Source("limit_amount")]


class GoodsIds(WireModel):
    """The ids of products; repeated ids count once."""

    goodsIds: Annotated[list[GoodsId], Field(max_length=MAX_PRODUCTS)]


class GoodsOut(CartGoods):
    """A product as lists show it."""

    sku: Annotated[str, Source("product.sku")]
    brandId: Annotated[int, Source("product.brand.id")]
    brandName: Annotated[str, Source("product.brand.name_zh")]
    brandNameEn: Annotated[str, Source("product.brand.name_en")]
    firstCategoryId: Annotated[int, Source("product.first_category_id")]
    goodsTypeId: Annotated[int, Source("product.category.id")]
    marketPrice: Annotated[Price | None, Source("was_price")]
    stockType: Annotated[StockType, Source("stock_type")]
    unit: Annotated[str, Source("product.unit_en")]
    unitZh: Annotated[str, Source("product.unit_zh")]
    gstFree: Annotated[bool, Source("product.gst_free")]
    isBulk: Annotated[bool, Source("product.is_bulk")]
    actionTypeId: Annotated[int | None, Source("promotion_id")]
    actionPrice: Annotated[Price | None, Source("promotion_price")]


class ClassifyName(AnswerModel):
    """A category in a product's category path."""

    classifyId: int
    classifyName: str
    classifyEnglishName: str


class PromotionName(AnswerModel):
    """A promotion with its effect on prices (`kind`, `rule`) and its end (`dd/MM/yyyy HH:mm`).

    `buyUnits`, `freeUnits`: null unless customers who buy some units get others free.
    """

    goodsActionTypeId: int
    goodsActionTypeName: str
    goodsActionTypeNameEn: str
    kind: str
    rule: str
    ruleEn: str
    buyUnits: int | None
    freeUnits: int | None
    endTime: str
    endTimeIso: datetime


class PromotionOut(PromotionName):
    """A promotion in the list; `startTime` has the format of `endTime`."""

    imgUrl: str | None
    startTime: str


class OfferOut(PromotionName):
    """A product's offer in a running promotion: price, units left, limit per customer (0 for none)."""

    actionPrice: Price
    goodsStockAmount: int
    limitAmount: int


class PriceTierOut(AnswerModel):
    """A price that applies from an amount on, in dollars with GST."""

    fromAmount: int
    price: Price


class BatchGoods(CartGoods):
    """A product's data for a cart, with its price tiers."""

    cartonSize: Annotated[int, Source("product.carton_size")]
    priceTiers: list[PriceTierOut]


class BatchGoodsOut(AnswerModel):
    """The requested products that are on sale, in the requested order."""

    list: list[BatchGoods]


class NutritionOut(AnswerModel):
    """A nutrition panel: `serving` in `measure`; energy in kJ, sodium in mg, others in grams, per 100."""

    measure: Literal["g", "mL"]
    serving: Price
    servings: Price | None
    energy: Price
    protein: Price
    fat: Price
    saturated: Price
    carbohydrate: Price
    sugars: Price
    sodium: Price


def nutrition_out(panel: Panel) -> dict[str, Any]:
    """Return a panel as NutritionOut."""
    numbers = {name: Price(text) for name, text in panel.items() if name != "measure"}
    return {"measure": panel["measure"], "servings": None} | numbers


class GoodsDetail(GoodsOut):
    """A product with all its details."""

    images: Annotated[list[str], Source("product.picture_urls")]
    description: Annotated[str, Source("product.description_zh")]
    descriptionEn: Annotated[str, Source("product.description_en")]
    ingredients: Annotated[str | None, Source("product.ingredients_zh", blank_as_none)]
    ingredientsEn: Annotated[str | None, Source("product.ingredients_en", blank_as_none)]
    allergens: Annotated[list[str], Source("product.allergens")]
    allergensChecked: Annotated[bool, Source("product.allergens_checked")]
    mayContain: Annotated[list[str], Source("product.may_contain")]
    diets: Annotated[list[str], Source("product.diets")]
    nutrition: Annotated[NutritionOut | None, Source("product.nutrition", nutrition_out)]
    directions: Annotated[str | None, Source("product.directions_en", blank_as_none)]
    directionsZh: Annotated[str | None, Source("product.directions_zh", blank_as_none)]
    warnings: Annotated[str | None, Source("product.warnings_en", blank_as_none)]
    warningsZh: Annotated[str | None, Source("product.warnings_zh", blank_as_none)]
    austNumber: Annotated[str | None, Source("product.aust_number", blank_as_none)]
    gtin: Annotated[str | None, Source("product.gtin", blank_as_none)]
    origin: str
    originEn: str
    bestBefore: Annotated[str | None, Source("product.best_before", date.isoformat)]
    isExported: Annotated[bool, Source("product.is_exported")]
    classifyPath: list[ClassifyName]
    cartonSize: Annotated[int, Source("product.carton_size")]
    priceTiers: list[PriceTierOut]
    promotions: list[OfferOut]


class BrandFacet(AnswerModel):
    """A brand and its number of products."""

    brandName: str
    brandNameEn: str
    count: int


class CategoryFacet(AnswerModel):
    """A category of either level and its number of products."""

    classifyId: int
    count: int


class StockFacet(AnswerModel):
    """A stock type and its number of products."""

    stockType: StockType
    count: int


class FacetsOut(AnswerModel):
    """Counts for each choice, under all other filters."""

    brands: list[BrandFacet]
    categories: list[CategoryFacet]
    stockTypes: list[StockFacet]


class GoodsPage(Page[GoodsOut]):
    """A page of products with facets."""

    facets: FacetsOut


class Classify(ClassifyName):
    """A category with its subcategories; `classifyPid` is 0 for a top category."""

    classifyPid: int
    classifyImgUrl: str | None
    secondClassify: "Sequence[Classify]"


class SpecValue(AnswerModel):
    """One variant, which is a product of its own."""

    goodsId: Annotated[int, Source("product.id")]
    value: Annotated[str, Source("product.variant_in_chinese")]
    valueEn: Annotated[str, Source("product.variant_in_english")]
    memberPrice: Annotated[Price, Source("price")]
    goodsStockAmount: Annotated[int, Source("available")]
    goodsImgUrl: Annotated[str | None, Source("product.picture_url")]


class Spec(AnswerModel):
    """The difference between the variants, and its values."""

    specName: str
    specNameEn: str
    values: list[SpecValue]


class SpecsOut(AnswerModel):
    """The variants of a product."""

    goodsId: int
    specs: list[Spec]


class RateOut(AnswerModel):
    """CNY for one AUD; `updateTime` is null until a rate has been fetched."""

    exchangeRate: Price
    base: Literal["AUD"] = "AUD"
    quote: Literal["CNY"] = "CNY"
    updateTime: datetime | None


class BrandQuery(WireModel):
    """The brands to list: of a top category (`type` 1), of a subcategory (`type` 2), or all."""

    type: Annotated[Literal["1", "2"] | None, BeforeValidator(_code)] = None
    classId: WireText | None = None


class BrandOut(AnswerModel):
    """A brand; `brandName` is the Chinese name."""

    brandId: int
    brandName: str
    brandNameEn: str
    brandImgUrl: str | None


class ClassifyAndGoods(ClassifyName):
    """A category with some of its products."""

    classifyImgUrl: str | None
    goods: Sequence[GoodsOut]


class SuggestQuery(WireModel):
    """The text typed so far."""

    word: WireText = ""


class SuggestedGoods(AnswerModel):
    """A product as a suggestion; the price in dollars with GST."""

    goodsId: Annotated[int, Source("product.id")]
    goodsName: Annotated[str, Source("product.name_zh")]
    goodsEnglishName: Annotated[str, Source("product.name_en")]
    goodsImgUrl: Annotated[str | None, Source("product.picture_url")]
    memberPrice: Annotated[Price, Source("price")]


class SuggestedClassify(ClassifyName):
    """A category of either level; `classifyPid` is 0 for a top category."""

    classifyPid: int


class SuggestionsOut(AnswerModel):
    """The suggestions, the most relevant first."""

    goods: list[SuggestedGoods]
    brands: list[BrandOut]
    categories: list[SuggestedClassify]
