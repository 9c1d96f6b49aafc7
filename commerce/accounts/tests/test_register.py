from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from commerce.accounts.models import AuthToken, CodePurpose, Customer, MemberLevel, VerificationCode
from commerce.accounts.services.codes import try_code
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import make_customer
from core.errors import ShopError
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db
NEW = "new@example.com"


def wrong_code(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def test_a_code_makes_an_account_and_logs_in(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    body = {"account": " NEW@example.com", "password": "314159", "code": code, "nickname": " 小明 "}
    answer = api.call("POST", "register", body)
    result = answer.body["result"]
    token = result.pop("token")
    assert (answer.body["code"], result) == (0, {"nickname": "小明", "level": 1, "account": NEW})
    customer = Customer.objects.get()
    assert customer.password.startswith("argon2")
    assert customer.pay_password == ""
    assert token not in AuthToken.objects.get().token_hash
    api.token = token
    assert api.call("POST", "logout").body["code"] == 0
    api.token = ""
    assert api.call("POST", "login", {"account": NEW, "password": "314159"}).body["code"] == 0


def test_a_mobile_number_makes_an_account(api: ApiClient) -> None:
    code = api.code("+61412345678", "register")
    body = {"account": "0412345678", "password": "a long password", "code": code}
    assert api.call("POST", "register", body).body["result"]["account"] == "+61412345678"


def test_a_code_works_once_and_a_second_registration_gets_an_error(api: ApiClient) -> None:
    body = {"account": NEW, "password": "314159", "code": api.code(NEW, "register")}
    assert api.call("POST", "register", body).body["code"] == 0
    again = api.call("POST", "register", body | {"password": "271828"}).body
    assert (again["code"], again["reason"], again["msg"]) == (1, "phone_registered", "手机号已注册")
    assert Customer.objects.count() == 1
    assert api.call("POST", "login", {"account": NEW, "password": "314159"}).body["code"] == 0


def test_a_used_code_makes_no_second_account(api: ApiClient) -> None:
    body = {"account": NEW, "password": "314159", "code": api.code(NEW, "register")}
    api.call("POST", "register", body)
    Customer.objects.all().delete()
    assert api.call("POST", "register", body).body["reason"] == "verification_code_error"
    assert not Customer.objects.exists()


def test_without_a_right_code_the_answer_does_not_reveal_an_account(api: ApiClient) -> None:
    make_customer(account="known@example.com")
    answers = []
    for account in ("known@example.com", "unknown@example.com"):
        api.ask_code(account, "register")
        body = {"account": account, "password": "314159", "code": "000000"}
        answers.append(api.call("POST", "register", body).content)
    assert answers[0] == answers[1]
    assert Customer.objects.count() == 1


def test_the_right_code_makes_an_account_at_the_fifth_try_and_not_after_five_wrong_ones(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    code = api.code(NEW, "register")
    body = {"account": NEW, "password": "314159"}
    for wrong_ones, reason in ((4, None), (5, "verification_code_error")):
        with subtests.test(wrong_ones=wrong_ones), rolled_back():
            for _ in range(wrong_ones):
                answer = api.call("POST", "register", body | {"code": wrong_code(code)}).body
                assert (answer["code"], answer["reason"]) == (1, "verification_code_error")
                assert answer["fields"] == {"code": "verification_code_error"}
            assert api.call("POST", "register", body | {"code": code}).body.get("reason") == reason
            assert Customer.objects.exists() is (reason is None)


def test_a_code_expires_after_ten_minutes(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    with time_machine.travel(timezone.now() + timedelta(minutes=10, seconds=1)):
        answer = api.call("POST", "register", {"account": NEW, "password": "314159", "code": code})
    assert answer.body["reason"] == "verification_code_error"


def test_only_the_newest_code_works(api: ApiClient) -> None:
    old = api.code(NEW, "register")
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        new = api.code(NEW, "register")
        body = {"account": NEW, "password": "314159"}
        assert old == new or api.call("POST", "register", body | {"code": old}).body["code"] == 1
        assert api.call("POST", "register", body | {"code": new}).body["code"] == 0


def test_a_code_is_valid_for_its_account_and_purpose_only(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    for account, purpose in (
        (NEW, CodePurpose.reset),
        (NEW, CodePurpose.pay),
        ("other@example.com", CodePurpose.register),
    ):
        with pytest.raises(ShopError):
            try_code(account=account, purpose=purpose, code=code)
    assert VerificationCode.objects.get().tries_left == 5


def test_a_weak_password_is_refused_and_costs_no_code(api: ApiClient, subtests: pytest.Subtests) -> None:
    code = api.code(NEW, "register")
    for password in ("12345", "abcdef", "password", "qwertyuiop", "１２３４５６", "x" * 129, "12345a"):
        with subtests.test(password=password):
            answer = api.call("POST", "register", {"account": NEW, "password": password, "code": code}).body
            assert (answer["code"], answer["fields"]) == (1002, {"password": "parameter_error"})
            is_short = "too short: use 6 digits, or at least 7 characters" in answer.get("whyEn", "")
            assert is_short is ("密码太短" in answer.get("why", "")) is (len(password) < 7)
            assert not Customer.objects.exists()
            assert VerificationCode.objects.get().tries_left == 5


def test_six_digits_or_anything_longer_is_accepted_as_a_password(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    code = api.code(NEW, "register")
    for password in ("123456", "000000", "x7#kQ2p", " 密码很长很长 ", "y" * 128):
        with subtests.test(password=password), rolled_back():
            body = {"account": NEW, "password": password}
            assert api.call("POST", "register", body | {"code": code}).body["code"] == 0
            assert api.call("POST", "login", body).body["code"] == 0


def test_an_empty_account_or_password_is_named(api: ApiClient, subtests: pytest.Subtests) -> None:
    for body in ({}, {"account": ""}, {"account": "   "}, {"password": ""}):
        with subtests.test(body=body):
            wanted = ({"account": NEW, "password": "314159"} | body) if body else {}
            answer = api.call("POST", "register", wanted).body
            assert (answer["code"], answer["reason"]) == (1002, "account_or_password_empty")


def test_malformed_values_are_a_parameter_error(api: ApiClient, subtests: pytest.Subtests) -> None:
    code = api.code(NEW, "register")
    for body in (
        {"account": "no-address"},
        {"account": "a\x00@example.com"},
        {"nickname": "x" * 61},
        {"nickname": "\ud800"},
        {"code": "\x00"},
        {"code": [1]},
        {"password": 123456},
        b"not json",
        b"[]",
        b'{"account": "\xff"}',
    ):
        with subtests.test(body=body):
            right = {"account": NEW, "password": "314159", "code": code}
            answer = api.call("POST", "register", right | body if isinstance(body, dict) else body)
            assert (answer.status_code, answer.body["code"]) == (200, 1002)
            assert not Customer.objects.exists()


def test_without_the_base_level_no_customer_can_register(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    MemberLevel.objects.all().delete()
    answer = api.call("POST", "register", {"account": NEW, "password": "314159", "code": code}).body
    assert answer["reason"] == "level_missing"
    assert not Customer.objects.exists()


def test_fields_that_a_customer_may_not_set_are_ignored(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    own = {"account": NEW, "password": "314159", "code": code}
    answer = api.call("POST", "register", own | {"level": 3, "balance": 999, "is_active": False})
    assert answer.body["result"]["level"] == 1
    assert Customer.objects.get().is_active
