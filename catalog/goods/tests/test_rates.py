from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from catalog.goods.models import ExchangeRate
from catalog.goods.rates import current_rate, rate_now

pytestmark = pytest.mark.django_db


def test_the_rate_is_five_until_one_has_been_fetched() -> None:
    assert current_rate() is None
    assert rate_now() == 5


def test_the_newest_rate_holds() -> None:
    now = timezone.now()
    ExchangeRate.objects.create(rate=Decimal("4.71"), source="bank", as_of=now)
    ExchangeRate.objects.create(rate=Decimal("4.60"), source="bank", as_of=now - timedelta(days=1))
    assert rate_now() == Decimal("4.71")
