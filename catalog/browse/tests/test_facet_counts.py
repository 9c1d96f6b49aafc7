"""Lists compared with a naive calculation of the same filters, on small random catalogues."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.browse import paging
from catalog.browse.filters import Filters
from catalog.browse.listing import listable_products, listing
from catalog.goods.listed import ADVANCE, IN_STOCK, SOLD_OUT, stock_type
from catalog.goods.models import Product, Storage
from catalog.goods.tests.builders import make_brand, make_category, make_product
from catalog.goods.writing import update_products, writing_catalogue
from catalog.promotions.models import Promotion
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.tests.builders import make_location, stock

pytestmark = pytest.mark.django_db

WORDS = ("Rice", "Tea", "Noodle")
PRICES = [Decimal(cents) / 100 for cents in (1, 15, 16, 17, 99, 100, 199, 200, 201, 999, 1000, 9999)]


@pytest.fixture
def shop() -> dict[str, list[Any]]:
    """Forty products that differ in every filter, a few of them equal in every sort order."""
    random = Random(7)
    tops = [make_category() for _ in range(2)]
    categories = [*tops, *(make_category(parent=top) for top in tops for _ in range(2))]
    brands = [make_brand() for _ in range(3)]
    place, now = make_location(fills_deliveries=True), timezone.now()
    promotion = make_promotion()
    with writing_catalogue():
        for number in range(40):
            product = make_product(
                name_en=f"{random.choice(WORDS)} {random.choice(WORDS)} {number}",
                name_zh="米",
                category=random.choice(categories),
                brand=random.choice(brands),
                price=random.choice(PRICES),
                units_sold=random.choice((0, 0, 1, 2, 3, 4, 5, 40)),
                storage=random.choice(Storage.values),
                is_advance=random.random() < 0.2,
                is_bulk=random.random() < 0.3,
                on_sale=random.random() < 0.9,
                min_amount=random.choice((1, 3)),
            )
            update_products(
                Product.objects.filter(pk=product.pk), created_at=now - timedelta(days=random.randrange(5))
            )
            if random.random() < 0.7:
                stock(product, random.choice((1, 2, 5)), place)
            if random.random() < 0.2:
                promote(promotion, product, "0.01", quota=1, taken=random.choice((0, 1)))
    return {"categories": categories, "brands": brands, "promotions": [promotion]}


def passes(product: Product, filters: Filters) -> bool:
    """Return True if it passes, by the product and its promotion items alone."""
    categories = (product.category_id, product.category.parent_id)
    return (
        (
            not filters.brand_names
            or bool({product.brand.name_en, product.brand.name_zh} & {*filters.brand_names})
        )
        and filters.category_id in (None, *categories)
        and filters.first_category_id in (None, *categories)
        and filters.word.lower() in product.name_en.lower()
        and filters.stock_type in ("", stock_type(product, available=product.available))
        and filters.storage in ("", product.storage)
        and (not filters.bulk or product.is_bulk)
        and (filters.min_price is None or product.price >= filters.min_price)
        and (filters.max_price is None or product.price <= filters.max_price)
        and (
            filters.promotion_id is None
            or any(
                item.promotion_id == filters.promotion_id and item.left > 0
                for item in product.promotion_items.all()
            )
        )
    )


def in_order(products: list[Product], filters: Filters) -> list[int]:
    """Sort by the rule of each sort order."""
    turn = 1 if filters.ascending else -1
    keys: dict[str, Any] = {
        "price": lambda product: (turn * product.price, turn * product.pk),
        "sales": lambda product: (turn * product.units_sold, -turn * product.pk),
        "new": lambda product: (turn * product.created_at.timestamp(), -turn * product.pk),
    }

    def by_shop(product: Product) -> Any:
        is_out = bool(filters.word) and stock_type(product, available=product.available) == SOLD_OUT
        return (is_out, -product.units_sold, product.pk)

    return [product.pk for product in sorted(products, key=keys.get(filters.order_by, by_shop))]


def some(values: list[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), st.sampled_from(values))


def filters_of(shop: dict[str, list[Any]]) -> st.SearchStrategy[Filters]:
    categories = some([category.pk for category in shop["categories"]])
    names = [name for brand in shop["brands"] for name in (brand.name_en, brand.name_zh)]
    return st.builds(
        Filters,
        brand_names=st.one_of(
            st.just(()), st.tuples(st.sampled_from([*names, "Unknown"]), st.sampled_from(names))
        ),
        category_id=categories,
        first_category_id=categories,
        word=st.sampled_from(("", "", "rice")),
        stock_type=st.sampled_from(("", "", IN_STOCK, ADVANCE, SOLD_OUT)),
        storage=st.sampled_from(("", "", *Storage.values)),
        bulk=st.booleans(),
        promotion_id=st.one_of(st.none(), st.none(), st.just(shop["promotions"][0].pk)),
        min_price=some(PRICES),
        max_price=some(PRICES),
        order_by=st.sampled_from(("", "price", "sales", "new", "relevance")),
        ascending=st.booleans(),
    )


# Where sets of ids help the database a page goes other ways, which small lists must be made to take.
WAYS = {"alone": (4000, 2000), "sorted": (0, 2000), "cut": (0, 1), "stepped": (0, 0)}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow
def test_lists_and_counts_equal_those_of_a_naive_calculation(
    way: str, shop: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "STEPS", WAYS[way][0])
    monkeypatch.setattr(paging, "FEW", WAYS[way][1])
    everything = list(listable_products().prefetch_related("promotion_items"))

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(filters_of(shop))
    def check(filters: Filters) -> None:
        expected = [product for product in everything if passes(product, filters)]
        found = listing(filters)
        assert len(found) == len(expected)
        ordered = in_order(expected, filters)
        if filters.word and filters.order_by in ("", "relevance"):
            # The search itself ranks names by relevance; the list decides the rest of the order.
            tiers = found.counts.found.tiers
            place = {pk: number for number, tier in enumerate(tiers) for pk in tier}
            ordered.sort(key=lambda pk: place[pk])
        pages = [found.ids(start, start + 7) for start in range(0, len(ordered) + 7, 7)]
        assert [pk for page in pages for pk in page] == ordered
        rows = [product.id for start in range(0, len(ordered), 7) for product in found.rows(start, start + 7)]
        assert rows == ordered
        check_facets(everything, filters)

    check()


def check_facets(everything: list[Product], filters: Filters) -> None:
    """Compare each facet with the products that pass all filters but its own."""
    facets = listing(filters).facets

    def left(**own: Any) -> list[Product]:
        return [product for product in everything if passes(product, replace(filters, **own))]

    brands = Counter(product.brand_id for product in left(brand_names=()))
    assert {brand.pk: count for brand, count in facets.brands} == brands
    categories: Counter[int] = Counter()
    for product in left(category_id=None, first_category_id=None):
        categories.update({product.category_id, product.category.parent_id or product.category_id})
    assert facets.categories == categories
    assert facets.stock_types == Counter(
        stock_type(product, available=product.available) for product in left(stock_type="")
    )
    assert facets.storages == Counter(product.storage for product in left(storage=""))


def test_an_ended_promotion_has_no_products(shop: dict[str, list[Any]]) -> None:
    filters = Filters(promotion_id=shop["promotions"][0].pk)
    assert len(listing(filters)) > 0
    Promotion.objects.update(is_active=False)
    assert len(listing(filters)) == 0
    assert len(listing(Filters(promotion_id=404))) == 0
