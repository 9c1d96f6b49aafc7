from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from catalog.stock.tests.builders import make_location
from commerce.delivery.models import ExportLimit, FreightRule, PickupShop
from commerce.delivery.tests.builders import make_freight_rule, make_shop
from core.tests.rows import rolled_back, stored
from core.tests.screens import only_refusals, set_language

pytestmark = pytest.mark.django_db

PLACE = {"country": "Australia", "province": "WA", "zip_prefix": "6", "storage": "frozen"}
RULE = PLACE | {
    "first_grams": "1000",
    "first_price": "9.90",
    "step_grams": "500",
    "step_price": "2.50",
}


def refuse(client: Client, name: str, form: dict[str, Any]) -> Any:
    """Send the form of a new row, which is shown again; return the answer without its markup."""
    with only_refusals():
        answer = client.post(reverse(f"{name}:add"), form)
    assert answer.status_code == 200
    return answer


def shop_form(**kw: Any) -> dict[str, Any]:
    hours = {"weekday": 5, "opens": "10:00", "closes": "16:00", "per_hour": 4, "id": ""}
    form = {
        "name_en": "Northbridge",
        "name_zh": "北桥店",
        "address": "1 James Street",
        "is_open": "on",
        "cutoff_hours": 2,
        "sort": 0,
        "hours-TOTAL_FORMS": 1,
        "hours-INITIAL_FORMS": 0,
        "hours-MIN_NUM_FORMS": 0,
        "hours-MAX_NUM_FORMS": 1000,
    }
    return form | {f"hours-0-{name}": value for name, value in hours.items()} | kw


def test_a_freight_rule_is_created_and_listed(staff: Client) -> None:
    more = {"council": "Swan", "surcharge": "1.20", "free_from": "80", "valid_until": "2027-01-31"}
    response = staff.post(reverse("freight_rules:add"), RULE | more)
    assert response.status_code == 302
    rule = FreightRule.objects.get()
    assert (rule.province, rule.first_price, rule.free_from) == ("WA", Decimal("9.90"), Decimal(80))
    page = staff.get(reverse("freight_rules:index")).content.decode()
    assert "Australia, WA, Swan council, postcodes 6…, Frozen" in page
    assert "A$9.90 for the first 1 kg + A$2.50 for each further 0.5 kg" in page


def test_a_rule_that_sends_nothing_needs_its_reason_and_no_price(staff: Client) -> None:
    form = {"country": "Japan", "storage": "frozen", "excluded": "on", "why_en": "Too far"}
    refuse(staff, "freight_rules", form)
    assert not FreightRule.objects.exists()
    assert staff.post(reverse("freight_rules:add"), form | {"why_zh": "太远"}).status_code == 302
    assert FreightRule.objects.get().excluded
    assert "nothing is sent there" in staff.get(reverse("freight_rules:index")).content.decode()


def test_a_wrong_freight_rule_is_refused_with_a_message(staff: Client, subtests: pytest.Subtests) -> None:
    for change in (
        {"country": "Atlantis"},
        {"storage": "warm"},
        {"first_grams": "0"},
        {"step_grams": "-1"},
        {"first_price": "-1"},
        {"first_price": ""},
        {"step_price": "NaN"},
        {"province": "Wa"},
        {"country": "Malaysia", "province": "Jahor"},
        {"country": "China", "province": "广东"},
        {"council": "Atlantis"},
        {"council": "Swan", "province": "NSW"},
        {"council": "*", "country": "Japan", "province": ""},
        {"zone": "east_malaysia"},
        {"zone": "north", "country": "Malaysia", "province": ""},
        {"zip_from": "6000"},
        {"zip_to": "6000"},
        {"zip_from": "6001", "zip_to": "6000"},
        {"zip_from": "800", "zip_to": "0899"},
        {"zip_from": "600A", "zip_to": "600B"},
        {"zip_from": "٦٠٠٠", "zip_to": "٦٠٠١"},
        {"zip_from": "6000", "zip_to": "6001", "country": "", "province": ""},
        {"surcharge": "-0.01"},
        {"first_price": "-0.01"},
        {"step_grams": "0"},
        {"free_from": "0"},
        {"valid_from": "2026-07-02", "valid_until": "2026-07-01"},
        {"valid_from": "tomorrow"},
        {"excluded": "on"},
        {"excluded": "on", "why_zh": "太远"},
    ):
        with subtests.test(change=change):
            response = refuse(staff, "freight_rules", RULE | change)
            assert response.context_data["form"].errors
            assert "Constraint “" not in response.content.decode()
            assert not FreightRule.objects.exists()


def test_a_rule_for_everywhere_can_be_opened_from_the_list(staff: Client) -> None:
    rule = make_freight_rule()
    page = staff.get(reverse("freight_rules:index")).content.decode()
    link = page.split(f'href="{reverse("freight_rules:edit", args=[rule.pk])}"', 1)[1]
    assert link.split(">", 1)[1].split("<", 1)[0].strip() == "everywhere else, Room temperature"


def test_a_second_rule_for_the_same_place_is_refused_on_the_same_days(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for there, new, status in (
        ((None, None), ("", ""), 200),
        ((None, None), ("2026-07-01", ""), 200),
        ((None, date(2026, 6, 30)), ("2026-07-01", ""), 302),
        ((None, date(2026, 7, 1)), ("2026-07-01", ""), 200),
        ((date(2026, 7, 1), None), ("2026-07-01", "2026-07-02"), 200),
        ((date(2026, 7, 2), None), ("", "2026-07-01"), 302),
        ((date(2026, 7, 1), date(2026, 7, 5)), ("2026-07-03", "2026-07-04"), 200),
        ((date(2026, 7, 3), date(2026, 7, 4)), ("2026-07-01", "2026-07-05"), 200),
        ((date(2026, 7, 3), date(2026, 7, 4)), ("", ""), 200),
        ((date(2026, 7, 3), date(2026, 7, 4)), ("2026-07-05", "2026-07-05"), 302),
    ):
        with subtests.test(there=there, new=new, status=status), rolled_back():
            rule = make_freight_rule(**PLACE, valid_from=there[0], valid_until=there[1])
            for elsewhere in (
                {"storage": "chilled"},
                {"council": "Swan"},
                {"zip_from": "6000", "zip_to": "6001"},
            ):
                make_freight_rule(**PLACE | elsewhere)
            count = FreightRule.objects.count()
            days = {"valid_from": new[0], "valid_until": new[1]}
            with only_refusals():
                response: Any = staff.post(reverse("freight_rules:add"), RULE | days)
            assert response.status_code == status
            assert FreightRule.objects.count() == count + (status == 302)
            if status == 200:
                [error] = response.context_data["form"].non_field_errors()
                assert error.startswith(
                    "On the same days there is already a rule for this place and storage: "
                )
            # The rule itself does not overlap with itself.
            own = {"valid_from": there[0] or "", "valid_until": there[1] or "", "first_price": "5"}
            assert staff.post(reverse("freight_rules:edit", args=[rule.pk]), RULE | own).status_code == 302


def test_the_rules_that_a_new_one_overlaps_are_named(staff: Client, subtests: pytest.Subtests) -> None:
    for language, expected in (
        (
            "en",
            "On the same days there is already a rule for this place and storage: Australia, WA, "
            "postcodes 6…, Frozen (until 2026-06-30): nothing is sent there; Australia, WA, postcodes 6…, "
            "Frozen (from 2026-07-01 to 2026-12-31): "
            "A$9.90 for the first 1 kg + A$2.50 for each further 0.5 kg.",
        ),
        (
            "zh-hans",
            "在相同的日期，该地区和储存方式已有规则：澳大利亚 WA 邮编 6 开头 冷冻（至 2026-06-30）："
            "不配送；澳大利亚 WA 邮编 6 开头 冷冻（2026-07-01 至 2026-12-31）："
            "首 1 千克 A$9.90 + 续重每 0.5 千克 A$2.50。",
        ),
    ):
        with subtests.test(language=language, expected=expected), rolled_back():
            set_language(staff, language)
            nothing = {"excluded": True, "why_en": "Too hot", "why_zh": "太热"}
            make_freight_rule(**PLACE, **nothing, valid_until=date(2026, 6, 30))
            make_freight_rule(**PLACE, valid_from=date(2026, 7, 1), valid_until=date(2026, 12, 31))
            make_freight_rule(**PLACE, valid_from=date(2027, 2, 1))
            days = {"valid_from": "2026-06-30", "valid_until": "2026-07-01"}
            response = refuse(staff, "freight_rules", RULE | days)
            assert response.context_data["form"].non_field_errors() == [expected]
            assert FreightRule.objects.count() == 3


def test_of_a_wrong_day_no_rule_is_shown_to_overlap(staff: Client) -> None:
    make_freight_rule(**PLACE)
    response = refuse(staff, "freight_rules", RULE | {"valid_from": "tomorrow"})
    assert list(response.context_data["form"].errors) == ["valid_from"]
    assert FreightRule.objects.count() == 1


@pytest.mark.both_databases
def test_two_rules_for_the_same_place_that_begin_together_are_kept_out_by_the_database() -> None:
    for start in (None, date(2026, 7, 1)):
        make_freight_rule(country="Japan", valid_from=start)
        with pytest.raises(IntegrityError), transaction.atomic():
            make_freight_rule(country="Japan", valid_from=start, valid_until=date(2027, 1, 1))
    assert FreightRule.objects.count() == 2


def test_a_shop_is_created_with_its_hours(staff: Client) -> None:
    form = shop_form(location=make_location(code="northbridge").pk)
    response = staff.post(reverse("pickup_shops:add"), form)
    assert response.status_code == 302
    shop = PickupShop.objects.get()
    assert [(row.weekday, row.opens.hour, row.per_hour) for row in shop.hours.all()] == [(5, 10, 4)]


def test_a_shop_with_wrong_hours_is_refused_with_a_message(staff: Client, subtests: pytest.Subtests) -> None:
    form = shop_form(location=make_location(code="northbridge").pk)
    for change in (
        {"hours-0-closes": "09:00"},
        {"hours-0-weekday": 7},
        {"hours-0-opens": "x"},
        {"location": ""},
    ):
        with subtests.test(change=change):
            refuse(staff, "pickup_shops", form | change)
            assert not PickupShop.objects.exists()


def test_a_shop_can_be_opened_in_the_back_office(staff: Client) -> None:
    shop = make_shop(name_en="Perth City")
    assert "Perth City" in staff.get(reverse("pickup_shops:index")).content.decode()
    page = staff.get(reverse("pickup_shops:edit", args=[shop.pk])).content.decode()
    assert page.count("-weekday") >= 7


def test_only_staff_see_the_rules(client: Client) -> None:
    assert client.get(reverse("freight_rules:index")).status_code == 302


def second_day(**kw: Any) -> dict[str, Any]:
    hours = {"weekday": 6, "opens": "10:00", "closes": "16:00", "per_hour": 4, "id": ""} | kw
    return {"hours-TOTAL_FORMS": 2} | {f"hours-1-{name}": value for name, value in hours.items()}


def test_a_weekday_that_is_typed_twice_is_refused_with_a_message(staff: Client) -> None:
    location = make_location(code="northbridge").pk
    url = reverse("pickup_shops:add")
    page = staff.post(url, shop_form(location=location, **second_day(weekday=5))).content.decode()
    assert page.count("Saturday is in another row already.") == 1
    assert not PickupShop.objects.exists()
    assert staff.post(url, shop_form(location=location, **second_day())).status_code == 302


def test_a_row_with_the_key_of_another_changes_nothing(staff: Client, subtests: pytest.Subtests) -> None:
    location = make_location(code="northbridge").pk
    staff.post(reverse("pickup_shops:add"), shop_form(location=location, **second_day()))
    shop = PickupShop.objects.get()
    before = list(shop.hours.values())
    first = before[0]["id"]
    known = {"location": location, "hours-0-id": first, "hours-INITIAL_FORMS": 2}
    staff.raise_request_exception = False
    for key in ("of the first row", "9999999", "\uff19\uff19\uff19\uff19", "x"):
        with subtests.test(key=key):
            form = shop_form(**known, **second_day(id=first if key == "of the first row" else key))
            with only_refusals():
                answer = staff.post(reverse("pickup_shops:edit", args=[shop.pk]), form)
            assert answer.status_code in (200, 400)
            assert list(shop.hours.values()) == before


LIMIT = {"country": "China", "max_units": "3", "why_en": "Personal use.", "why_zh": "个人自用。"}


def test_staff_limit_what_goes_to_a_country(staff: Client) -> None:
    response = staff.post(reverse("export_limits:add"), LIMIT)
    assert response.status_code == 302, response.content
    made = ExportLimit.objects.get()
    assert (made.country, made.category, made.max_units, made.max_value) == ("China", None, 3, None)
    edited = staff.post(reverse("export_limits:edit", args=[made.pk]), LIMIT | {"max_value": "200"})
    assert edited.status_code == 302, edited.content
    assert stored(made, "max_value") == 200
    assert "China" in staff.get(reverse("export_limits:index")).content.decode()


def test_a_limit_that_limits_nothing_is_refused(staff: Client, subtests: pytest.Subtests) -> None:
    for wrong in (
        {"country": "Atlantis"},
        {"country": "Australia"},
        {"max_units": ""},
        {"max_units": "0"},
        {"max_value": "-1"},
        {"valid_from": "2026-12-02", "valid_until": "2026-12-01"},
    ):
        with subtests.test(wrong=wrong):
            refuse(staff, "export_limits", LIMIT | wrong)
            assert not ExportLimit.objects.exists()
