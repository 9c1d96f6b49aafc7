from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from catalog.goods.models import Product, SoldDay
from catalog.goods.sales import POPULAR_DAYS, brands_on_sale, record_sales, units_by_brand
from catalog.goods.tests.builders import make_brand, make_product
from catalog.search.index import labelled, labels
from core.tests.rows import stored
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db

DAY = date(2026, 6, 30)


def days(product: Product) -> dict[date, int]:
    return dict(product.sold_days.values_list("day", "units"))


def test_sales_of_one_day_add_up() -> None:
    rice = make_product(units_sold=7)
    for day, units in ((9, 2), (10, 1), (9, 3)):
        record_sales(units_by_product={rice.pk: units}, day=date(2026, 3, day))
    assert stored(rice, "units_sold") == 13
    assert days(rice) == {date(2026, 3, 9): 5, date(2026, 3, 10): 1}


def test_sales_of_deleted_products_are_ignored() -> None:
    record_sales(units_by_product={404: 1}, day=DAY)
    assert not SoldDay.objects.exists()


def test_brands_count_what_they_sold_in_the_last_90_days() -> None:
    brand = make_brand()
    old, rice, tea = (make_product(brand=brand) for _ in range(3))
    for product, age, units in ((old, POPULAR_DAYS, 100), (rice, POPULAR_DAYS - 1, 4), (tea, 0, 5)):
        record_sales(units_by_product={product.pk: units}, day=DAY - timedelta(days=age))
    # In London it is still the day before.
    with time_machine.travel(datetime(2026, 6, 29, 16, tzinfo=UTC)):
        assert units_by_brand() == {brand.pk: 9}


def test_only_brands_with_products_on_sale_are_on_sale() -> None:
    best = make_product(brand=make_brand(name_en="Best"), units_sold=3)
    make_product(brand=best.brand, units_sold=8)
    make_product(brand=make_brand(name_en="Gone"), on_sale=False)
    make_brand(name_en="Empty")
    assert [(brand.name_en, brand.best_units) for brand in brands_on_sale()] == [("Best", 8)]


def test_the_index_has_the_new_popularity_of_products() -> None:
    rice, tea = make_product(units_sold=3), make_product(units_sold=4)
    record_sales(units_by_product={rice.pk: 1, tea.pk: 1}, day=DAY)
    assert set(labelled("sold:3")) == {rice.pk, tea.pk}
    assert not labelled("sold:2")
    record_sales(units_by_product={tea.pk: 3}, day=DAY)
    assert {label: set(ids) for label, ids in labels("sold:").items()} == {
        "sold:3": {rice.pk},
        "sold:4": {tea.pk},
    }


@pytest.mark.django_db(transaction=True)
def test_sales_of_the_same_products_at_the_same_time_all_count() -> None:
    products = [make_product().pk for _ in range(6)]

    def sell(number: int) -> None:
        turned = products[number % 6 :] + products[: number % 6]
        record_sales(units_by_product=dict.fromkeys(turned[:4], 1), day=DAY)

    assert concurrently(sell, range(24)) == [None] * 24
    sold = dict(Product.objects.values_list("pk", "units_sold"))
    assert set(sold.values()) == {16}
    assert set(labelled("sold:5")) == set(products)
    assert set(SoldDay.objects.values_list("units", flat=True)) == {16}
