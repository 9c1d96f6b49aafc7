from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.tests.builders import make_product, make_products
from catalog.promotions.services import overlapping_items, promotion_to_order, return_quota, take_quota
from catalog.promotions.tests.builders import make_promotion, promote
from core.errors import Err
from core.tests.refusals import refusal

pytestmark = pytest.mark.django_db


def test_a_promotion_has_its_items_from_its_start_until_just_before_its_end() -> None:
    rice = make_product()
    promotion = make_promotion()
    item = promote(promotion, rice, "1.00")
    just_before = promotion.ends_at - timedelta(microseconds=1)
    for now in (None, promotion.starts_at, just_before):
        running = promotion_to_order(promotion_id=promotion.pk, product_ids=[rice.pk], now=now)
        assert running is not None
        assert running.items == {rice.pk: item}
    for now in (promotion.starts_at - timedelta(microseconds=1), promotion.ends_at):
        with refusal(Err.parameter_error):
            promotion_to_order(promotion_id=promotion.pk, product_ids=[rice.pk], now=now)


def test_editors_see_the_same_products_in_other_promotions_at_the_same_time(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rice, tea = make_products(2)
    now, hour = timezone.now(), timedelta(hours=1)
    ours = make_promotion((rice, "1.00"), starts_at=now, ends_at=now + hour)
    at_the_same_time = {"starts_at": now - hour, "ends_at": now + 2 * hour}
    found = promote(make_promotion(name_en="Tea week", **at_the_same_time), rice, "2.00")
    make_promotion((tea, "2.00"), **at_the_same_time)
    make_promotion((rice, "2.00"), is_active=False, **at_the_same_time)
    make_promotion((rice, "2.00"), starts_at=now - hour, ends_at=now)
    make_promotion((rice, "2.00"), starts_at=now + hour, ends_at=now + 2 * hour)
    with django_assert_num_queries(1):
        [overlapping] = overlapping_items(ours)
        assert (overlapping.promotion.name_en, overlapping.product.name_en) == ("Tea week", rice.name_en)
    assert overlapping == found


def test_quotas_are_taken_together_or_not_at_all() -> None:
    rice, tea = make_products(2)
    promotion = make_promotion()
    items = [promote(promotion, rice, "1.00", quota=5), promote(promotion, tea, "1.00", quota=2)]
    take_quota({items[0].pk: 3, items[1].pk: 2})
    with refusal(Err.stock_insufficient):
        take_quota({items[0].pk: 2, items[1].pk: 1})
    assert [item.taken for item in promotion.items.order_by("pk")] == [3, 2]


def test_no_more_of_a_quota_is_given_back_than_was_taken() -> None:
    promotion = make_promotion()
    item = promote(promotion, make_product(), "1.00", quota=5)
    take_quota({item.pk: 3})
    return_quota({item.pk: 4})
    assert promotion.items.get().taken == 3
    return_quota({item.pk: 3})
    assert promotion.items.get().taken == 0
