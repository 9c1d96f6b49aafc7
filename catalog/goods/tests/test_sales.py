from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from catalog.goods.models import Product, SoldDay
from catalog.goods.sales import POPULAR_DAYS, brands_on_sale, record_sales, units_by_brand
from catalog.goods.tests.builders import make_brand, make_product
from catalog.search.index import labelled, labels
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db


def days(product: Product) -> dict[date, int]:
    return dict(product.sold_days.values_list("day", "units"))


def test_sales_of_one_day_add_up() -> None:
    rice = make_product(units_sold=7)
    with time_machine.travel(datetime(2026, 3, 9, 4, tzinfo=UTC)):
        record_sales({rice.pk: 2})
        record_sales({rice.pk: 3})
    rice.refresh_from_db()
    assert rice.units_sold == 12
    assert days(rice) == {date(2026, 3, 9): 5}


def test_a_day_is_one_of_the_shops_calendar() -> None:
    rice = make_product()
    # 16:00 in London is midnight in Perth.
    with time_machine.travel(datetime(2026, 3, 9, 15, 59, tzinfo=UTC)):
        record_sales({rice.pk: 1})
    with time_machine.travel(datetime(2026, 3, 9, 16, tzinfo=UTC)):
        record_sales({rice.pk: 1})
    assert days(rice) == {date(2026, 3, 9): 1, date(2026, 3, 10): 1}


def test_goods_that_are_gone_count_nothing() -> None:
    record_sales({404: 1})
    assert not SoldDay.objects.exists()


def test_brands_count_what_they_sold_in_the_last_90_days() -> None:
    brand = make_brand()
    old, rice, tea = (make_product(brand=brand) for _ in range(3))
    now = datetime(2026, 6, 30, 4, tzinfo=UTC)
    for product, age, units in ((old, POPULAR_DAYS, 100), (rice, POPULAR_DAYS - 1, 4), (tea, 0, 5)):
        with time_machine.travel(now - timedelta(days=age)):
            record_sales({product.pk: units})
    with time_machine.travel(now):
        assert units_by_brand() == {brand.pk: 9}


def test_only_brands_with_goods_on_the_shelves_are_on_sale() -> None:
    best = make_product(brand=make_brand(name_en="Best"), units_sold=3)
    make_product(brand=best.brand, units_sold=8)
    make_product(brand=make_brand(name_en="Gone"), on_sale=False)
    make_brand(name_en="Empty")
    assert [(brand.name_en, brand.best_units) for brand in brands_on_sale()] == [("Best", 8)]


def test_the_index_knows_how_popular_goods_have_become() -> None:
    rice, tea = make_product(units_sold=3), make_product(units_sold=4)
    record_sales({rice.pk: 1, tea.pk: 1})
    assert set(labelled("sold:3")) == {rice.pk, tea.pk}
    assert not labelled("sold:2")
    record_sales({tea.pk: 3})
    assert {label: set(ids) for label, ids in labels("sold:").items()} == {
        "sold:3": {rice.pk},
        "sold:4": {tea.pk},
    }


@pytest.mark.django_db(transaction=True)
def test_payments_of_the_same_goods_at_the_same_time_all_count() -> None:
    goods = [make_product().pk for _ in range(6)]

    def pay(number: int) -> None:
        turned = goods[number % 6 :] + goods[: number % 6]
        record_sales(dict.fromkeys(turned[:4], 1))

    assert at_once(pay, range(48)) == [None] * 48
    sold = dict(Product.objects.values_list("pk", "units_sold"))
    assert set(sold.values()) == {32}
    assert set(labelled("sold:6")) == set(goods)
    assert set(SoldDay.objects.values_list("units", flat=True)) == {32}
