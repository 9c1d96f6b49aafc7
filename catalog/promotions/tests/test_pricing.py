from dataclasses import replace
from decimal import Decimal
from operator import attrgetter
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries

from catalog.goods.listed import ListedProduct, listed
from catalog.goods.models import BASE_LEVEL, LevelPrice, PriceTier, Product
from catalog.goods.tests.builders import make_product, price_for_level
from catalog.promotions.pricing import (
    PricedProduct,
    level_of,
    member_prices,
    price_at,
    price_products,
    prices_by_amount,
)
from catalog.promotions.tests.builders import make_promotion, promote

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
    # Nor is 25 a tier, where nothing becomes cheaper.
    tiers = [(rice, 20, "9.80"), (rice, 25, "9.50"), (rice, 30, "9.00"), (rice, 10, "9.50"), (tea, 5, "1.00")]
    for product, amount, price in tiers:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    with django_assert_num_queries(1):
        tiers_by_product = prices_by_amount([rice, tea])
    assert tiers_by_product[tea.pk] == [(1, Decimal("4.00"))]
    assert tiers_by_product[rice.pk] == [(1, Decimal("10.00")), (10, Decimal("9.50")), (30, Decimal("9.00"))]
    price_by_amount = {1: "10.00", 9: "10.00", 10: "9.50", 29: "9.50", 30: "9.00", 999: "9.00"}
    for amount, price in price_by_amount.items():
        assert str(price_at(tiers_by_product[rice.pk], amount)) == price, amount
    price_for_level(rice, GOLD, "9.20")
    assert prices_by_amount([rice], level=GOLD)[rice.pk] == [(1, Decimal("9.20")), (30, Decimal("9.00"))]


def test_the_price_of_a_level_and_those_of_many_take_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rice, soy, tea, oil = (
        make_product(price=Decimal("10.00"), is_bulk=is_bulk) for is_bulk in (True, True, False, False)
    )
    for product, amount, price in [
        (rice, 10, "8.00"),
        (rice, 20, "7.00"),
        (soy, 10, "9.50"),
        (oil, 5, "1.00"),
    ]:
        PriceTier.objects.create(product=product, from_amount=amount, price=Decimal(price))
    for product, price in [(rice, "7.50"), (tea, "9.00"), (oil, "12.00")]:
        price_for_level(product, GOLD, price)
    price_for_level(soy, SILVER, "1.00")
    with django_assert_num_queries(1):
        found = prices_by_amount([rice, soy, tea, oil], level=GOLD)
    assert found == {
        rice.pk: [(1, Decimal("7.50")), (20, Decimal("7.00"))],
        soy.pk: [(1, Decimal("10.00")), (10, Decimal("9.50"))],
        tea.pk: [(1, Decimal("9.00"))],
        oil.pk: [(1, Decimal("10.00"))],
    }
    assert [str(tier.price) for tier in found[rice.pk]] == ["7.50", "7.00"]
    with django_assert_num_queries(0):
        assert prices_by_amount([tea, oil]) == {tea.pk: [(1, tea.price)], oil.pk: [(1, oil.price)]}
        assert prices_by_amount([], level=GOLD) == {}


def test_the_base_level_has_no_price_of_its_own() -> None:
    price = LevelPrice(product=make_product(), level=BASE_LEVEL, price=Decimal("1.00"))
    with pytest.raises(ValidationError) as refusal:
        price.full_clean()
    assert list(refusal.value.message_dict) == ["level"]


def test_an_anonymous_caller_has_the_base_level(rf: RequestFactory) -> None:
    assert level_of(rf.get("/")) == BASE_LEVEL


def priced(product: Product, available: int = 80, **options: Any) -> PricedProduct[ListedProduct]:
    [found] = price_products([listed(product, available=available)], **options)
    return found


shown = attrgetter("price", "was_price", "available", "limit_amount")


def test_a_product_in_its_promotion_has_the_price_units_and_limit_of_it() -> None:
    rice = make_product(price=Decimal("10.00"), limit_amount=9, pack="500 g")
    promotion = make_promotion()
    promote(promotion, rice, "7.50", quota=50, limit_amount=2)
    before = priced(rice)
    assert shown(before) == (Decimal("10.00"), None, 80, 9)
    assert before.offer
    assert before.offer.promotion_id == promotion.pk
    offered = before.at_best_offer()
    assert offered.product is before.product
    assert shown(offered) == (Decimal("7.50"), Decimal("10.00"), 50, 2)
    assert offered.offer == before.offer
    assert (before.unit_price, offered.unit_price) == (Decimal("2.00"), Decimal("1.50"))
    assert priced(rice, available=7).at_best_offer().available == 7


def test_a_promotion_is_never_dearer_than_the_price_without_it() -> None:
    rice = make_product(price=Decimal("10.00"))
    price_for_level(rice, GOLD, "7.50")
    promote(make_promotion(), rice, "7.50")
    offer = priced(rice).offer
    assert offer
    # As cheap is no offer.
    assert priced(rice, level=GOLD).offer is None
    offered = priced(rice, level=GOLD).at_offer(replace(offer, price=Decimal("8.00")))
    assert (offered.price, offered.was_price) == (Decimal("7.50"), None)
    assert priced(rice, level=GOLD).at_offer(offer).was_price is None


def test_without_a_promotion_it_is_bought_as_it_is() -> None:
    rice = make_product(price=Decimal("10.00"))
    assert priced(rice).at_best_offer() == priced(rice)
    promote(make_promotion(), rice, "7.50")
    assert priced(rice, with_offers=False).at_best_offer() == priced(rice, with_offers=False)
    assert priced(rice, with_offers=False).price == Decimal("10.00")


def test_tiers_are_priced_for_the_amount_that_is_bought_one_where_none_is_named() -> None:
    rice = make_product(price=Decimal("10.00"), is_bulk=True)
    PriceTier.objects.create(product=rice, from_amount=2, price=Decimal("9.50"))
    assert priced(rice).tiers == ()
    assert priced(rice, amounts={}).price == Decimal("10.00")
    bought = priced(rice, amounts={rice.pk: 2})
    assert bought.price == Decimal("9.50")
    assert bought.tiers == [(1, Decimal("10.00")), (2, Decimal("9.50"))]


def test_in_a_promotion_the_tiers_below_its_price_remain() -> None:
    rice = make_product(price=Decimal("10.00"), is_bulk=True)
    for amount, price in [(2, "9.50"), (6, "9.00"), (12, "8.00")]:
        PriceTier.objects.create(product=rice, from_amount=amount, price=Decimal(price))
    promote(make_promotion(), rice, "9.00")
    assert priced(rice).at_best_offer().tiers == ()
    offered = priced(rice, amounts={}).at_best_offer()
    assert offered.tiers == [(1, Decimal("9.00")), (12, Decimal("8.00"))]


def test_a_price_of_before_is_shown_only_where_it_was_higher(subtests: pytest.Subtests) -> None:
    rice = make_product(price=Decimal("10.00"))
    for was, expected in [(None, None), ("9.9", None), ("10.0", None), ("10.1", "10.1")]:
        with subtests.test(was=was, expected=expected):
            before = replace(listed(rice, available=1), market_price=Decimal(was) if was else None)
            [found] = price_products([before])
            assert found.was_price == (Decimal(expected) if expected else None)
