from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import BASE_LEVEL, LevelPrice
from catalog.goods.tests.builders import make_product, price_for_level
from catalog.promotions.pricing import level_of, level_prices, load_level_prices, member_price

pytestmark = pytest.mark.django_db

SILVER, GOLD = 2, 3


def test_a_level_pays_its_own_price_and_the_others_the_ordinary_one() -> None:
    rice = make_product(price=Decimal("10.00"))
    price_for_level(rice, GOLD, "8.50")
    assert member_price(rice) == Decimal("10.00")
    assert member_price(rice, SILVER) == Decimal("10.00")
    assert member_price(rice, GOLD) == Decimal("8.50")


def test_no_level_pays_more_than_a_stranger() -> None:
    rice = make_product(price=Decimal("10.00"))
    price_for_level(rice, GOLD, "11.00")
    assert member_price(rice, GOLD) == Decimal("10.00")


def test_a_list_takes_one_query_for_a_level_and_none_for_strangers(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    goods = [make_product(price=Decimal("10.00")) for _ in range(5)]
    for product in goods[:3]:
        price_for_level(product, GOLD, "9.00")
    with django_assert_num_queries(1):
        load_level_prices(goods, GOLD)
        prices = [member_price(product, GOLD) for product in goods]
    assert prices == [Decimal("9.00")] * 3 + [Decimal("10.00")] * 2
    with django_assert_num_queries(0):
        load_level_prices(goods, BASE_LEVEL)
        assert [member_price(product) for product in goods] == [Decimal("10.00")] * 5


def test_the_prices_of_a_level_are_told_by_id(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    rice, tea = make_product(), make_product()
    price_for_level(rice, GOLD, "4.00")
    price_for_level(tea, SILVER, "3.00")
    with django_assert_num_queries(1):
        assert level_prices([rice.pk, tea.pk], GOLD) == {rice.pk: Decimal("4.00")}
    with django_assert_num_queries(0):
        assert level_prices([rice.pk, tea.pk], BASE_LEVEL) == {}


def test_the_base_level_has_no_price_of_its_own() -> None:
    price = LevelPrice(product=make_product(), level=BASE_LEVEL, price=Decimal("1.00"))
    with pytest.raises(ValidationError) as refusal:
        price.full_clean()
    assert list(refusal.value.message_dict) == ["level"]


def test_whoever_is_not_known_calls_at_the_base_level(rf: RequestFactory) -> None:
    assert level_of(rf.get("/")) == BASE_LEVEL
