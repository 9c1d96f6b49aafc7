import time

import pytest
from django.db import connection, transaction

from catalog.goods.tests.builders import make_product
from catalog.stock.models import Reservation, StockLevel
from catalog.stock.services import release, reserve
from catalog.stock.tests.builders import stock
from core.errors import Err
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_many_buyers_as_many_succeed_as_there_are_units() -> None:
    product = make_product()
    place = stock(product, 20).location

    def buy(number: int) -> None:
        reserve(location=place, units_by_product={product.pk: 1}, reference=f"A{number}")

    outcomes = at_once(buy, range(120))
    assert outcomes.count(None) == 20
    assert outcomes.count(Err.stock_insufficient) == 100
    level = StockLevel.objects.get()
    assert (level.on_hand, level.reserved) == (20, 20)
    assert Reservation.objects.count() == 20


def test_without_the_guard_postgresql_oversells() -> None:
    product = make_product()
    stock(product, 5)
    sold: list[int] = []

    def buy_unguarded(number: int) -> None:
        with transaction.atomic():
            level = StockLevel.objects.get(product=product)
            time.sleep(0.05)
            if level.available:
                StockLevel.objects.filter(pk=level.pk).update(reserved=level.reserved + 1)
                sold.append(number)

    at_once(buy_unguarded, range(32))
    # SQLite has one writer at a time, so it cannot show the race.
    assert (len(sold) > 5) is (connection.vendor == "postgresql")


def test_baskets_in_any_order_do_not_block_each_other() -> None:
    goods = [make_product().pk for _ in range(3)]
    for pk in goods:
        place = stock(StockLevel(product_id=pk).product, 100).location

    def buy(number: int) -> None:
        turned = goods[number % 3 :] + goods[: number % 3]
        reserve(location=place, units_by_product=dict.fromkeys(turned, 1), reference=f"A{number}")

    assert at_once(buy, range(60)) == [None] * 60
    assert set(StockLevel.objects.values_list("reserved", flat=True)) == {60}


def test_an_order_given_back_by_many_is_given_back_once() -> None:
    product = make_product()
    place = stock(product, 10).location
    reserve(location=place, units_by_product={product.pk: 4}, reference="A1")

    def give_back(_number: int) -> int:
        return release(reference="A1")

    given_back = at_once(give_back, range(16))
    assert (given_back.count(4), given_back.count(0)) == (1, 15)
    assert StockLevel.objects.get().reserved == 0
