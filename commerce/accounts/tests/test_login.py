from datetime import timedelta
from itertools import product
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from commerce.accounts.models import AuthToken
from commerce.accounts.passwords import hash_password
from commerce.accounts.services import customer_of_token, tokens
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import ACCOUNT, PASSWORD, RIGHT, WRONG, auth_headers, make_customer
from commerce.accounts.tests.test_busy import ticket_after_three_failures
from core.tests.rows import stored

pytestmark = pytest.mark.django_db


def log_in(api: ApiClient, body: Any, *, ticket: bool = False, **extra: Any) -> Any:
    if ticket:
        body = body | {"ticket": api.ticket()}
    return api.call("POST", "login", body, **extra)


def test_the_right_password_logs_in(api: ApiClient) -> None:
    customer = make_customer(account=ACCOUNT, nickname="Li", level_id=3)
    result = log_in(api, RIGHT | {"account": "  Demo@EXAMPLE.com "}).body["result"]
    api.token = result.pop("token")
    assert result == {"nickname": "Li", "level": 3, "account": ACCOUNT}
    assert len(api.token) >= 43
    assert stored(customer, "last_login_at") is not None


def test_a_local_number_logs_in(api: ApiClient) -> None:
    make_customer(account="+61412345678")
    assert log_in(api, {"account": "0412 345 678", "password": PASSWORD}).body["code"] == 0


def test_an_empty_account_or_password_is_named(api: ApiClient, subtests: pytest.Subtests) -> None:
    for body in ({}, {"account": "", "password": "x"}, {"account": "x"}, {"account": " ", "password": " "}):
        with subtests.test(body=body):
            answer = log_in(api, body).body
            assert (answer["code"], answer["reason"]) == (1002, "account_or_password_empty")


def test_wrong_account_and_wrong_password_get_the_same_answer(api: ApiClient) -> None:
    make_customer(account=ACCOUNT)
    bodies = [WRONG, WRONG | {"account": "unknown@example.com"}, WRONG | {"account": "no account at all"}]
    answers = [log_in(api, body) for body in bodies]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert (answers[0].body["code"], answers[0].body["msg"]) == (1, "账号或密码错误")
    assert not AuthToken.objects.exists()


class CountingHasher(MD5PasswordHasher):
    """A quick hasher, whose comparison hashes too, that counts how often it hashes."""

    hashed = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.hashed += 1
        return super().encode(password, salt)


# The time itself is measured by the chaos test `login_timing`.
def test_a_wrong_password_is_hashed_once_whether_the_account_exists_or_not(
    api: ApiClient, settings: LazySettings
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    make_customer(account=ACCOUNT, password=hash_password(PASSWORD))
    for account in (ACCOUNT, "unknown@example.com", "no account at all"):
        before = CountingHasher.hashed
        log_in(api, WRONG | {"account": account})
        assert CountingHasher.hashed - before == 1, account


def test_a_login_counts_and_forgets_its_guess_by_one_statement_for_each_limit(api: ApiClient) -> None:
    make_customer(account=ACCOUNT)
    with CaptureQueriesContext(connection) as done:
        log_in(api, RIGHT)
    on_counters = [each["sql"].split()[0] for each in done if "ratelimitcounter" in each["sql"]]
    assert on_counters == ["INSERT"] * 3 + ["UPDATE"] * 3


def test_after_three_failures_a_ticket_is_needed(api: ApiClient) -> None:
    ticket_after_three_failures(api)
    for body in (WRONG, RIGHT, RIGHT | {"ticket": "x" * 43}):
        answer = log_in(api, body)
        found = (answer.status_code, answer.body["code"], answer.body["reason"])
        assert found == (200, 1, "captcha_required")
    assert log_in(api, RIGHT, ticket=True).body["code"] == 0
    assert log_in(api, RIGHT).body["code"] == 0


def test_a_ticket_is_valid_for_one_login(api: ApiClient) -> None:
    ticket = ticket_after_three_failures(api)
    assert log_in(api, WRONG | {"ticket": ticket}).body["reason"] == "account_or_password_wrong"
    assert log_in(api, RIGHT | {"ticket": ticket}).body["reason"] == "captcha_required"


def test_unknown_accounts_need_a_ticket_after_as_many_failures(api: ApiClient) -> None:
    reasons = [log_in(api, WRONG).body["reason"] for _ in range(4)]
    assert reasons == ["account_or_password_wrong"] * 3 + ["captcha_required"]


def test_ten_failures_lock_for_a_quarter_of_an_hour(api: ApiClient) -> None:
    make_customer(account=ACCOUNT)
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        for _ in range(10):
            assert log_in(api, WRONG, ticket=True).body["reason"] == "account_or_password_wrong"
        locked = log_in(api, RIGHT, ticket=True)
        found = (locked.status_code, locked.body["code"], locked.body["msg"])
        assert found == (429, 1, "操作过于频繁，请稍后再试")
        assert locked.headers["Retry-After"] == "900"
    with time_machine.travel(start + timedelta(minutes=14, seconds=59), tick=False):
        assert log_in(api, RIGHT, ticket=True).headers["Retry-After"] == "1"
    assert not AuthToken.objects.exists()
    with time_machine.travel(start + timedelta(minutes=15), tick=False):
        assert log_in(api, RIGHT, ticket=True).body["code"] == 0
        assert log_in(api, WRONG).body["reason"] == "account_or_password_wrong"


def test_after_a_lock_one_more_failure_locks_again(api: ApiClient) -> None:
    make_customer(account=ACCOUNT)
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        for _ in range(10):
            log_in(api, WRONG, ticket=True)
    with time_machine.travel(start + timedelta(minutes=16), tick=False):
        assert log_in(api, WRONG, ticket=True).body["reason"] == "account_or_password_wrong"
        assert log_in(api, RIGHT, ticket=True).status_code == 429


def test_guesses_from_another_network_do_not_lock_the_owner_out(api: ApiClient) -> None:
    make_customer(account=ACCOUNT)
    for _ in range(10):
        log_in(api, WRONG, ticket=True, REMOTE_ADDR="203.0.113.9")
    assert log_in(api, RIGHT, ticket=True, REMOTE_ADDR="203.0.113.9").status_code == 429
    assert log_in(api, RIGHT, ticket=True, REMOTE_ADDR="198.51.100.1").body["code"] == 0


def test_guesses_from_many_networks_lock_the_account(api: ApiClient) -> None:
    make_customer(account=ACCOUNT)
    for guess in range(30):
        log_in(api, WRONG, ticket=True, REMOTE_ADDR=f"203.0.113.{guess}")
    assert log_in(api, RIGHT, ticket=True, REMOTE_ADDR="198.51.100.1").status_code == 429


def test_a_network_that_guesses_at_many_accounts_is_blocked(api: ApiClient) -> None:
    reasons = [
        log_in(api, {"account": f"guess{n}@example.com", "password": "000000"}).body["reason"]
        for n in range(31)
    ]
    assert reasons == ["account_or_password_wrong"] * 30 + ["captcha_required"]


def test_a_disabled_account_is_revealed_after_the_right_password_only(api: ApiClient) -> None:
    make_customer(account=ACCOUNT, is_active=False)
    assert log_in(api, WRONG).body["reason"] == "account_or_password_wrong"
    answer = log_in(api, RIGHT).body
    assert (answer["code"], answer["msg"]) == (1, "账号异常，请联系管理员")
    assert not AuthToken.objects.exists()


def test_malformed_values_are_a_parameter_error(api: ApiClient, subtests: pytest.Subtests) -> None:
    malformed: list[Any] = ["\x00", "\ud800", {}, [], 1.5, True, None, "x" * 30_000]
    for field, junk in product(("account", "password", "ticket"), malformed):
        with subtests.test(field=field, junk=junk):
            answer = log_in(api, RIGHT | {field: junk})
            assert (answer.status_code, answer.body["code"]) == (200, 1002)


def test_logout_ends_this_token_only(api: ApiClient) -> None:
    customer = make_customer()
    other = auth_headers(customer)["token"]
    api.token = auth_headers(customer)["token"]
    assert api.call("POST", "logout").body == {"code": 0, "msg": "", "result": 1}
    dead = api.call("POST", "logout")
    assert (dead.status_code, dead.body["code"], dead.body["msg"]) == (200, 1001, "登录失效，请重新登录")
    api.token = other
    assert api.call("POST", "setting/deliveryAddressNew", {}).body["code"] == 0


def test_beyond_fifty_logins_the_one_that_was_not_used_for_longest_ends(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MAX_LOGINS", 3)
    customer, other = make_customer(), make_customer()
    others = auth_headers(other)["token"]
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        used, unused = auth_headers(customer)["token"], auth_headers(customer)["token"]
        clock.shift(timedelta(days=2))
        assert customer_of_token(used) == customer
        fresh = [auth_headers(customer)["token"] for _ in range(2)]
        assert customer_of_token(unused) is None
        assert [customer_of_token(token) for token in (used, *fresh)] == [customer] * 3
        assert customer_of_token(others) == other


def test_logout_without_a_token_is_401(api: ApiClient) -> None:
    answer = api.call("POST", "logout")
    found = (answer.status_code, answer.body["msg"], answer.body["reason"])
    assert found == (401, "请先登录", "login_required")


def test_a_used_token_is_renewed_for_thirty_days_up_to_a_hundred_and_eighty(api: ApiClient) -> None:
    customer = make_customer()
    start = timezone.now()
    api.token = auth_headers(customer)["token"]
    for day in range(0, 180, 29):
        with time_machine.travel(start + timedelta(days=day)):
            assert api.call("POST", "setting/deliveryAddressNew", {}).body["code"] == 0
    with time_machine.travel(start + timedelta(days=180, minutes=1)):
        assert api.call("POST", "setting/deliveryAddressNew", {}).body["code"] == 1001


def test_an_unused_token_expires_after_thirty_days(api: ApiClient) -> None:
    api.token = auth_headers(make_customer())["token"]
    with time_machine.travel(timezone.now() + timedelta(days=30, minutes=1)):
        assert api.call("POST", "setting/deliveryAddressNew", {}).body["code"] == 1001
