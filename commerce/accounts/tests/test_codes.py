import logging
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from commerce.accounts.models import CaptchaProof, Customer, VerificationCode
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.messaging.models import Message
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits.models import RateLimitCounter
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db
NEW = "new@example.com"


def test_a_newcomer_gets_a_code_of_six_digits(api: ApiClient) -> None:
    answer = api.ask_code(" New@Example.com ", "register")
    assert (answer.status_code, answer.body) == (200, {"code": 0, "msg": "", "result": 1})
    (message,) = messages()
    assert message.keys() == {"to", "channel", "subject", "text", "code"}
    assert (message["to"], message["channel"]) == (NEW, "email")
    assert re.fullmatch(r"[0-9]{6}", message["code"])
    assert message["code"] in message["text"]


def test_a_mobile_number_gets_an_sms(api: ApiClient) -> None:
    api.ask_code("0412 345 678", "register")
    assert [(m["to"], m["channel"]) for m in messages()] == [("+61412345678", "sms")]


def test_the_code_is_stored_hashed_and_removed_from_the_message_once_sent(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    assert code not in VerificationCode.objects.get().code_hash
    message = Message.objects.get()
    assert (message.code, message.text) == ("", "")
    assert message.sent_at is not None


def test_an_existing_account_gets_a_message_without_a_code(api: ApiClient) -> None:
    make_customer(account=NEW)
    api.ask_code(NEW, "register")
    (message,) = messages()
    assert message["code"] == ""
    assert "already have an account" in message["text"]
    assert not re.search(r"[0-9]{6}", message["text"])


def test_an_unknown_account_is_sent_nothing(api: ApiClient) -> None:
    api.ask_code(NEW, "reset")
    assert messages() == []


def test_the_answer_does_not_reveal_whether_an_account_exists(
    api: ApiClient, subtests: pytest.Subtests
) -> None:
    make_customer(account="known@example.com")
    for purpose in ("register", "reset", "pay"):
        with subtests.test(purpose=purpose), rolled_back():
            known = api.ask_code("known@example.com", purpose)
            unknown = api.ask_code("unknown@example.com", purpose)
            assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
            for account in ("known@example.com", "unknown@example.com"):
                again = api.ask_code(account, purpose)
                assert (again.status_code, again.body["reason"]) == (429, "too_frequent")


@pytest.mark.parametrize("purpose", ["register", "reset", "pay"])
def test_the_work_done_does_not_reveal_whether_an_account_exists(
    api: ApiClient, purpose: str, django_assert_max_num_queries: Any
) -> None:
    make_customer(account="known@example.com")
    work = []
    for account in ("known@example.com", "unknown@example.com"):
        body = {"account": account, "purpose": purpose, "ticket": api.ticket()}
        with django_assert_max_num_queries(100) as captured:
            api.call("POST", "common/sendCode", body)
        work.append([re.sub(r"'[^']*'|\d+|NULL", "?", query["sql"]).split()[:4] for query in captured])
    assert work[0] == work[1]


def test_without_a_ticket_nothing_happens(api: ApiClient, subtests: pytest.Subtests) -> None:
    for ticket in (None, "", "x" * 43, "x" * 101):
        with subtests.test(ticket=ticket):
            body = {"account": NEW, "purpose": "register"} | ({} if ticket is None else {"ticket": ticket})
            answer = api.call("POST", "common/sendCode", body)
            assert answer.body["reason"] in {"captcha_required", "parameter_error"}
            assert not VerificationCode.objects.exists()
            assert not Message.objects.exists()


def test_a_ticket_is_valid_for_one_code(api: ApiClient) -> None:
    ticket = api.ticket()
    first = {"account": NEW, "purpose": "register", "ticket": ticket}
    assert api.call("POST", "common/sendCode", first).body["code"] == 0
    second = api.call("POST", "common/sendCode", first | {"account": "other@example.com"})
    assert second.body["reason"] == "captcha_required"
    assert VerificationCode.objects.count() == 1


def test_a_wrong_parameter_is_refused_and_costs_no_ticket(api: ApiClient, subtests: pytest.Subtests) -> None:
    for body, named in (
        ({}, "account"),
        ({"account": ""}, "account"),
        ({"account": "x"}, "account"),
        ({"account": ["a@example.com"]}, "account"),
        ({"account": "+61893211234"}, "account"),
        ({"account": "a\x00@example.com"}, None),
        ({"account": "\ud800@example.com"}, None),
        ({"purpose": "steal"}, "purpose"),
        ({"purpose": None}, "purpose"),
    ):
        with subtests.test(body=body), rolled_back():
            wanted = {"account": NEW, "purpose": "register", "ticket": api.ticket()} | body
            if not body:
                del wanted["account"]
            answer = api.call("POST", "common/sendCode", wanted)
            assert (answer.status_code, answer.body["code"]) == (200, 1002)
            assert answer.body.get("fields") == ({named: "parameter_error"} if named else None)
            assert not VerificationCode.objects.exists()
            assert CaptchaProof.objects.get().used is False


def test_codes_go_by_sms_to_the_countries_of_the_settings_alone(
    api: ApiClient, settings: LazySettings, subtests: pytest.Subtests
) -> None:
    for account, countries, reason in (
        ("+447400123456", {"AU", "CN"}, "sms_country"),
        ("+6591234567", {"AU", "CN"}, "sms_country"),
        ("+8613800000000", {"AU", "CN"}, None),
        ("0412 345 678", {"AU", "CN"}, None),
        ("0412 345 678", {"CN"}, "sms_country"),
        ("name@example.com", {"CN"}, None),
    ):
        with subtests.test(account=account, countries=countries, reason=reason), rolled_back():
            settings.SMS_COUNTRIES = frozenset(countries)
            wanted = {"account": account, "purpose": "register", "ticket": api.ticket()}
            answer = api.call("POST", "common/sendCode", wanted)
            if reason is None:
                assert answer.body["code"] == 0
                continue
            assert (answer.status_code, answer.body["code"], answer.body["reason"]) == (200, 1002, reason)
            assert answer.body["fields"] == {"account": reason}
            assert not VerificationCode.objects.exists()
            assert not Message.objects.exists()
            assert CaptchaProof.objects.get().used is False


def test_an_account_gets_one_code_a_minute_and_five_a_day(api: ApiClient) -> None:
    start = timezone.now()
    for minute in range(5):
        with time_machine.travel(start + timedelta(minutes=minute, seconds=minute), tick=False):
            assert api.ask_code(NEW, "register").status_code == 200
            soon = api.ask_code(NEW, "register")
            assert (soon.status_code, soon.body["code"], soon.headers["Retry-After"]) == (429, 1, "60")
    with time_machine.travel(start + timedelta(hours=1), tick=False):
        refused = api.ask_code(NEW, "register")
        assert refused.status_code == 429
        assert 22 * 3600 < int(refused.headers["Retry-After"]) <= 23 * 3600 + 1
        assert api.ask_code("other@example.com", "register").status_code == 200
    with time_machine.travel(start + timedelta(hours=24, minutes=1)):
        assert api.ask_code(NEW, "register").status_code == 200
    assert VerificationCode.objects.filter(account=NEW).count() == 6


def test_a_newcomer_gets_a_code_for_the_pay_password_right_after_registering(api: ApiClient) -> None:
    code = api.code(NEW, "register")
    wrong = "000000" if code != "000000" else "111111"
    registration = {"account": NEW, "password": "a long password"}
    assert api.call("POST", "register", registration | {"code": wrong}).body["code"] != 0
    # An unused code also delays the next one.
    assert api.ask_code(NEW, "pay").status_code == 429
    assert api.call("POST", "register", registration | {"code": code}).body["code"] == 0
    assert api.ask_code(NEW, "pay").status_code == 200
    assert api.ask_code(NEW, "pay").status_code == 429
    assert VerificationCode.objects.filter(account=NEW).count() == 2


def test_used_codes_count_towards_the_five_a_day(api: ApiClient) -> None:
    make_customer(account=NEW)
    for _number in range(5):
        code = api.code(NEW, "reset")
        body = {"account": NEW, "code": code, "password": "a long password"}
        assert api.call("POST", "resetPassword", body).body["code"] == 0
        api.client.cookies.clear()
    assert api.ask_code(NEW, "reset").status_code == 429


def test_a_network_gets_twenty_codes_a_day(api: ApiClient) -> None:
    for number in range(20):
        assert api.ask_code(f"new{number}@example.com", "register").status_code == 200
    assert api.ask_code("another@example.com", "register").status_code == 429
    elsewhere = api.ask_code("another@example.com", "register", REMOTE_ADDR="203.0.113.9")
    assert elsewhere.status_code == 200
    assert VerificationCode.objects.count() == len(messages()) == 21


def test_the_addresses_of_one_ipv6_network_count_together(api: ApiClient) -> None:
    for number in range(20):
        address = f"2001:db8:1:2:{number:x}::1"
        assert api.ask_code(f"new{number}@example.com", "register", REMOTE_ADDR=address).status_code == 200
    same, other = (
        api.ask_code("another@example.com", "register", REMOTE_ADDR=address).status_code
        for address in ("2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    )
    assert (same, other) == (429, 200)
    assert VerificationCode.objects.count() == 21


def test_the_whole_shop_has_a_daily_limit(api: ApiClient, settings: LazySettings) -> None:
    settings.CODES_PER_DAY = 3
    answers = [
        api.ask_code(f"new{n}@example.com", "register", REMOTE_ADDR=f"203.0.113.{n}").status_code
        for n in range(5)
    ]
    assert answers == [200, 200, 200, 429, 429]
    assert len(messages()) == 3


def test_a_refused_code_counts_towards_no_limit(api: ApiClient) -> None:
    api.ask_code(NEW, "register")
    before = sorted(RateLimitCounter.objects.values_list("limit", "subject", "count"))
    api.ask_code(NEW, "register")
    assert sorted(RateLimitCounter.objects.values_list("limit", "subject", "count")) == before


def test_a_pay_code_goes_to_the_caller_only(api: ApiClient) -> None:
    mine, other = make_customer(), make_customer()
    api.token = auth_headers(mine)["token"]
    refused = api.ask_code(other.account, "pay")
    assert (refused.body["code"], refused.body["fields"]) == (1002, {"account": "parameter_error"})
    assert messages() == []
    assert api.ask_code(mine.account, "pay").status_code == 200
    assert messages()[-1]["to"] == mine.account


def test_an_invalid_token_is_ignored(api: ApiClient) -> None:
    customer = make_customer()
    api.token = "junk"
    assert api.ask_code(customer.account, "pay").body["code"] == 0


def test_the_text_is_in_the_readers_language(api: ApiClient) -> None:
    api.lang = "zh"
    api.ask_code(NEW, "register")
    make_customer(account="known@example.com")
    api.ask_code("known@example.com", "register")
    code, known = messages()
    assert "验证码" in code["text"]
    assert "验证码" in code["subject"]
    assert "已有" in known["text"]


def test_logs_hold_neither_code_nor_ticket(api: ApiClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ticket = api.ticket()
    api.call("POST", "common/sendCode", {"account": NEW, "purpose": "register", "ticket": ticket})
    code = api.code("second@example.com", "register")
    body = {"account": "second@example.com", "password": "314159", "code": code}
    answer = api.call("POST", "register", body)
    assert answer.body["code"] == 0
    logged = [record.getMessage() for record in caplog.records if record.name != "django.db.backends"]
    for secret in (ticket, code, "314159", answer.body["result"]["token"]):
        assert not any(secret in text for text in logged)
    assert Customer.objects.get().account == "second@example.com"
