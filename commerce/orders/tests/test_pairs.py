"""Products that are often bought together, computed from paid orders."""

from collections.abc import Mapping

import pytest
from django.test import Client
from django.utils import timezone

from catalog.goods.models import BoughtTogether, Product
from catalog.goods.pairs import bought_together, replace_pairs
from commerce.orders import pairs
from commerce.orders.models import Order, OrderLine
from commerce.orders.pairs import PAIR_PERIOD, update_pairs
from commerce.orders.sales import count_due_sales
from commerce.orders.tests.builders import Buyer, make_order, make_paid, make_stocked
from core.tests.pages import html_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def products(buyer: Buyer) -> list[Product]:
    """Rice, soy and tea: five paid orders have the first two, four the tea too, and one is not paid."""
    rice, soy, tea = (make_stocked(name_en=name) for name in ("Rice", "Soy", "Tea"))
    for _ in range(4):
        make_paid(buyer, (rice, 1), (soy, 2), (tea, 1))
    make_paid(buyer, (rice, 1), (soy, 1))
    make_order(buyer, (rice, 1), (tea, 1))
    count_due_sales()
    return [rice, soy, tea]


def test_products_of_five_paid_orders_are_bought_together(client: Client, products: list[Product]) -> None:
    rice, soy, tea = products
    assert update_pairs() == 3
    assert [bought_together(product.pk, 6) for product in products] == [[soy.pk], [rice.pk], []]
    page = html_of(client.get(f"/shop/shopdetails/{rice.pk}"))
    together = page[page.index('id="together"') : page.index('id="similar"')]
    assert ("Soy" in together, "Tea" in together) == (True, False)
    assert "Often bought together" not in html_of(client.get(f"/shop/shopdetails/{tea.pk}"))
    # A gift is no choice of the customer, and old orders do not count.
    OrderLine.objects.filter(order=Order.objects.earliest("pk"), product=soy).update(is_gift=True)
    update_pairs()
    assert bought_together(rice.pk, 6) == []
    OrderLine.objects.update(is_gift=False)
    update_pairs()
    assert bought_together(rice.pk, 6) == [soy.pk]
    Order.objects.update(paid_at=timezone.now() - PAIR_PERIOD)
    update_pairs()
    assert not BoughtTogether.objects.exists()


def test_a_product_that_fails_does_not_stop_the_others(
    products: list[Product], monkeypatch: pytest.MonkeyPatch
) -> None:
    rice, soy, _tea = products

    def fail_for_rice(found: Mapping[int, Mapping[int, int]]) -> None:
        if rice.pk in found:
            raise ValueError
        replace_pairs(found)

    monkeypatch.setattr(pairs, "replace_pairs", fail_for_rice)
    assert update_pairs() == 2
    assert (bought_together(soy.pk, 6), bought_together(rice.pk, 6)) == ([rice.pk], [])
