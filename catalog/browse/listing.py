"""Which goods a list holds, in what order, and how many each further filter would leave (CONTRACT 2)."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Case, Count, F, FilteredRelation, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from catalog.goods.models import Brand, Category, Product
from catalog.stock.models import Location

IN_STOCK, ADVANCE, SOLD_OUT = "1", "2", "3"
# Longer texts name no good; they would only make the database compare more.
MAX_WORD, MAX_TERMS = 100, 8
# Every order ends with the id, so that equal goods keep their places from page to page.
_ORDERS = {
    "price": ("price", "id"),
    "sales": ("units_sold", "-id"),
    "new": ("created_at", "-id"),
}
_SHOP_ORDER = ("-units_sold", "id")


@dataclass(frozen=True)
class Filters:
    """What a reader asked for; empty values ask for nothing. The names on the wire: SPEC 3, Search params."""

    brand_names: tuple[str, ...] = ()
    category_id: int | None = None
    first_category_id: int | None = None
    word: str = ""
    stock_type: str = ""
    order_by: str = ""
    ascending: bool = False


@dataclass(frozen=True)
class Facets:
    """How many goods each choice would show, counted under all filters but the choice's own."""

    brands: list[tuple[Brand, int]]
    categories: dict[int, int]
    stock_types: dict[str, int]


def listing(filters: Filters) -> QuerySet[Product]:
    """Return the goods on sale that pass the filters, in order, with what a card shows of them.

    Each has `available`: the units a delivery order can buy now. Six queries at most, however many goods.
    """
    return (
        _passing(_search(filters))
        .select_related("brand", "category__parent", "picture")
        .prefetch_related("picture__renditions")
        .order_by(*_order(filters))
    )


def facets(filters: Filters) -> Facets:
    """Count the goods behind every further choice, most frequent brands first; nine queries at most."""
    search = _search(filters)
    by_brand = dict(_counted(replace(search, brand_ids=None), F("brand_id")))
    brands = Brand.objects.in_bulk(by_brand)
    categories: Counter[int] = Counter()
    parents = dict(Category.objects.values_list("pk", "parent_id"))
    for category_id, count in _counted(replace(search, shelves=()), F("category_id")):
        for level in filter(None, (category_id, parents[category_id])):
            categories[level] += count
    return Facets(
        brands=sorted(
            ((brands[pk], count) for pk, count in by_brand.items()),
            key=lambda found: (-found[1], found[0].name_en, found[0].pk),
        ),
        categories=dict(categories),
        stock_types=dict(_counted(replace(search, stock_type=""), _STOCK_TYPE)),
    )


_AVAILABLE = {"available": Coalesce(F("level__on_hand") - F("level__reserved"), 0)}
_IS = {
    SOLD_OUT: Q(available__lt=F("min_amount")),
    ADVANCE: Q(available__gte=F("min_amount"), is_advance=True),
    IN_STOCK: Q(available__gte=F("min_amount"), is_advance=False),
}
_STOCK_TYPE = Case(*(When(condition, then=Value(kind)) for kind, condition in _IS.items()))


def stock_type(product: Product) -> str:
    """Return the stock type of a good from `listing`: in stock, advance or limited, sold out."""
    if product.available < product.min_amount:
        return SOLD_OUT
    return ADVANCE if product.is_advance else IN_STOCK


@dataclass(frozen=True)
class _Search:
    """The filters as the database knows them: names have become ids."""

    place_id: int | None
    brand_ids: list[int] | None
    shelves: tuple[list[int], ...]
    terms: list[str]
    stock_type: str


def _search(filters: Filters) -> _Search:
    place_id = Location.objects.filter(fills_deliveries=True).values_list("pk", flat=True).first()
    brand_ids = None
    if filters.brand_names:
        named = Q(name_en__in=filters.brand_names) | Q(name_zh__in=filters.brand_names)
        brand_ids = list(Brand.objects.filter(named).values_list("pk", flat=True))
    chosen = [pk for pk in (filters.first_category_id, filters.category_id) if pk is not None]
    return _Search(
        place_id=place_id,
        brand_ids=brand_ids,
        shelves=tuple(_shelf(pk) for pk in chosen),
        terms=filters.word[:MAX_WORD].split()[:MAX_TERMS],
        stock_type=filters.stock_type,
    )


def _shelf(category_id: int) -> list[int]:
    """Return a category and those below it: as ids, so that one alone is read in order from an index."""
    shelf = Category.objects.filter(Q(pk=category_id) | Q(parent=category_id))
    return list(shelf.values_list("pk", flat=True))


def _passing(search: _Search) -> QuerySet[Product]:
    at_place = Q(stock_levels__location=search.place_id)
    level = FilteredRelation("stock_levels", condition=at_place)
    goods = Product.objects.filter(on_sale=True).annotate(level=level).annotate(**_AVAILABLE)
    for shelf in search.shelves:
        goods = goods.filter(category__in=shelf)
    if search.brand_ids is not None:
        goods = goods.filter(brand__in=search.brand_ids)
    for term in search.terms:
        goods = goods.filter(
            Q(name_en__icontains=term)
            | Q(name_zh__icontains=term)
            | Q(brand__name_en__icontains=term)
            | Q(brand__name_zh__icontains=term)
            | Q(sku__icontains=term)
            | Q(category__name_en__icontains=term)
            | Q(category__name_zh__icontains=term)
        )
    if search.stock_type:
        goods = goods.filter(_IS[search.stock_type])
    return goods


def _order(filters: Filters) -> tuple[str, ...]:
    upwards = _ORDERS.get(filters.order_by)
    if upwards is None:
        return _SHOP_ORDER
    return upwards if filters.ascending else tuple(_turned(field) for field in upwards)


def _turned(field: str) -> str:
    return field[1:] if field.startswith("-") else f"-{field}"


def _counted(search: _Search, key: F | Case) -> "QuerySet[Product, tuple[Any, int]]":
    goods = _passing(search).annotate(key=key).order_by()
    return goods.values("key").annotate(count=Count("pk")).values_list("key", "count")
