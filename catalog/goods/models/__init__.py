"""The models of the catalogue: categories, brands, products and their prices."""

from catalog.goods.dietary import Allergen, Diet
from catalog.goods.models.brands import Brand
from catalog.goods.models.categories import Category
from catalog.goods.models.names import TwoNames, is_chinese
from catalog.goods.models.pairs import BoughtTogether
from catalog.goods.models.prices import BASE_LEVEL, LevelPrice, PriceChange, PriceTier
from catalog.goods.models.products import (
    AUST_NUMBER,
    Product,
    ProductGroup,
    ProductPicture,
    Storage,
    UnitMeasure,
)
from catalog.goods.models.sales import SoldDay
from catalog.goods.models.tags import ProductTag, TaggedProduct

__all__ = [
    "AUST_NUMBER",
    "BASE_LEVEL",
    "Allergen",
    "BoughtTogether",
    "Brand",
    "Category",
    "Diet",
    "LevelPrice",
    "PriceChange",
    "PriceTier",
    "Product",
    "ProductGroup",
    "ProductPicture",
    "ProductTag",
    "SoldDay",
    "Storage",
    "TaggedProduct",
    "TwoNames",
    "UnitMeasure",
    "is_chinese",
]
