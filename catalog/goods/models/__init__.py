"""What is for sale: categories, brands, goods, their prices, and the exchange rate they are shown with."""

from catalog.goods.models.names import TwoNames, is_chinese
from catalog.goods.models.prices import BASE_LEVEL, LevelPrice, PriceChange, PriceTier
from catalog.goods.models.products import (
    Allergen,
    Product,
    ProductGroup,
    ProductPicture,
    Storage,
    UnitMeasure,
)
from catalog.goods.models.rates import ExchangeRate
from catalog.goods.models.sales import SoldDay
from catalog.goods.models.shelves import Brand, Category
from catalog.goods.models.tags import GoodsTag, TaggedGood

__all__ = [
    "BASE_LEVEL",
    "Allergen",
    "Brand",
    "Category",
    "ExchangeRate",
    "GoodsTag",
    "LevelPrice",
    "PriceChange",
    "PriceTier",
    "Product",
    "ProductGroup",
    "ProductPicture",
    "SoldDay",
    "Storage",
    "TaggedGood",
    "TwoNames",
    "UnitMeasure",
    "is_chinese",
]
