"""The level of each customer follows from what they spent in a year, and they read it with their points.

docs/wire.md#userrewards
"""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from catalog.goods.models import LevelPrice
from commerce.accounts.models import Customer, MemberLevel
from commerce.accounts.tests.builders import make_customer
from commerce.orders.levels import update_levels
from commerce.orders.models import Order
from commerce.orders.status import OrderStatus
from commerce.orders.tests.builders import Answer, Buyer, make_order, make_paid, make_stocked
from core.tests.queries import statements_of

pytestmark = pytest.mark.django_db
MEMBER = {
    "level": 1,
    "levelName": "普通会员",
    "levelNameEn": "Member",
    "yearlySpend": None,
    "pointsRate": 1.0,
}
SILVER = {
    "level": 2,
    "levelName": "银卡会员",
    "levelNameEn": "Silver",
    "yearlySpend": 500.0,
    "pointsRate": 1.25,
}


@pytest.fixture(autouse=True)
def levels() -> None:
    MemberLevel.objects.filter(pk=2).update(yearly_spend=Decimal(100))
    MemberLevel.objects.filter(pk=3).update(yearly_spend=Decimal(300))


def spend(buyer: Buyer, price: str) -> Order:
    return make_paid(buyer, (make_stocked(price=Decimal(price)), 1))


def level(buyer: Buyer) -> int:
    return Customer.objects.get(pk=buyer.customer.pk).level_number


@pytest.fixture
def newcomer() -> Buyer:
    names = {"name_zh": "普通会员", "name_en": "Member"}
    MemberLevel.objects.update_or_create(number=1, defaults=names)
    values = {"name_zh": "银卡会员", "name_en": "Silver", "yearly_spend": 500, "points_rate": Decimal("1.25")}
    MemberLevel.objects.update_or_create(number=2, defaults=values)
    MemberLevel.objects.filter(pk=3).update(yearly_spend=None)
    return Buyer()


def rewards(buyer: Buyer) -> Answer:
    result: Answer = buyer.send("GET", "/user/rewards")["result"]
    return result


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
    few = statements_of(update_levels)
    for _ in range(5):
        make_customer()
        spend(Buyer(), "150.00")
    assert len(statements_of(update_levels)) == len(few)
    assert Customer.objects.filter(level=2).count() == 6


def test_a_newcomer_reads_what_the_next_level_asks_for(newcomer: Buyer) -> None:
    assert rewards(newcomer) == {
        "integral": 0,
        "integralPending": 0,
        "pointsPerDollar": 100,
        "level": MEMBER,
        "hasMemberPrices": False,
        "isFixed": False,
        "spent": 0.0,
        "nextLevel": SILVER,
        "missing": 500.0,
    }


def test_payments_count_immediately_and_the_nightly_job_gives_the_level(newcomer: Buyer) -> None:
    rice = make_stocked()
    LevelPrice.objects.create(product=rice, level=2, price=Decimal("4.00"))
    spend(newcomer, "120.50")
    first = rewards(newcomer)
    assert (first["spent"], first["missing"], first["integralPending"]) == (120.5, 379.5, 120)
    spend(newcomer, "400.00")
    reached = rewards(newcomer)
    assert (reached["level"], reached["nextLevel"], reached["missing"]) == (MEMBER, SILVER, 0.0)
    update_levels()
    silver = rewards(newcomer)
    assert (silver["level"], silver["nextLevel"], silver["hasMemberPrices"]) == (SILVER, None, True)


def test_a_level_by_staff_has_no_next_one(newcomer: Buyer) -> None:
    Customer.objects.filter(pk=newcomer.customer.pk).update(fixed_level=1)
    found = rewards(newcomer)
    assert (found["isFixed"], found["nextLevel"], found["missing"]) == (True, None, 0.0)


def test_an_order_shows_its_points_when_they_are_booked(newcomer: Buyer) -> None:
    order = spend(newcomer, "12.00")
    Order.objects.filter(pk=order.pk).update(paid_at=timezone.now() - timedelta(days=1))
    detail = newcomer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["integral"], detail["integralPending"]) == (0, 12)
    Order.objects.filter(pk=order.pk).update(points_booked_at=timezone.now(), points_earned=12)
    detail = newcomer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["integral"], detail["integralPending"], detail["points"]) == (12, 0, 0)


def test_rewards_ask_for_a_token(client: Client) -> None:
    assert client.get("/api/v1/pc/user/rewards").status_code == 401
