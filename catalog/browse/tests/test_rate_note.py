"""The day of the exchange rate on pages."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from catalog.goods.tests.builders import make_product
from catalog.rates import services
from catalog.rates.models import ExchangeRate
from catalog.rates.sources import Quote

pytestmark = pytest.mark.django_db


def footer_of(client: Client, path: str) -> str:
    return client.get(path).content.decode().partition("footer__base")[2]


def test_pages_show_the_day_of_the_exchange_rate(client: Client) -> None:
    product = make_product()
    path = f"/shop/shopdetails/{product.pk}"
    assert "Exchange rate of" not in footer_of(client, path)
    services.keep(Quote("RBA", Decimal("4.7"), datetime(2026, 11, 19, 5, tzinfo=UTC)))
    assert "Exchange rate of 19 November 2026." in footer_of(client, path)
    assert "2026年11月19日的汇率" in footer_of(client, f"/zh-hans{path}")
    page = client.get(path).content.decode()
    assert page.count("Exchange rate of") == 1
    # A stale rate is marked next to the price.
    ExchangeRate.objects.update(fetched_at=timezone.now() - timedelta(days=3))
    assert client.get(path).content.decode().count("Exchange rate of") == 2
