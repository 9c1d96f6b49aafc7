"""What a customer reads of their points and level (docs/wire.md#userrewards)."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from catalog.goods.models import LevelPrice
from commerce.accounts.models import Customer, MemberLevel
from commerce.orders.levels import update_levels
from commerce.orders.models import Order
from commerce.orders.services import mark_paid
from commerce.orders.tests.builders import Answer, Buyer, make_order, make_stocked

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


@pytest.fixture
def buyer() -> Buyer:
    names = {"name_zh": "普通会员", "name_en": "Member"}
    MemberLevel.objects.update_or_create(number=1, defaults=names)
    values = {"name_zh": "银卡会员", "name_en": "Silver", "yearly_spend": 500, "points_rate": Decimal("1.25")}
    MemberLevel.objects.update_or_create(number=2, defaults=values)
    return Buyer()


def rewards(buyer: Buyer) -> Answer:
    result: Answer = buyer.send("GET", "/user/rewards")["result"]
    return result


def spend(buyer: Buyer, price: str) -> Order:
    order = make_order(buyer, (make_stocked(price=Decimal(price)), 1))
    assert mark_paid(order=order, pay_type="5")
    return order


def test_a_newcomer_reads_what_the_next_level_asks_for(buyer: Buyer) -> None:
    assert rewards(buyer) == {
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


def test_payments_count_immediately_and_the_nightly_job_gives_the_level(buyer: Buyer) -> None:
    rice = make_stocked()
    LevelPrice.objects.create(product=rice, level=2, price=Decimal("4.00"))
    spend(buyer, "120.50")
    first = rewards(buyer)
    assert (first["spent"], first["missing"], first["integralPending"]) == (120.5, 379.5, 120)
    spend(buyer, "400.00")
    reached = rewards(buyer)
    assert (reached["level"], reached["nextLevel"], reached["missing"]) == (MEMBER, SILVER, 0.0)
    update_levels()
    silver = rewards(buyer)
    assert (silver["level"], silver["nextLevel"], silver["hasMemberPrices"]) == (SILVER, None, True)


def test_a_level_by_staff_has_no_next_one(buyer: Buyer) -> None:
    Customer.objects.filter(pk=buyer.customer.pk).update(fixed_level=1)
    found = rewards(buyer)
    assert (found["isFixed"], found["nextLevel"], found["missing"]) == (True, None, 0.0)


def test_an_order_shows_its_points_when_they_are_booked(buyer: Buyer) -> None:
    order = spend(buyer, "12.00")
    Order.objects.filter(pk=order.pk).update(paid_at=timezone.now() - timedelta(days=1))
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["integral"], detail["integralPending"]) == (0, 12)
    Order.objects.filter(pk=order.pk).update(points_booked_at=timezone.now(), points_earned=12)
    detail = buyer.send("GET", f"/order/detailed/{order.order_no}")["result"]
    assert (detail["integral"], detail["integralPending"], detail["points"]) == (12, 0, 0)


def test_rewards_ask_for_a_token(client: Client) -> None:
    assert client.get("/api/v1/pc/user/rewards").status_code == 401
