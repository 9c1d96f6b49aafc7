"""Promotions in the back office."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.promotions.models import Promotion, PromotionItem
from catalog.promotions.tests.builders import make_promotion, promote
from core.tests.rows import rolled_back
from core.tests.screens import only_refusals, set_language
from tests.combinations import choose

pytestmark = pytest.mark.django_db


def form(*items: dict[str, Any], initial: int = 0, **kw: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "name_en": "Hotpot week",
        "name_zh": "火锅周",
        "kind": "price",
        "starts_at": "2027-01-01 09:00",
        "ends_at": "2027-01-08 21:00",
        "is_active": "on",
        "items-TOTAL_FORMS": len(items),
        "items-INITIAL_FORMS": initial,
        "items-MIN_NUM_FORMS": 0,
        "items-MAX_NUM_FORMS": 1000,
    }
    for place, item in enumerate(items):
        row = {"id": "", "price": "3.50", "quota": 50, "limit_amount": 0, "units": 1}
        row |= {"ORDER": place + 1, "DELETE": ""}
        values |= {f"items-{place}-{name}": value for name, value in (row | item).items()}
    return values | kw


def save(staff: Client, data: dict[str, Any], promotion: Promotion | None = None) -> str:
    """Send the form; returns the messages and errors of the screen that is shown then."""
    args = ("promotions:edit", [promotion.pk]) if promotion else ("promotions:add", [])
    with only_refusals():
        response = staff.post(reverse(args[0], args=args[1]), data, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def make_named(name: str = "Rice", price: str = "5.00") -> Product:
    return make_product(name_en=name, name_zh=f"商品{name}", price=Decimal(price))


def test_a_promotion_is_made_with_its_products_in_the_shops_time(staff: Client, settings: Settings) -> None:
    settings.TIME_ZONE = "Australia/Perth"
    rice, tea = make_named(), make_named("Tea")
    save(staff, form({"product": rice.pk, "limit_amount": 4}, {"product": tea.pk, "price": "5.00"}))
    promotion = Promotion.objects.get()
    assert promotion.starts_at == datetime(2027, 1, 1, 1, tzinfo=UTC)
    assert promotion.ends_at == datetime(2027, 1, 8, 13, tzinfo=UTC)
    assert list(promotion.items.values_list("product", "price", "quota", "limit_amount")) == [
        (rice.pk, Decimal("3.50"), 50, 4),
        (tea.pk, Decimal("5.00"), 50, 0),
    ]
    shown = staff.get(reverse("promotions:edit", args=[promotion.pk])).content.decode()
    assert 'value="2027-01-01 09:00"' in shown


def test_skipped_hours_are_refused_and_of_repeated_ones_the_later_is_meant(
    staff: Client, settings: Settings
) -> None:
    settings.TIME_ZONE = "Australia/Sydney"
    shown = save(staff, form(starts_at="2027-10-03 02:30", ends_at="2027-10-09 00:00"))
    assert "The clock skips this time" in shown
    assert not Promotion.objects.exists()
    save(staff, form({"product": make_named().pk}, starts_at="2027-04-04 02:30", ends_at="2027-04-09 00:00"))
    assert Promotion.objects.get().starts_at == datetime(2027, 4, 3, 16, 30, tzinfo=UTC)


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "end before start": ({"ends_at": "2027-01-01 09:00"}, {}, "The end must come after the start."),
    "start before all calendars": ({"starts_at": "0001-01-01 00:00"}, {}, "between the years 2000 and 2999"),
    "no start": ({"starts_at": ""}, {}, "This field is required."),
    "price above the ordinary one": ({}, {"price": "5.01"}, "No more than the ordinary price, 5.00."),
    "no quota": ({}, {"quota": 0}, "greater than or equal to 1"),
    "price of nothing": ({}, {"price": "0"}, "greater than or equal to 0.01"),
}


def test_an_invalid_promotion_is_refused_and_nothing_is_saved(
    staff: Client, subtests: pytest.Subtests
) -> None:
    product = {"product": make_named().pk}
    for case, (fields, item, text) in WRONG.items():
        with subtests.test(msg=case):
            assert text in save(staff, form(product | item, **fields))
            assert not Promotion.objects.exists()


def test_all_faults_are_shown_together(staff: Client) -> None:
    product = {"product": make_named().pk}
    shown = save(staff, form(product, kind="bundle", bundle_price="", ends_at="2027-01-01 09:00"))
    assert "The end must come after the start." in shown
    assert "This kind of promotion needs it." in shown
    assert "Constraint “" not in shown
    assert not Promotion.objects.exists()


def test_a_refusal_is_in_the_editors_language(staff: Client) -> None:
    set_language(staff, "zh-hans")
    assert "结束时间必须晚于开始时间。" in save(staff, form(ends_at="2027-01-01 09:00"))


NO_PRODUCT = {"en": "Add a product, or switch the promotion off.", "zh-hans": "请添加商品，或停用此活动。"}
NO_GIFT = {"en": "Mark the product that is the gift.", "zh-hans": "请标记作为赠品的商品。"}
GIFT = {"kind": "gift", "gift_from": "20"}
BUNDLE = {"kind": "bundle", "bundle_price": "9.90"}
# What a promotion lacks: its fields, whether each of its rows is a gift, the texts that are shown.
HALF_FILLED: dict[str, tuple[dict[str, Any], list[bool], list[dict[str, str]]]] = {
    "no product": ({}, [], [NO_PRODUCT]),
    "no part of a bundle": (BUNDLE, [], [NO_PRODUCT]),
    "nothing to buy for a gift": (GIFT, [True], [NO_PRODUCT]),
    "no gift": (GIFT, [False], [NO_GIFT]),
    "neither product nor gift": (GIFT, [], [NO_PRODUCT, NO_GIFT]),
}


def test_a_promotion_without_products_is_saved_only_while_it_is_switched_off(
    staff: Client, subtests: pytest.Subtests
) -> None:
    product = {"product": make_named().pk}
    for language in choose("half filled", ("en", "zh-hans")):
        set_language(staff, language)
        for case, (fields, gifts, expected) in HALF_FILLED.items():
            with subtests.test(msg=case, language=language), rolled_back():
                rows = [product | ({"is_gift": "on"} if gift else {}) for gift in gifts]
                shown = save(staff, form(*rows, **fields))
                assert [text in shown for text in (NO_PRODUCT[language], NO_GIFT[language])] == [
                    text in expected for text in (NO_PRODUCT, NO_GIFT)
                ]
                assert not Promotion.objects.exists()
                save(staff, form(*rows, **fields, is_active=""))
                assert Promotion.objects.get().items.count() == len(rows)


def test_the_last_product_of_a_promotion_is_removed_only_while_it_is_switched_off(staff: Client) -> None:
    rice = make_named()
    promotion = make_promotion((rice, "3.50"))
    data = form({"id": PromotionItem.objects.get().pk, "product": rice.pk, "DELETE": "on"}, initial=1)
    assert NO_PRODUCT["en"] in save(staff, data, promotion)
    assert PromotionItem.objects.exists()
    save(staff, data | {"is_active": ""}, promotion)
    assert not PromotionItem.objects.exists()


def test_a_product_named_twice_is_refused(staff: Client) -> None:
    rice = make_named()
    data = form({"product": rice.pk}, {"product": rice.pk})
    page = staff.post(reverse("promotions:add"), data).content.decode()
    assert page.count(f"{rice} is in another row already.") == 1
    assert 'value="Hotpot week"' in page
    assert not Promotion.objects.exists()


def test_products_that_were_ordered_stay_and_keep_their_quota(staff: Client) -> None:
    rice = make_named()
    promotion = make_promotion()
    item = promote(promotion, rice, "3.50", quota=50, taken=12)
    row = {"id": item.pk, "product": rice.pk}
    assert "has been ordered at this price" in save(staff, form(row | {"DELETE": "on"}, initial=1), promotion)
    lower = form(row | {"quota": 11}, initial=1)
    assert "This cannot be lower than what is already taken: 12." in save(staff, lower, promotion)
    assert list(PromotionItem.objects.values("quota", "taken")) == [{"quota": 50, "taken": 12}]
    save(staff, form(row | {"quota": 12}, initial=1), promotion)
    assert list(PromotionItem.objects.values("quota", "taken")) == [{"quota": 12, "taken": 12}]


def test_a_saved_row_keeps_its_product(staff: Client, subtests: pytest.Subtests) -> None:
    rice, tea = make_named(), make_named("Tea")
    promotion = make_promotion((rice, "3.50"))
    before = list(PromotionItem.objects.values())
    row = {"id": before[0]["id"], "product": tea.pk}
    for language, expected in (
        ("en", "A saved row keeps its product: add the other one as a new row."),
        ("zh-hans", "已保存的行不能更换商品：请为另一商品新增一行。"),
    ):
        with subtests.test(language=language):
            set_language(staff, language)
            assert expected in save(staff, form(row, initial=1), promotion)
            assert list(PromotionItem.objects.values()) == before
    # It was never ordered, so it may be removed; the other one takes its place.
    exchanged = form(row | {"product": rice.pk, "DELETE": "on"}, {"product": tea.pk}, initial=1)
    save(staff, exchanged, promotion)
    assert [each.product for each in PromotionItem.objects.all()] == [tea]


def test_the_editor_sees_which_other_promotion_has_a_product_at_the_same_time(staff: Client) -> None:
    rice = make_named()
    now = timezone.now()
    make_promotion((rice, "4.00"), name_en="Weekend", starts_at=now, ends_at=now + timedelta(days=900))
    make_promotion((rice, "4.00"), name_en="Long ago", starts_at=now - timedelta(days=9), ends_at=now)
    shown = save(staff, form({"product": rice.pk}))
    assert "Rice is also in “Weekend” (A$4.00) at the same time" in shown
    assert "“Long ago”" not in shown


def test_promotions_are_closed_to_shoppers(client: Client) -> None:
    assert client.get(reverse("promotions:index")).status_code == 302


def test_a_row_with_an_impossible_key_is_refused_and_changes_nothing(
    staff: Client, subtests: pytest.Subtests
) -> None:
    promotion = make_promotion()
    promote(promotion, make_named(), "3.50")
    staff.raise_request_exception = False
    for key in ["x", "９９９", "99999999999999999999", "-1", ""]:
        with subtests.test(key=key):
            data = form({"product": make_named("Tea").pk, "id": key}, initial=1)
            with only_refusals():
                response = staff.post(reverse("promotions:edit", args=[promotion.pk]), data)
            assert response.status_code in (200, 400)
            assert PromotionItem.objects.get().product.name_en == "Rice"
