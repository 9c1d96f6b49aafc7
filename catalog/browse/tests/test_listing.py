from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import NamedTuple

import pytest
from django.utils import timezone

from catalog.browse.listing import Filters, facets, listable_products, listing
from catalog.goods.listed import stock_type
from catalog.goods.models import Brand, Category, Product
from catalog.goods.tests.builders import make_brand, make_category, make_product, make_products
from catalog.goods.writing import update_products, writing_catalogue
from catalog.stock.tests.builders import make_location, stock

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


class Shop(NamedTuple):
    """Two subcategories of one category, another one, two brands, six products on sale and one not."""

    top: Category
    greens: Category
    roots: Category
    fruit: Category
    lee: Brand
    fresh: Brand


@pytest.fixture
def shop() -> Shop:
    # The index is written once for all.
    with writing_catalogue():
        top = make_category(name_en="Vegetables", name_zh="蔬菜")
        greens, roots = make_category(parent=top), make_category(parent=top)
        fruit = make_category(name_en="Fruit", name_zh="水果")
        lee = make_brand(name_en="Lee Kum Kee", name_zh="李锦记")
        fresh = make_brand(name_en="Market Fresh", name_zh="鲜市集")
        made = Shop(top, greens, roots, fruit, lee, fresh)
        now = timezone.now()
        rows = [
            # name, category, brand, price, sold, units, advance
            ("Bok Choy", "小白菜", greens, fresh, "4.49", 5, 10, False),
            ("Choy Sum", "菜心", greens, fresh, "2.99", 9, 0, False),
            ("Carrots 100% local", "胡萝卜", roots, fresh, "1.99", 5, 3, False),
            ("Oyster_Sauce", "蚝油", top, lee, "4.79", 7, 8, False),
            ("Mango Tray", "芒果", fruit, fresh, "29.99", 0, 2, True),
            ("Durian", "榴莲", fruit, lee, "24.99", 1, 0, True),
            ("Gone", "没了", greens, fresh, "1.00", 99, 50, False),
        ]
        for age, (name_en, name_zh, category, brand, price, sold, units, advance) in enumerate(rows):
            product = make_product(
                name_en=name_en,
                name_zh=name_zh,
                sku=f"SKU-{age}",
                category=category,
                brand=brand,
                price=Decimal(price),
                units_sold=sold,
                is_advance=advance,
                on_sale=name_en != "Gone",
            )
            update_products(Product.objects.filter(pk=product.pk), created_at=now - timedelta(days=age))
            if units:
                stock(product, units)
    return made


def stock_types(products: Iterable[Product]) -> set[str]:
    return {stock_type(product, available=product.available) for product in products}


def names(filters: Filters) -> list[str]:
    return [product.name_en for product in listing(filters)]


def test_products_on_sale_come_in_the_shops_order(shop: Shop) -> None:
    ordered = ["Choy Sum", "Oyster_Sauce", "Bok Choy", "Carrots 100% local", "Durian", "Mango Tray"]
    assert names(Filters()) == ordered


def test_only_unreserved_units_of_the_warehouse_can_be_bought(shop: Shop) -> None:
    product = Product.objects.get(name_en="Bok Choy")
    product.stock_levels.update(reserved=4)
    stock(product, 100, make_location())
    assert {p.name_en: p.available for p in listable_products()} == {
        "Choy Sum": 0,
        "Oyster_Sauce": 8,
        "Bok Choy": 6,
        "Carrots 100% local": 3,
        "Durian": 0,
        "Mango Tray": 2,
    }


def test_without_a_warehouse_every_product_is_sold_out() -> None:
    stock(make_product(), 5, make_location())
    assert stock_types(listable_products()) == {"3"}


VEGETABLES = {"Bok Choy", "Choy Sum", "Carrots 100% local", "Oyster_Sauce"}
FILTERED: list[tuple[Callable[[Shop], Filters], set[str]]] = [
    (lambda shop: Filters(category_id=shop.greens.pk), {"Bok Choy", "Choy Sum"}),
    (lambda shop: Filters(category_id=shop.top.pk), VEGETABLES),
    (lambda shop: Filters(first_category_id=shop.top.pk), VEGETABLES),
    (lambda shop: Filters(first_category_id=shop.fruit.pk, category_id=shop.greens.pk), set()),
    (lambda shop: Filters(category_id=10**18), set()),
    (lambda shop: Filters(brand_names=("李锦记",)), {"Oyster_Sauce", "Durian"}),
    (lambda shop: Filters(brand_names=("Lee Kum Kee",)), {"Oyster_Sauce", "Durian"}),
    (
        lambda shop: Filters(brand_names=("Lee Kum Kee", "鲜市集"), category_id=shop.roots.pk),
        {"Carrots 100% local"},
    ),
    (lambda shop: Filters(brand_names=("Unknown",)), set()),
    (lambda shop: Filters(stock_type="1"), {"Bok Choy", "Carrots 100% local", "Oyster_Sauce"}),
    (lambda shop: Filters(stock_type="2"), {"Mango Tray"}),
    (lambda shop: Filters(stock_type="3"), {"Choy Sum", "Durian"}),
    (lambda shop: Filters(word="choy"), {"Bok Choy", "Choy Sum"}),
    (lambda shop: Filters(word="CHOY bok"), {"Bok Choy"}),
    (lambda shop: Filters(word="蚝"), {"Oyster_Sauce"}),
    (lambda shop: Filters(word="李锦记"), {"Oyster_Sauce", "Durian"}),
    (lambda shop: Filters(word="lee kum durian"), {"Durian"}),
    (lambda shop: Filters(word="sku-2"), {"Carrots 100% local"}),
    (lambda shop: Filters(word="水果"), {"Mango Tray", "Durian"}),
    (lambda shop: Filters(word="fruit mango"), {"Mango Tray"}),
    (lambda shop: Filters(word="100%"), {"Carrots 100% local"}),
    (lambda shop: Filters(word="_"), set()),
    (lambda shop: Filters(word="%"), set()),
    (lambda shop: Filters(word="\\"), set()),
    (lambda shop: Filters(word="x" * 5000), set()),
]


def test_a_filter_leaves_the_matching_products(shop: Shop, subtests: pytest.Subtests) -> None:
    for choose, found in FILTERED:
        with subtests.test(choose=choose, found=found):
            assert set(names(choose(shop))) == found


def test_products_are_sorted(shop: Shop, subtests: pytest.Subtests) -> None:
    for order_by, ascending, first, last in [
        ("price", True, "Carrots 100% local", "Mango Tray"),
        ("price", False, "Mango Tray", "Carrots 100% local"),
        ("sales", False, "Choy Sum", "Mango Tray"),
        ("sales", True, "Mango Tray", "Choy Sum"),
        ("new", False, "Bok Choy", "Durian"),
        ("new", True, "Durian", "Bok Choy"),
        ("relevance", False, "Choy Sum", "Mango Tray"),
        ("nonsense", True, "Choy Sum", "Mango Tray"),
    ]:
        with subtests.test(order_by=order_by, ascending=ascending, first=first, last=last):
            found = names(Filters(order_by=order_by, ascending=ascending))
            assert (found[0], found[-1]) == (first, last)


def test_products_of_equal_rank_keep_their_order_from_page_to_page(subtests: pytest.Subtests) -> None:
    category, brand = make_category(), make_brand()
    make_products(13, category=category, brand=brand)
    update_products(Product.objects.all(), created_at=timezone.now())
    for order_by in ["", "price", "sales", "new"]:
        for ascending in [True, False]:
            with subtests.test(order_by=order_by, ascending=ascending):
                found = listing(Filters(order_by=order_by, ascending=ascending))
                paged = [product.pk for start in range(0, 13, 5) for product in found[start : start + 5]]
                assert sorted(paged) == sorted(Product.objects.values_list("pk", flat=True))


COUNTED: list[Callable[[Shop], Filters]] = [
    lambda shop: Filters(),
    lambda shop: Filters(category_id=shop.greens.pk),
    lambda shop: Filters(first_category_id=shop.top.pk, stock_type="1"),
    lambda shop: Filters(brand_names=("李锦记",), stock_type="3"),
    lambda shop: Filters(word="choy", brand_names=("Market Fresh",)),
    lambda shop: Filters(stock_type="2", category_id=shop.fruit.pk, brand_names=("鲜市集",)),
]


def test_every_facet_count_is_the_number_that_choosing_it_would_show(
    shop: Shop, subtests: pytest.Subtests
) -> None:
    for choose in COUNTED:
        with subtests.test(choose=choose):
            filters = choose(shop)
            counts = facets(filters)
            for brand in Brand.objects.all():
                shown = len(listing(replace(filters, brand_names=(brand.name_en,))))
                assert dict(counts.brands).get(brand, 0) == shown
            for category in Category.objects.all():
                shown = len(listing(replace(filters, category_id=category.pk, first_category_id=None)))
                assert counts.categories.get(category.pk, 0) == shown
            for kind in ("1", "2", "3"):
                assert counts.stock_types.get(kind, 0) == len(listing(replace(filters, stock_type=kind)))


def test_facets_name_the_most_frequent_brand_first(shop: Shop) -> None:
    counts = [(brand.name_en, count) for brand, count in facets(Filters()).brands]
    assert counts == [("Market Fresh", 4), ("Lee Kum Kee", 2)]


def test_the_stock_type_shown_is_the_one_filtered_by(shop: Shop) -> None:
    for kind in ("1", "2", "3"):
        assert stock_types(listing(Filters(stock_type=kind))) == {kind}


def test_less_stock_than_the_minimum_amount_counts_as_sold_out() -> None:
    product = make_product(min_amount=3)
    stock(product, 2)
    assert stock_types(listing(Filters(stock_type="3"))) == {"3"}
    stock(product, 1)
    assert stock_types(listing(Filters(stock_type="1"))) == {"1"}
