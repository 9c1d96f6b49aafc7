from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.passwords import hash_password, matches
from commerce.accounts.services import check_pay_password
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import PASSWORD, auth_headers, make_customer
from commerce.rate_limits.models import RateLimitCounter
from core.clock import moment_text
from core.errors import Err, ShopError
from core.tests.refusals import refusal

pytestmark = pytest.mark.django_db


def refusal_of(customer: Customer, password: str) -> ShopError | None:
    try:
        check_pay_password(customer=customer, password=password)
    except ShopError as error:
        return error
    return None


def test_password_hashes_cannot_be_checked_without_the_secret_key(settings: LazySettings) -> None:
    stored = hash_password("888888")
    assert matches("888888", stored)
    settings.PASSWORD_PEPPER = "another"
    assert not matches("888888", stored)


def test_an_empty_hash_matches_no_password() -> None:
    assert not matches("", "")
    assert not matches(PASSWORD, "")


def test_reset_sets_the_password_ends_every_login_and_clears_failures(api: ApiClient) -> None:
    customer = make_customer()
    old = auth_headers(customer)["token"]
    for _ in range(3):
        api.call("POST", "login", {"account": customer.account, "password": "000000"})
    body = {
        "account": customer.account,
        "password": "new password",
        "code": api.code(customer.account, "reset"),
    }
    assert api.call("POST", "resetPassword", body).body == {"code": 0, "msg": "", "result": 1}
    for password, code in ((PASSWORD, 1), ("new password", 0)):
        login = {"account": customer.account, "password": password}
        assert api.call("POST", "login", login).body["code"] == code
    assert api.call("POST", "resetPassword", body).body["reason"] == "verification_code_error"
    api.token = old
    assert api.call("POST", "logout").body["code"] == 1001


def test_reset_answers_the_same_for_an_unknown_account(api: ApiClient) -> None:
    customer = make_customer()
    answers = []
    for account in (customer.account, "unknown@example.com"):
        api.ask_code(account, "reset")
        body = {"account": account, "password": "new password", "code": "000000"}
        answers.append(api.call("POST", "resetPassword", body).content)
    assert answers[0] == answers[1]
    customer.refresh_from_db()
    assert matches(PASSWORD, customer.password)


def test_reset_by_a_code_for_something_else_changes_nothing(api: ApiClient) -> None:
    customer = make_customer()
    api.token = auth_headers(customer)["token"]
    code = api.code(customer.account, "pay")
    body = {"account": customer.account, "password": "new password", "code": code}
    assert api.call("POST", "resetPassword", body).body["reason"] == "verification_code_error"
    assert api.call("POST", "logout").body["code"] == 0


def test_a_weak_new_password_is_refused(api: ApiClient) -> None:
    customer = make_customer()
    code = api.code(customer.account, "reset")
    body = {"account": customer.account, "password": "short", "code": code}
    assert api.call("POST", "resetPassword", body).body["fields"] == {"password": "parameter_error"}
    assert api.call("POST", "resetPassword", body | {"password": "314159"}).body["code"] == 0


def test_the_login_password_changes_by_the_old_one_and_ends_the_other_logins(api: ApiClient) -> None:
    customer = make_customer()
    other = auth_headers(customer)["token"]
    api.token = auth_headers(customer)["token"]
    body = {"oldPassword": PASSWORD, "password": "new password"}
    assert api.call("PUT", "setting/login/password", body).body == {"code": 0, "msg": "", "result": 1}
    wrong = api.call("PUT", "setting/login/password", body).body
    assert (wrong["reason"], wrong["fields"]) == ("old_password_wrong", {"oldPassword": "old_password_wrong"})
    api.token = other
    assert api.call("POST", "logout").body["code"] == 1001


def test_wrong_old_login_passwords_lock_it(api: ApiClient) -> None:
    api.token = auth_headers(make_customer())["token"]
    body = {"oldPassword": "000000", "password": "new password"}
    for _ in range(10):
        assert api.call("PUT", "setting/login/password", body).body["reason"] == "old_password_wrong"
    body = {"oldPassword": PASSWORD, "password": "new password"}
    assert api.call("PUT", "setting/login/password", body).status_code == 429


def test_the_first_pay_password_needs_a_code(api: ApiClient) -> None:
    customer = make_customer(pay_password="")
    api.token = auth_headers(customer)["token"]
    body: dict[str, Any] = {"oldPassword": PASSWORD, "password": "314159"}
    assert api.call("PUT", "setting/pay/password", body).body["reason"] == "verification_code_error"
    body = {"code": api.code(customer.account, "pay"), "password": "314159"}
    assert api.call("PUT", "setting/pay/password", body).body == {"code": 0, "msg": "", "result": 1}
    customer.refresh_from_db()
    assert refusal_of(customer, "314159") is None
    assert api.call("PUT", "setting/pay/password", body).body["reason"] == "verification_code_error"


def test_the_pay_password_changes_by_the_old_one(api: ApiClient) -> None:
    customer = make_customer()
    api.token = auth_headers(customer)["token"]
    wrong = api.call("PUT", "setting/pay/password", {"oldPassword": "000000", "password": "314159"}).body
    assert (wrong["reason"], wrong["fields"]) == ("old_password_wrong", {"oldPassword": "old_password_wrong"})
    right = api.call("PUT", "setting/pay/password", {"oldPassword": PASSWORD, "password": "314159"}).body
    assert right["code"] == 0
    customer.refresh_from_db()
    assert refusal_of(customer, "314159") is None


def test_a_pay_password_is_six_digits(api: ApiClient, subtests: pytest.Subtests) -> None:
    customer = make_customer()
    api.token = auth_headers(customer)["token"]
    for password in ("12345", "1234567", "abcdef", "１２３４５６", " 12345", ""):
        with subtests.test(password=password):
            body = {"oldPassword": PASSWORD, "password": password}
            answer = api.call("PUT", "setting/pay/password", body).body
            assert (answer["code"], answer["msg"]) == (1002, "密码必须为6位数字")
            with refusal(Err.password_format):
                check_pay_password(customer=customer, password=password)
            assert not RateLimitCounter.objects.filter(limit="pay password").exists()


def test_a_pay_password_without_proof_is_a_wrong_parameter(api: ApiClient, subtests: pytest.Subtests) -> None:
    api.token = auth_headers(make_customer())["token"]
    for body in ({}, {"password": "314159"}, {"password": 314159, "oldPassword": PASSWORD}):
        with subtests.test(body=body):
            assert api.call("PUT", "setting/pay/password", body).body["code"] == 1002


def test_the_pay_password_needs_a_login(api: ApiClient) -> None:
    body = {"oldPassword": PASSWORD, "password": "314159"}
    assert api.call("PUT", "setting/pay/password", body).status_code == 401
    assert api.call("PUT", "setting/login/password", body).status_code == 401


def test_five_wrong_pay_passwords_lock_it_for_a_day() -> None:
    customer = make_customer()
    start = timezone.now().replace(second=30)
    with time_machine.travel(start, tick=False):
        for _ in range(5):
            with refusal(Err.password_wrong):
                check_pay_password(customer=customer, password="000000")
        error = refusal_of(customer, PASSWORD)
        assert error is not None
        assert (error.err, error.retry_after) == (Err.too_frequent, 86_400)
        assert error.why is not None
        # Not the minute in which the lock still holds.
        assert moment_text(start + timedelta(days=1, minutes=1)) in error.why.en
    with time_machine.travel(start + timedelta(hours=23, minutes=59)):
        assert refusal_of(customer, PASSWORD) is not None
    with time_machine.travel(start + timedelta(hours=24)):
        assert refusal_of(customer, PASSWORD) is None


def test_the_right_pay_password_clears_the_count_of_wrong_ones() -> None:
    customer = make_customer()
    for _ in range(3):
        for _ in range(4):
            refusal_of(customer, "000000")
        assert refusal_of(customer, PASSWORD) is None


def test_a_code_unlocks_the_pay_password(api: ApiClient) -> None:
    customer = make_customer()
    api.token = auth_headers(customer)["token"]
    for _ in range(5):
        api.call("PUT", "setting/pay/password", {"oldPassword": "000000", "password": "314159"})
    locked = api.call("PUT", "setting/pay/password", {"oldPassword": PASSWORD, "password": "314159"})
    assert (locked.status_code, locked.body["reason"]) == (429, "too_frequent")
    assert int(locked.headers["Retry-After"]) > 86_000
    assert "is locked until" in locked.body["whyEn"]
    assert "已锁定至" in locked.body["why"]
    code = api.code(customer.account, "pay")
    answer = api.call("PUT", "setting/pay/password", {"code": code, "password": "314159"})
    assert answer.body["code"] == 0
    customer.refresh_from_db()
    assert refusal_of(customer, "314159") is None


def test_one_customers_guesses_do_not_lock_another_customer() -> None:
    one, other = make_customer(), make_customer()
    for _ in range(5):
        refusal_of(one, "000000")
    assert refusal_of(other, PASSWORD) is None


def test_without_a_pay_password_no_guess_is_right() -> None:
    with refusal(Err.password_wrong):
        check_pay_password(customer=make_customer(pay_password=""), password=PASSWORD)
