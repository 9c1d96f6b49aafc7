from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from catalog.goods.models import PriceChange, SoldDay
from catalog.goods.tasks import purge_goods
from catalog.goods.tests.builders import make_product
from core.clock import shop_zone
from core.tests.rows import stored

pytestmark = pytest.mark.django_db


def test_prices_that_others_replaced_two_years_ago_are_deleted() -> None:
    rice, tea = make_product(), make_product()
    PriceChange.objects.all().delete()
    now = timezone.now()
    for product, days in [(rice, 900), (rice, 800), (rice, 10), (tea, 900)]:
        PriceChange.objects.create(product=product, price=Decimal(1), charged_from=now - timedelta(days=days))
    purge_goods()
    left = PriceChange.objects.order_by("product", "charged_from").values_list("product", "charged_from")
    # What was charged two years ago stays known.
    assert [(pk, (now - since).days) for pk, since in left] == [(rice.pk, 800), (rice.pk, 10), (tea.pk, 900)]


def test_days_of_sales_long_ago_are_deleted_and_the_products_own_count_stays() -> None:
    rice = make_product(units_sold=3)
    today = timezone.localdate(timezone=shop_zone())
    for days in (801, 799, 0):
        SoldDay.objects.create(product=rice, day=today - timedelta(days=days), units=1)
    purge_goods()
    left = SoldDay.objects.order_by("day").values_list("day", flat=True)
    assert [(today - day).days for day in left] == [799, 0]
    assert stored(rice, "units_sold") == 3
