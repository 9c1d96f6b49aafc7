from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import BASE_LEVEL, LevelPrice, PriceTier, Product
from catalog.goods.tests.builders import make_product, price_for_level
from catalog.promotions.pricing import level_of, member_prices, price_at, prices_by_amount

pytestmark = pytest.mark.django_db

SILVER, GOLD = 2, 3


def price_of(product: Product, level: int = BASE_LEVEL) -> Decimal:
    return member_prices([product], level=level)[product.pk]


def test_a_level_pays_its_own_price_and_the_others_the_ordinary_one() -> None:
    rice = make_product(price=Decimal("10.00"))
    price_for_level(rice, GOLD, "8.50")
    assert price_of(rice) == Decimal("10.00")
    assert price_of(rice, SILVER) == Decimal("10.00")
    assert price_of(rice, GOLD) == Decimal("8.50")


def test_no_level_pays_more_than_a_visitor() -> None:
    rice = make_product(price=Decimal("10.00"))
    price_for_level(rice, GOLD, "11.00")
    assert price_of(rice, GOLD) == Decimal("10.00")


def test_a_list_takes_one_query_for_a_level_and_none_for_visitors(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    products = [make_product(price=Decimal("10.00")) for _ in range(5)]
    for product in products[:3]:
        price_for_level(product, GOLD, "9.00")
    price_for_level(products[4], SILVER, "3.00")
    with django_assert_num_queries(1):
        prices = member_prices(products, level=GOLD)
    assert [prices[product.pk] for product in products] == [Decimal("9.00")] * 3 + [Decimal("10.00")] * 2
    with django_assert_num_queries(0):
        assert set(member_prices(products).values()) == {Decimal("10.00")}


def test_the_highest_price_tier_reached_by_the_amount_applies(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rice = make_product(price=Decimal("10.00"), is_bulk=True)
    tea = make_product(price=Decimal("4.00"))
    # 9.80 from 20 on is above the 9.50 that already applies from 10 on.
    tiers = [(rice, 20, "9.80"), (rice, 30, "9.00"), (rice, 10, "9.50"), (tea, 5, "1.00")]
    for product, amount, price in tiers:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    with django_assert_num_queries(1):
        tiers_by_product = prices_by_amount([rice, tea])
    assert tiers_by_product[tea.pk] == [(1, Decimal("4.00"))]
    assert tiers_by_product[rice.pk] == [(1, Decimal("10.00")), (10, Decimal("9.50")), (30, Decimal("9.00"))]
    assert [str(price_at(tiers_by_product[rice.pk], amount)) for amount in (1, 9, 10, 29, 30, 999)] == [
        "10.00",
        "10.00",
        "9.50",
        "9.50",
        "9.00",
        "9.00",
    ]
    price_for_level(rice, GOLD, "9.20")
    assert prices_by_amount([rice], level=GOLD)[rice.pk] == [(1, Decimal("9.20")), (30, Decimal("9.00"))]


def test_the_base_level_has_no_price_of_its_own() -> None:
    price = LevelPrice(product=make_product(), level=BASE_LEVEL, price=Decimal("1.00"))
    with pytest.raises(ValidationError) as refusal:
        price.full_clean()
    assert list(refusal.value.message_dict) == ["level"]


def test_an_anonymous_caller_has_the_base_level(rf: RequestFactory) -> None:
    assert level_of(rf.get("/")) == BASE_LEVEL
