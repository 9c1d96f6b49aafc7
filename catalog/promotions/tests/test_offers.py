from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.tests.builders import make_product
from catalog.promotions import offers
from catalog.promotions.models import PromotionItem
from catalog.promotions.offers import next_change, offers_for
from catalog.promotions.tests.builders import make_promotion, promote

pytestmark = pytest.mark.django_db

MOMENT = timedelta(microseconds=1)


def _price(product_id: int, now: datetime | None = None) -> Decimal | None:
    offer = offers_for([product_id], now).get(product_id)
    return offer.price if offer else None


def test_an_offer_has_its_promotion_price_quota_limit_and_end() -> None:
    rice, tea = make_product(), make_product()
    promotion = make_promotion()
    promote(promotion, rice, "3.50", quota=50, taken=38, limit_amount=4)
    found = offers_for([rice.pk, tea.pk])
    assert list(found) == [rice.pk]
    offer = found[rice.pk]
    assert (offer.promotion_id, offer.ends_at) == (promotion.pk, promotion.ends_at)
    assert (offer.price, offer.quota_left, offer.limit_amount) == (Decimal("3.50"), 12, 4)


def test_an_offer_is_valid_from_its_start_until_just_before_its_end_whatever_the_snapshots_age() -> None:
    rice = make_product()
    now = timezone.now()
    start, end = now + timedelta(seconds=2), now + timedelta(seconds=4)
    make_promotion((rice, "3.50"), starts_at=start, ends_at=end)
    prices = [_price(rice.pk, at) for at in (now, start - MOMENT, start, end - MOMENT, end)]
    assert prices == [None, None, Decimal("3.50"), Decimal("3.50"), None]


def test_times_far_from_now_are_read_from_the_database() -> None:
    rice = make_product()
    start = timezone.now() + timedelta(days=3)
    make_promotion((rice, "3.50"), starts_at=start, ends_at=start + timedelta(days=1))
    assert _price(rice.pk) is None
    assert _price(rice.pk, start) == Decimal("3.50")
    assert _price(rice.pk, start + timedelta(days=1)) is None
    assert _price(rice.pk) is None


def test_of_two_offers_the_lower_price_is_valid_until_it_ends() -> None:
    rice = make_product()
    now = timezone.now()
    make_promotion((rice, "3.50"), ends_at=now + timedelta(seconds=3))
    make_promotion((rice, "4.00"), ends_at=now + timedelta(hours=1))
    assert _price(rice.pk, now) == Decimal("3.50")
    assert _price(rice.pk, now + timedelta(seconds=3)) == Decimal("4.00")


def test_a_used_up_quota_leaves_the_next_best_offer() -> None:
    rice = make_product()
    promote(make_promotion(), rice, "3.00", quota=5, taken=5)
    promote(make_promotion(), rice, "4.00")
    assert _price(rice.pk) == Decimal("4.00")


def test_an_offer_switched_off_or_no_lower_than_the_ordinary_price_does_not_apply() -> None:
    rice, tea = make_product(price=Decimal("5.00")), make_product(price=Decimal("5.00"))
    make_promotion((rice, "4.00"), is_active=False)
    make_promotion((tea, "5.00"))
    assert offers_for([rice.pk, tea.pk]) == {}


def test_a_quota_is_a_few_seconds_old_at_most() -> None:
    rice = make_product()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        promotion = make_promotion((rice, "3.50"))
        assert offers_for([rice.pk])[rice.pk].quota_left == 50
        PromotionItem.objects.filter(promotion=promotion).update(taken=49)
        clock.shift(offers.AGE)
        assert offers_for([rice.pk])[rice.pk].quota_left == 1


def test_many_reads_take_two_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    products = [make_product() for _ in range(5)]
    make_promotion(*((product, "3.50") for product in products))
    with django_assert_num_queries(2):
        assert len(offers_for([product.pk for product in products])) == 5
        assert offers_for([products[0].pk])
        assert next_change(timezone.now())


def test_the_next_change_is_the_next_start_or_end_of_any_promotion() -> None:
    now = timezone.now()
    assert next_change(now) is None
    start, end = now + timedelta(days=1), now + timedelta(days=9)
    make_promotion(starts_at=now - timedelta(days=1), ends_at=now + timedelta(seconds=9))
    make_promotion(starts_at=start, ends_at=end)
    make_promotion(starts_at=now, ends_at=now + timedelta(seconds=1), is_active=False)
    assert next_change(now) == now + timedelta(seconds=9)
    assert next_change(now + timedelta(seconds=9)) == start
    assert next_change(start) == end
    assert next_change(end) is None
