from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.tests.builders import make_product, make_products
from catalog.promotions.services import overlapping_items, running_items
from catalog.promotions.tests.builders import make_promotion, promote
from core.errors import Err, ShopError

pytestmark = pytest.mark.django_db


def test_a_promotion_has_its_items_from_its_start_until_just_before_its_end() -> None:
    rice = make_product()
    promotion = make_promotion()
    item = promote(promotion, rice, "1.00")
    just_before = promotion.ends_at - timedelta(microseconds=1)
    for now in (None, promotion.starts_at, just_before):
        found = running_items(promotion_id=promotion.pk, product_ids=[rice.pk], now=now)
        assert found == {rice.pk: item}
    for now in (promotion.starts_at - timedelta(microseconds=1), promotion.ends_at):
        with pytest.raises(ShopError) as refused:
            running_items(promotion_id=promotion.pk, product_ids=[rice.pk], now=now)
        assert refused.value.err is Err.parameter_error


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
