from datetime import date, time
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog.goods.models import LevelPrice, PriceTier
from catalog.goods.tests.builders import make_product
from catalog.stock.tests.builders import stock
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.delivery.models import PickupException, PickupSlot
from commerce.delivery.services import book_slot, book_window
from commerce.delivery.slots import slots
from commerce.delivery.tests.builders import make_freight_rule, make_shop, make_windows
from core import clock
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

FREIGHT = "/api/v1/pc/common/freight"
SHOPS = "/api/v1/pc/shops"
PERTH = "Australia-WA-Perth-6000"
ALBANY = "Australia-WA-Albany-6330"


def ask(client: Client, body: object) -> dict[str, Any]:
    response = client.post(FREIGHT, body, "application/json", headers=auth_headers(make_customer()))
    assert response.status_code == 200
    answer: dict[str, Any] = response.json()
    return answer


def freight_of(client: Client, *lines: dict[str, object], **change: object) -> dict[str, Any]:
    """Ask for the freight of products to Perth."""
    return ask(client, {"address": PERTH, "orderGoods": lines, "shippingType": "2"} | change)


def line(product: Any, amount: object = 1) -> dict[str, object]:
    return {"goodsId": product.pk, "goodsAmount": amount}


def test_freight_is_given_for_each_parcel_with_its_reason(client: Client) -> None:
    make_freight_rule()
    make_freight_rule(storage="frozen", first_price=15, days_from=2, days_to=4)
    rice = make_product(net_weight=5000)
    dumplings = make_product(net_weight=400, storage="frozen")
    assert freight_of(client, line(rice, "3"), line(dumplings), line(rice), address=ALBANY) == {
        "code": 0,
        "msg": "",
        "result": {
            "freight": 119.9,
            "parcels": [
                {
                    "storage": "ambient",
                    "weight": 20000,
                    "freight": 104.9,
                    "reason": "常温，20 千克，寄往其他地区："
                    "首 1 千克 A$9.90 + 续重 38 × A$2.50（每 0.5 千克）",
                    "reasonEn": "Room temperature, 20 kg to everywhere else: "
                    "A$9.90 for the first 1 kg + 38 × A$2.50 for each further 0.5 kg",
                    "daysFrom": None,
                    "daysTo": None,
                },
                {
                    "storage": "frozen",
                    "weight": 400,
                    "freight": 15,
                    "reason": "冷冻，0.4 千克，寄往其他地区：首 1 千克 A$15.00",
                    "reasonEn": "Frozen, 0.4 kg to everywhere else: A$15.00 for the first 1 kg",
                    "daysFrom": 2,
                    "daysTo": 4,
                },
            ],
            "freeFrom": [],
            "missingForFree": None,
        },
    }


def test_freight_takes_a_constant_number_of_queries(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, settings: LazySettings
) -> None:
    settings.SNAPSHOT_SECONDS = 60
    make_freight_rule(free_from=80)
    products = [line(make_product(is_bulk=True)) for _ in range(20)]
    member = auth_headers(make_customer(level_id=3))
    # Products, prices, and the customer's token; the rules are read once in a while.
    for goods, headers, count in [(products, {}, 2), (products, member, 3), (products[:1], member, 3)]:
        body = {"address": PERTH, "orderGoods": goods, "shippingType": "2"}
        client.post(FREIGHT, body, content_type="application/json", headers=headers)
        with django_assert_num_queries(count):
            client.post(FREIGHT, body, content_type="application/json", headers=headers)


def test_freight_is_free_from_an_amount_of_the_callers_own_prices(client: Client) -> None:
    make_freight_rule(free_from=20)
    rice, tea = make_product(price=10, is_bulk=True), make_product(price=Decimal("10.01"))
    LevelPrice.objects.create(product=tea, level=3, price=Decimal("9.00"))
    PriceTier.objects.create(product=rice, from_amount=3, price=Decimal("6.00"))
    member = auth_headers(make_customer(level_id=3))

    def answer(headers: dict[str, str], *goods: dict[str, object]) -> tuple[float, float]:
        body = {"address": PERTH, "orderGoods": goods, "shippingType": 2}
        result = client.post(FREIGHT, body, content_type="application/json", headers=headers).json()["result"]
        return result["freight"], result["missingForFree"]

    assert answer({}, line(rice), line(tea)) == (0, 0)
    assert answer(member, line(rice), line(tea)) == (9.9, 1.0)
    assert answer({}, line(rice, 2)) == (0, 0)
    # Three cost less than two: 18.00.
    assert answer({}, line(rice, 3)) == (12.4, 2.0)
    # A price in the request is never read.
    assert answer({}, line(tea) | {"memberPrice": 99}) == (9.9, 9.99)


def test_rules_change_at_midnight_of_the_shops_time_zone(client: Client, subtests: pytest.Subtests) -> None:
    make_freight_rule()
    make_freight_rule(
        country="Australia",
        first_price=5,
        step_price=0,
        valid_from=date(2026, 7, 1),
        valid_until=date(2026, 7, 31),
    )
    goods = line(make_product(net_weight=100))
    for minute, freight in (
        ("2026-06-30T23:59:59+08:00", 9.9),
        ("2026-07-01T00:00:00+08:00", 5),
        ("2026-07-31T23:59:59+08:00", 5),
        ("2026-08-01T00:00:00+08:00", 9.9),
    ):
        with subtests.test(minute=minute, freight=freight), rolled_back():
            with time_machine.travel(minute, tick=False):
                body = freight_of(client, goods)
            assert body["result"]["freight"] == freight


def test_picking_up_costs_nothing_and_needs_no_address(client: Client, subtests: pytest.Subtests) -> None:
    for address in ("", None, "Nowhere"):
        with subtests.test(address=address), rolled_back():
            body = freight_of(client, line(make_product()), address=address, shippingType=3)
            assert body["result"] == {"freight": 0, "parcels": [], "freeFrom": [], "missingForFree": None}


def test_a_country_covered_by_the_world_rule_is_delivered_to_by_type_one(client: Client) -> None:
    make_freight_rule()
    product = line(make_product(net_weight=100))
    body = freight_of(client, product, address="Japan-Tokyo-100-0001", shippingType=1)
    assert body["result"]["freight"] == 9.9


def test_an_invalid_request_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    make_freight_rule()
    product = line(make_product())
    for change, reason, code in (
        ({"address": ""}, "address_error", 1002),
        ({"address": None}, "address_error", 1002),
        ({"address": "Atlantis-1"}, "address_error", 1002),
        ({"address": "x" * 2001}, "parameter_error", 1002),
        ({"address": "Australia\x00"}, "parameter_error", 1002),
        ({"address": "\ud800"}, "parameter_error", 1002),
        ({"address": ["Australia"]}, "parameter_error", 1002),
        ({"shippingType": ""}, "choose_delivery", 1002),
        ({"shippingType": None}, "choose_delivery", 1002),
        ({"shippingType": 9}, "choose_delivery", 1002),
        ({"shippingType": "fature"}, "choose_delivery", 1002),
        ({"shippingType": "²"}, "choose_delivery", 1002),
        ({"shippingType": 1}, "choose_delivery", 1002),
        ({"address": "Japan-Tokyo"}, "choose_delivery", 1002),
        ({"orderGoods": []}, "goods_error", 1002),
        ({"orderGoods": None}, "goods_error", 1002),
        ({"orderGoods": "1"}, "parameter_error", 1002),
        ({"orderGoods": [7]}, "parameter_error", 1002),
        ({"orderGoods": [{"goodsId": 999_999_999, "goodsAmount": 1}]}, "goods_error", 1002),
        ({"orderGoods": [{"goodsId": "abc", "goodsAmount": 1}]}, "goods_error", 1002),
        ({"orderGoods": [{"goodsId": 10**30, "goodsAmount": 1}]}, "goods_error", 1002),
        ({"orderGoods": [{"goodsAmount": 1}]}, "parameter_error", 1002),
        ({"orderGoods": [{"goodsId": 1, "goodsAmount": 1}] * 201}, "parameter_error", 1002),
    ):
        with subtests.test(change=change, reason=reason, code=code), rolled_back():
            body = freight_of(client, product, **change)
            assert (body["code"], body["reason"], body["result"]) == (code, reason, None)


def test_a_wrong_amount_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    make_freight_rule()
    for amount, reason in (
        (0, "amount_below_one"),
        (-1, "amount_below_zero"),
        (2**31 - 1, "amount_above_limit"),
        (10**20, "parameter_error"),
        (1.5, "parameter_error"),
        (True, "parameter_error"),
        ("many", "parameter_error"),
        (None, "parameter_error"),
    ):
        with subtests.test(amount=amount, reason=reason), rolled_back():
            body = freight_of(client, line(make_product(), amount))
            assert (body["reason"], body["result"]) == (reason, None)


def test_products_not_on_sale_are_refused(client: Client, subtests: pytest.Subtests) -> None:
    make_freight_rule()
    product = line(make_product(on_sale=False))
    for shipping_type in ("2", "3"):
        with subtests.test(shipping_type=shipping_type), rolled_back():
            body = freight_of(client, product, shippingType=shipping_type)
            assert (body["code"], body["reason"]) == (1, "goods_off_shelf")


def test_a_region_that_no_rule_covers_is_refused(client: Client) -> None:
    make_freight_rule(country="New Zealand")
    body = freight_of(client, line(make_product()))
    assert (body["reason"], body["fields"]) == ("address_error", {"address": "address_error"})


def test_a_place_that_nothing_is_sent_to_is_refused_with_the_reason(client: Client) -> None:
    make_freight_rule()
    make_freight_rule(country="Australia", excluded=True, why_en="Only in winter", why_zh="只在冬季寄送")
    for language in ("en", "zh"):
        body = client.post(
            FREIGHT,
            {"address": PERTH, "orderGoods": [line(make_product())], "shippingType": "2"},
            content_type="application/json",
            headers={"lang": language},
        ).json()
        assert body == {
            "code": 1002,
            "msg": "地址错误",
            "result": None,
            "reason": "address_error",
            "fields": {"address": "address_error"},
            "why": "只在冬季寄送",
            "whyEn": "Only in winter",
        }


def test_guests_learn_what_customers_learn(client: Client) -> None:
    make_freight_rule(council="Perth", country="Australia", free_from=50, surcharge=2)
    goods = [line(make_product(price=Decimal("12.50"), net_weight=1200), 3)]
    body = {"address": PERTH, "orderGoods": goods, "shippingType": "2"}
    as_guest = client.post(FREIGHT, body, content_type="application/json")
    assert as_guest.status_code == 200
    assert as_guest.json() == ask(client, body)
    result = as_guest.json()["result"]
    # 3.6 kg: 9.90, six further half kilograms of 2.50, and 2.00 more.
    assert (result["freight"], result["missingForFree"]) == (26.9, 12.5)


def test_a_body_that_is_no_object_is_refused(client: Client, subtests: pytest.Subtests) -> None:
    for body in ("", "[", "[]", "7", "null", '{"address": NaN}', '{"a":' * 900 + "1" + "}" * 900):
        with subtests.test(body=body), rolled_back():
            assert ask(client, body)["code"] == 1002


@time_machine.travel("2026-11-23T20:00:00+08:00", tick=False)
def test_shops_are_listed_with_their_hours_and_free_slots(client: Client) -> None:
    make_shop(is_open=False)
    shop = make_shop(name_zh="珀斯店", name_en="Perth", per_hour=4)
    first, *_ = slots(shop.hours.all(), timezone.now())
    book_slot(shop=shop, starts_at=first.starts_at)

    body = client.get(SHOPS).json()

    (shop_body,) = body["result"]
    hours = shop_body.pop("slots")
    assert shop_body == {
        "shopId": shop.pk,
        "shopName": "珀斯店",
        "shopNameEn": "Perth",
        "address": "1 Hay Street, Perth",
        "openingHours": "Mon–Sun 09:00–17:00",
        "available": None,
        "missing": [],
    }
    assert len(hours) == 7 * 8
    assert hours[0] == {"terminalDateTime": clock.to_wire(first.starts_at), "left": 3}
    assert {hour["left"] for hour in hours[1:]} == {4}


@time_machine.travel("2026-11-23T20:00:00+08:00", tick=False)
def test_a_full_slot_with_a_reduced_maximum_has_nothing_left(client: Client) -> None:
    shop = make_shop(per_hour=4)
    first, *_ = slots(shop.hours.all(), timezone.now())
    PickupSlot.objects.create(shop=shop, starts_at=first.starts_at, capacity=4, booked=4)
    shop.hours.update(per_hour=2)
    assert client.get(SHOPS).json()["result"][0]["slots"][0]["left"] == 0


def test_opening_hours_are_in_the_readers_language(client: Client) -> None:
    make_shop()
    (shop_body,) = client.get(SHOPS, headers={"lang": "zh"}).json()["result"]
    assert shop_body["openingHours"] == "星期一–星期日 09:00–17:00"


@time_machine.travel("2026-11-23T20:00:00+08:00", tick=False)
def test_opening_hours_mention_the_other_hours_of_the_next_seven_days(client: Client) -> None:
    own, other = make_shop(), make_shop()
    for shop, day in [(None, 25), (None, 30), (own, 30), (other, 24)]:
        PickupException.objects.create(shop=shop, date=date(2026, 11, day))
    PickupException.objects.filter(shop=own).update(opens=time(10), closes=time(12))
    PickupException.objects.create(date=date(2026, 12, 1))
    shown = {shop["shopId"]: shop["openingHours"] for shop in client.get(SHOPS).json()["result"]}
    assert shown == {
        own.pk: "Mon–Sun 09:00–17:00 · 25 November closed · 30 November 10:00–12:00",
        other.pk: "Mon–Sun 09:00–17:00 · 24 November closed · 25 November closed · 30 November closed",
    }


def test_shops_show_whether_they_have_the_products(client: Client) -> None:
    tea, rice = make_product(), make_product()
    full, half = make_shop(), make_shop()
    for product, units, shop in [(tea, 2, full), (rice, 1, full), (tea, 5, half)]:
        stock(product, units, shop.location)

    def available(products: str) -> dict[int, bool | None]:
        return {
            shop["shopId"]: shop["available"]
            for shop in client.get(SHOPS, {"goods": products}).json()["result"]
        }

    assert available(f"{tea.pk}:2,{rice.pk}:1") == {full.pk: True, half.pk: False}
    assert available(f"{tea.pk}:2,{tea.pk}:1") == {full.pk: False, half.pk: True}
    assert available("999999999:1") == {full.pk: False, half.pk: False}
    assert available("") == {full.pk: None, half.pk: None}


def test_malformed_products_are_a_parameter_error(client: Client, subtests: pytest.Subtests) -> None:
    make_shop()
    for goods in (
        "1",
        "1:",
        ":1",
        "1:0",
        "1:-1",
        "a:1",
        "1:1,",
        "1:1;2:1",
        "1:1.5",
        "1:" + "9" * 30,
        "١:1",
        "1:1," * 200 + "1:1",
    ):
        with subtests.test(goods=goods):
            body = client.get(SHOPS, {"goods": goods}).json()
            found = (body["code"], body["reason"], body["fields"])
            assert found == (1002, "parameter_error", {"goods": "parameter_error"})


# Monday, 9:00 in Perth.
@time_machine.travel("2026-11-23T09:00:00+08:00", tick=False)
def test_what_is_known_of_the_arrival_is_the_van_or_the_days_and_the_next_pick_up_hour(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_freight_rule(days_from=1, days_to=3)
    make_freight_rule(storage="frozen")
    make_windows(capacity=1)
    shop = make_shop()
    rice, dumplings = make_product(net_weight=500), make_product(net_weight=400, storage="frozen")
    kept = make_product(net_weight=500, is_advance=True, expected_on=date(2026, 12, 1))
    for product in (rice, kept):
        stock(product, 5, location=shop.location)

    def ask(address: str, *products: Any) -> dict[str, Any]:
        body = {"address": address, "orderGoods": [line(product) for product in products]}
        with django_assert_max_num_queries(9):
            result: dict[str, Any] = client.post(
                "/api/v1/pc/common/arrival", body, content_type="application/json"
            ).json()["result"]
        return result

    hour = {
        "shopId": shop.pk,
        "shopName": shop.name_zh,
        "shopNameEn": shop.name_en,
        "terminalDateTime": "23/11/2026 11:00",
    }
    van = {"deliverySlot": "24/11/2026 09:00", "endTime": "24/11/2026 12:00"}
    days = [{"storage": "ambient", "daysFrom": 1, "daysTo": 3}]
    nothing: dict[str, Any] = {"window": None, "parcels": [], "pickup": None, "expectedDate": None}
    assert ask("", rice) == {"window": None, "parcels": [], "pickup": hour, "expectedDate": None}
    assert ask(PERTH, rice) == {"window": None, "parcels": days, "pickup": hour, "expectedDate": None}
    # The shop has none, and staff have entered no days.
    assert ask(PERTH, rice, dumplings) == {"window": van, "parcels": [], "pickup": None, "expectedDate": None}
    assert ask(ALBANY, rice, dumplings) == {
        "window": None,
        "parcels": days,
        "pickup": None,
        "expectedDate": None,
    }
    assert ask(PERTH) == {"window": van, "parcels": [], "pickup": hour, "expectedDate": None}
    assert ask(ALBANY) == {"window": None, "parcels": days, "pickup": hour, "expectedDate": None}
    # Of what has not arrived itself only that is known.
    assert ask(PERTH, kept) == {**nothing, "expectedDate": "2026-12-01"}
    assert ask(PERTH, kept, make_product(is_advance=True)) == nothing
    book_window(starts_at=clock.from_wire(van["deliverySlot"]))
    assert ask(PERTH)["window"]["deliverySlot"] == "25/11/2026 09:00"


def test_the_fees_page_shows_rules_windows_and_shops_in_both_languages(client: Client) -> None:
    for council in ("Perth", "Vincent"):
        make_freight_rule(country="Australia", council=council, free_from=80, days_from=1, days_to=2)
    make_freight_rule(storage="frozen", excluded=True, why_en="Not sent there.", why_zh="不配送。")
    make_freight_rule(country="Australia", valid_until=date(2020, 1, 1), first_price=99)
    make_windows()
    shop = make_shop()
    page = " ".join(client.get("/delivery").content.decode().split())
    assert "<h3>Perth council; Vincent council</h3>" in page
    for text in (
        "A$9.90 for the first 1 kg",
        "free from A$80.00",
        "1–2 working days after payment",
        "Not sent there.",
    ):
        assert text in page
    assert '<b>Monday–Sunday</b> <span class="num">09:00–12:00</span>' in page
    assert shop.address in page
    assert "99.00" not in page
    chinese = client.get("/zh-hans/delivery").content.decode()
    assert "付款后 1–2 个工作日送达" in chinese
    assert "不配送。" in chinese
