import re
from contextlib import nullcontext
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import ProtectedError
from django.test import Client
from django.urls import reverse
from wagtail.users.models import UserProfile

from catalog.goods.tests.builders import make_brand, make_category
from catalog.goods.writing import delete_rows
from commerce.vouchers.models import Voucher, VoucherScope
from commerce.vouchers.tests.builders import make_voucher
from core.tests.rows import rolled_back
from core.tests.screens import only_refusals

pytestmark = pytest.mark.django_db

ADD = "vouchers:add"


def form(**kw: Any) -> dict[str, Any]:
    return {
        "code": "WELCOME-5",
        "name_en": "Welcome",
        "name_zh": "欢迎",
        "kind": "fixed",
        "value": "5",
        "from_amount": "20",
        "total_limit": "0",
        "customer_limit": "1",
        "starts_at": "2026-07-01 09:00",
        "ends_at": "2026-07-31 09:00",
        "is_active": "on",
        "scopes-TOTAL_FORMS": 0,
        "scopes-INITIAL_FORMS": 0,
        "scopes-MIN_NUM_FORMS": 0,
        "scopes-MAX_NUM_FORMS": 1000,
    } | kw


def test_a_code_in_small_or_wide_letters_is_stored_in_ordinary_capital_ones(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for typed in (" welcome-5 ", "Ｗｅｌｃｏｍｅ－５"):
        with subtests.test(typed=typed), rolled_back():
            assert staff.post(reverse(ADD), form(code=typed)).status_code == 302
            assert Voucher.objects.get().code == "WELCOME-5"


def test_an_editor_makes_a_voucher_and_sees_form_errors(staff: Client) -> None:
    scope = {"scopes-TOTAL_FORMS": 1, "scopes-0-category": make_category().pk, "scopes-0-ORDER": 1}
    for wrong in (
        {"from_amount": "5"},
        {"kind": "percent", "value": "91"},
        {"code": "WEL COME"},
        {"ends_at": "2026-07-01 09:00"},
        {"kind": "percent", "value": "91", "ends_at": "2026-07-01 09:00"},
        {"scopes-0-brand": make_brand().pk},
    ):
        answer = staff.post(reverse(ADD), form(**scope | wrong))
        assert (answer.status_code, "Constraint “" in answer.content.decode()) == (200, False), wrong
        assert not Voucher.objects.exists()
    assert staff.post(reverse(ADD), form(**scope)).status_code == 302
    voucher = Voucher.objects.get()
    assert (voucher.code, voucher.taken, voucher.scopes.count()) == ("WELCOME-5", 0, 1)


def test_a_code_that_is_there_in_capital_letters_is_refused_in_small_ones(staff: Client) -> None:
    make_voucher(code="WELCOME-5")
    response = staff.post(reverse(ADD), form(code="welcome-5"))
    assert response.context["form"].errors == {"code": ["Voucher with this Code already exists."]}
    assert Voucher.objects.count() == 1


def test_a_code_with_other_characters_is_refused_in_words(staff: Client, subtests: pytest.Subtests) -> None:
    for code in ("abc", "A" * 33, "FIVE OFF", "五元优惠", "5_OFF", "-\n---"):
        for language, expected in (
            ("en", "4 to 32 letters A to Z, digits and hyphens."),
            ("zh-hans", "4 至 32 位：字母 A 至 Z、数字和连字符。"),
        ):
            with subtests.test(code=code, language=language, expected=expected), rolled_back():
                UserProfile.objects.create(user=User.objects.get(), preferred_language=language)
                # One row opens the whole screen.
                with nullcontext() if code == "abc" else only_refusals():
                    response: Any = staff.post(reverse(ADD), form(code=code))
                assert response.status_code == 200
                assert list(response.context_data["form"].errors) == ["code"]
                assert expected in response.content.decode()
                assert not Voucher.objects.exists()


def test_the_amount_from_which_a_voucher_is_valid_is_called_the_least_one(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for language, label in (("en", "Least amount, AUD"), ("zh-hans", "最低金额（澳元）")):
        with subtests.test(language=language, label=label), rolled_back():
            UserProfile.objects.create(user=User.objects.get(), preferred_language=language)
            assert label in staff.get(reverse(ADD)).content.decode()


def test_the_list_shows_in_words_which_vouchers_are_switched_on(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for is_active, word in ((True, "Yes"), (False, "No")):
        with subtests.test(is_active=is_active, word=word), rolled_back():
            make_voucher(is_active=is_active)
            [table] = staff.get(reverse("vouchers:index")).content.decode().split("<tbody>")[1:]
            assert re.search(rf"<td[^>]*>\s*{word}\s*</td>", table)


def test_what_a_voucher_is_for_is_not_deleted_or_it_would_be_for_everything(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for kind, make in (("brands", make_brand), ("categories", make_category)):
        with subtests.test(kind=kind, make=make), rolled_back():
            row = make()
            make_voucher("5.00", row)
            staff.post(reverse(f"{kind}:delete", args=[row.pk]))
            rows = type(row).objects.filter(pk=row.pk)
            with pytest.raises(ProtectedError):
                delete_rows(rows)
            assert rows.exists()
            assert VoucherScope.objects.exists()
