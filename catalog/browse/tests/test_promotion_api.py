from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from catalog.goods.tests.builders import make_product
from catalog.promotions.tests.builders import make_promotion, promote
from catalog.stock.tests.builders import stock
from core.errors import Err

pytestmark = pytest.mark.django_db

API = "/api/v1/pc"
MOMENT = timedelta(microseconds=1)


def result(client: Client, path: str, **query: Any) -> Any:
    answer = client.get(API + path, query).json()
    assert answer["code"] == 0, answer
    return answer["result"]


def test_running_promotions_are_listed_with_names_and_times_in_the_shops_zone(
    client: Client, settings: Settings
) -> None:
    settings.TIME_ZONE = "Australia/Perth"
    end = timezone.now().replace(microsecond=0) + timedelta(days=2)
    later = make_promotion(ends_at=end + timedelta(days=1))
    start = datetime(2026, 11, 1, 16, 0, tzinfo=UTC)
    first = make_promotion(name_zh="火锅周", name_en="Hotpot week", starts_at=start, ends_at=end)
    make_promotion(is_active=False)
    make_promotion(starts_at=timezone.now() + timedelta(minutes=5))
    make_promotion(ends_at=timezone.now())

    found = result(client, "/actionType/list")

    assert [row["goodsActionTypeId"] for row in found] == [first.pk, later.pk]
    assert datetime.fromisoformat(found[0].pop("endTimeIso")) == end
    assert found[0] == {
        "goodsActionTypeId": first.pk,
        "goodsActionTypeName": "火锅周",
        "goodsActionTypeNameEn": "Hotpot week",
        "kind": "price",
        "rule": "活动价",
        "ruleEn": "Promotion price",
        "buyUnits": None,
        "freeUnits": None,
        "imgUrl": None,
        "startTime": "02/11/2026 00:00",
        "endTime": (end + timedelta(hours=8)).astimezone(UTC).strftime("%d/%m/%Y %H:%M"),
    }


def test_the_products_of_a_promotion_have_its_price_and_its_remaining_units(client: Client) -> None:
    rice, tea, salt = (make_product(price=Decimal("5.00"), pack="500 g") for _ in range(3))
    gone = make_product(on_sale=False)
    for product, units in [(rice, 40), (tea, 3), (salt, 40), (gone, 9)]:
        stock(product, units)
    promotion = make_promotion((gone, "1.00"))
    promote(promotion, rice, "3.50", quota=50, taken=38, limit_amount=4, sort=1)
    promote(promotion, tea, "4.00", sort=2)
    promote(promotion, salt, "4.50", quota=5, taken=5, sort=3)

    page = result(client, f"/action/list/{promotion.pk}")

    assert (page["total"], page["page"], page["size"]) == (3, 1, 24)
    fields = ("goodsId", "memberPrice", "marketPrice", "goodsStockAmount", "stockType", "limitAmount")
    assert [tuple(row[name] for name in fields) for row in page["list"]] == [
        (rice.pk, 3.5, 5.0, 12, "1", 4),
        (tea.pk, 4.0, 5.0, 3, "1", 0),
        (salt.pk, 4.5, 5.0, 0, "3", 0),
    ]
    assert [row["actionTypeId"] for row in page["list"]] == [promotion.pk] * 3
    assert page["list"][0]["unitPrice"] == 0.7
    second = result(client, f"/action/list/{promotion.pk}", page=2, size=2)
    assert [row["goodsId"] for row in second["list"]] == [salt.pk]
    assert result(client, f"/action/list/{promotion.pk}", page=9)["list"] == []


def test_a_page_of_products_takes_the_same_queries_however_many(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    promotion = make_promotion(*((make_product(), "3.50") for _ in range(12)))
    # Six of them read the snapshot of all products, which a shop reads every two seconds.
    with django_assert_max_num_queries(10):
        assert len(result(client, f"/action/list/{promotion.pk}")["list"]) == 12


def test_a_promotion_that_is_not_running_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for wrong in ["0", "-1", "x", "1.5", "9" * 30, "999999999", "%00"]:
        with subtests.test(wrong=wrong):
            answer = client.get(f"{API}/action/list/{wrong}")
            assert (answer.status_code, answer.json()["reason"]) == (200, Err.parameter_error.name)


def test_a_promotion_is_listed_from_its_start_until_just_before_its_end(client: Client) -> None:
    start = timezone.now() + timedelta(hours=1)
    end = start + timedelta(hours=1)
    rice = make_product(price=Decimal("5.00"))
    promotion = make_promotion((rice, "3.50"), starts_at=start, ends_at=end)
    seen = []
    for moment in (start - MOMENT, start, end - MOMENT, end):
        with time_machine.travel(moment, tick=False):
            listed = [row["goodsActionTypeId"] for row in result(client, "/actionType/list")]
            code = client.get(f"{API}/action/list/{promotion.pk}").json()["code"]
            price = result(client, f"/goods/{rice.pk}")["actionPrice"]
            seen.append((listed, code, price))
    refused = Err.parameter_error.code
    there = ([promotion.pk], 0, 3.5)
    assert seen == [([], refused, None), there, there, ([], refused, None)]


def test_products_have_their_best_offer_during_the_ordinary_price(client: Client) -> None:
    rice, tea = make_product(price=Decimal("5.00")), make_product(price=Decimal("5.00"))
    dear = make_promotion((rice, "4.00"))
    cheap = make_promotion(name_zh="周末", name_en="Weekend")
    promote(cheap, rice, "3.50", quota=9, taken=2, limit_amount=3)

    answer = client.post(f"{API}/goods/list", {}, "application/json").json()["result"]["list"]

    fields = ("memberPrice", "actionTypeId", "actionPrice")
    assert {row["goodsId"]: tuple(row[name] for name in fields) for row in answer} == {
        rice.pk: (5.0, cheap.pk, 3.5),
        tea.pk: (5.0, None, None),
    }
    promotions = result(client, f"/goods/{rice.pk}")["promotions"]
    assert [row["goodsActionTypeId"] for row in promotions] == [cheap.pk, dear.pk]
    del promotions[0]["endTime"], promotions[0]["endTimeIso"]
    assert promotions[0] == {
        "goodsActionTypeId": cheap.pk,
        "goodsActionTypeName": "周末",
        "goodsActionTypeNameEn": "Weekend",
        "kind": "price",
        "rule": "活动价",
        "ruleEn": "Promotion price",
        "buyUnits": None,
        "freeUnits": None,
        "actionPrice": 3.5,
        "goodsStockAmount": 7,
        "limitAmount": 3,
    }
