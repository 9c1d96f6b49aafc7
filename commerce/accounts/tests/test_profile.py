"""Nickname and language of an account, and which language its messages have (docs/product.md#language)."""

import pytest

from commerce.accounts.models import Customer
from commerce.accounts.services import change_profile
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import PASSWORD, auth_headers, make_customer
from commerce.messaging.tests.outbox import messages
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db

ENGLISH_TEXT, CHINESE_TEXT = "verification code", "验证码"


def profile(customer: Customer) -> tuple[str, str]:
    customer.refresh_from_db()
    return customer.nickname, customer.language


def test_what_is_sent_changes_and_the_rest_stays(api: ApiClient, subtests: pytest.Subtests) -> None:
    customer = make_customer(nickname="Mei", language="en")
    other = make_customer(nickname="Li", language="en")
    api.token = auth_headers(customer)["token"]
    for body, expected in (
        ({"nickname": " 小明 "}, ("小明", "en")),
        ({"nickname": ""}, ("", "en")),
        ({"nickname": "x" * 60, "language": "zh"}, ("x" * 60, "zh-hans")),
        ({"language": "zh"}, ("Mei", "zh-hans")),
        ({"nickname": None, "language": None}, ("Mei", "en")),
        ({}, ("Mei", "en")),
    ):
        with subtests.test(body=body, expected=expected), rolled_back():
            assert api.call("PUT", "setting/profile", body).body == {"code": 0, "msg": "", "result": 1}
            assert profile(customer) == expected
            assert profile(other) == ("Li", "en")
            result = api.call("GET", "user/userInfo").body["result"]
            assert (result["nickname"], result["language"]) == (expected[0], expected[1][:2])


def test_a_wrong_profile_is_refused_at_its_field_and_changes_nothing(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    customer = make_customer(nickname="Mei", language="en")
    api.token = auth_headers(customer)["token"]
    for body, field in (
        ({"nickname": "x" * 61, "language": "zh"}, "nickname"),
        ({"nickname": {}}, "nickname"),
        ({"nickname": "Li", "language": "fr"}, "language"),
        ({"nickname": "Li", "language": "zh-hans"}, "language"),
        ({"nickname": "Li", "language": ""}, "language"),
    ):
        with subtests.test(body=body, field=field):
            answer = api.call("PUT", "setting/profile", body).body
            assert (answer["code"], answer["fields"]) == (1002, {field: "parameter_error"})
            assert profile(customer) == ("Mei", "en")


def test_saving_a_customer_that_was_read_before_keeps_the_new_profile() -> None:
    customer = make_customer(nickname="Mei")
    change_profile(customer=customer, nickname="Li", language="zh-hans")
    customer.is_active = False
    customer.save()
    assert profile(customer) == ("Li", "zh-hans")


def test_the_first_login_stores_the_pages_language(api: ApiClient, subtests: pytest.Subtests) -> None:
    for stored, page, expected in (
        ("", "zh", "zh-hans"),
        ("", "en", "en"),
        ("", "", ""),
        ("en", "zh", "en"),
        ("zh-hans", "en", "zh-hans"),
    ):
        with subtests.test(stored=stored, page=page, expected=expected):
            customer = make_customer(language=stored)
            api.lang = page
            for password, code, language in (("000000", 1, stored), (PASSWORD, 0, expected)):
                body = {"account": customer.account, "password": password}
                assert api.call("POST", "login", body).body["code"] == code
                assert profile(customer)[1] == language


def test_a_registration_stores_the_pages_language(api: ApiClient) -> None:
    account = "new@example.com"
    api.lang = "zh"
    body = {"account": account, "password": "314159", "code": api.code(account, "register")}
    assert api.call("POST", "register", body).body["code"] == 0
    assert Customer.objects.get(account=account).language == "zh-hans"


def test_a_code_has_the_pages_language_or_else_that_of_the_account(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    for stored, page, expected in (
        ("zh-hans", "", CHINESE_TEXT),
        ("zh-hans", "en", ENGLISH_TEXT),
        ("en", "zh", CHINESE_TEXT),
        ("en", "", ENGLISH_TEXT),
        ("", "", ENGLISH_TEXT),
    ):
        for purpose in ("pay", "reset"):
            with subtests.test(stored=stored, page=page, expected=expected, purpose=purpose), rolled_back():
                customer = make_customer(language=stored)
                api.lang = page
                if purpose == "pay":
                    api.token = auth_headers(customer)["token"]
                assert api.ask_code(customer.account, purpose).body["code"] == 0
                assert expected in messages()[-1]["text"]
