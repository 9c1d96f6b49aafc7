"""The member level of each customer follows from what they have spent in a year."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.tests.builders import make_customer
from commerce.orders.levels import update_levels
from commerce.orders.models import Order
from commerce.orders.services import mark_paid
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Buyer, make_order, make_stocked

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def levels() -> None:
    MemberLevel.objects.filter(pk=2).update(yearly_spend=Decimal(100))
    MemberLevel.objects.filter(pk=3).update(yearly_spend=Decimal(300))


def spend(buyer: Buyer, price: str) -> Order:
    order = make_order(buyer, (make_stocked(price=Decimal(price)), 1))
    assert mark_paid(order=order, pay_type="5")
    return order


def level(buyer: Buyer) -> int:
    return Customer.objects.get(pk=buyer.customer.pk).level_number


def test_a_level_comes_to_the_cent_and_freight_is_not_counted() -> None:
    buyer, other = Buyer(), Buyer()
    spend(buyer, "99.99")
    spend(other, "100.00")
    make_order(buyer, (make_stocked(price=Decimal(500)), 1))
    assert update_levels() == 1
    assert (level(buyer), level(other)) == (1, 2)
    spend(buyer, "0.01")
    spend(other, "200.00")
    assert update_levels() == 2
    assert (level(buyer), level(other)) == (2, 3)
    assert update_levels() == 0


def test_what_is_a_year_old_given_back_or_disputed_counts_no_more() -> None:
    old, refunded, disputed = (Buyer() for _ in range(3))
    orders = [spend(each, "150.00") for each in (old, refunded, disputed)]
    assert update_levels() == 3
    mine = [Order.objects.filter(pk=order.pk) for order in orders]
    mine[0].update(paid_at=timezone.now() - timedelta(days=366))
    mine[1].update(goods_refunded=Decimal("50.01"))
    mine[2].update(status=OrderStatus.chargeback)
    assert update_levels() == 3
    assert [level(each) for each in (old, refunded, disputed)] == [1, 1, 1]


def test_a_level_that_staff_have_given_stays() -> None:
    given, spender = Buyer(), Buyer()
    Customer.objects.filter(pk=given.customer.pk).update(level=3, fixed_level=3)
    Customer.objects.filter(pk=spender.customer.pk).update(fixed_level=1)
    spend(spender, "500.00")
    assert update_levels() == 0
    assert (level(given), level(spender)) == (3, 1)


def test_a_level_without_a_spend_is_never_reached_by_buying() -> None:
    MemberLevel.objects.filter(pk=3).update(yearly_spend=None)
    buyer = Buyer()
    spend(buyer, "5000.00")
    update_levels()
    assert level(buyer) == 2


def test_more_customers_take_no_more_statements() -> None:
    make_customer()
    spend(Buyer(), "150.00")
    with CaptureQueriesContext(connection) as few:
        update_levels()
    for _ in range(5):
        make_customer()
        spend(Buyer(), "150.00")
    with CaptureQueriesContext(connection) as many:
        assert update_levels() == 5
    assert len(many) == len(few)
