import logging
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from commerce.accounts.models import CaptchaProof, Customer, Message, Tally, VerificationCode
from commerce.accounts.tests.builders import auth_headers, make_customer
from commerce.accounts.tests.phone import Phone, messages

pytestmark = pytest.mark.django_db
NEW = "new@example.com"


def test_a_newcomer_gets_a_code_of_six_digits(phone: Phone) -> None:
    answer = phone.ask_code(" New@Example.com ", "register")
    assert (answer.status_code, answer.body) == (200, {"code": 0, "msg": "", "result": 1})
    (message,) = messages()
    assert message.keys() == {"to", "channel", "subject", "text", "code"}
    assert (message["to"], message["channel"]) == (NEW, "email")
    assert re.fullmatch(r"[0-9]{6}", message["code"])
    assert message["code"] in message["text"]


def test_a_mobile_number_gets_an_sms(phone: Phone) -> None:
    phone.ask_code("0412 345 678", "register")
    assert [(m["to"], m["channel"]) for m in messages()] == [("+61412345678", "sms")]


def test_the_code_is_kept_hashed_and_wiped_from_the_message_once_sent(phone: Phone) -> None:
    code = phone.code(NEW, "register")
    assert code not in VerificationCode.objects.get().code_hash
    message = Message.objects.get()
    assert (message.code, message.text) == ("", "")
    assert message.sent_at is not None


def test_whoever_has_an_account_already_is_told_so_without_a_code(phone: Phone) -> None:
    make_customer(account=NEW)
    phone.ask_code(NEW, "register")
    (message,) = messages()
    assert message["code"] == ""
    assert "already have an account" in message["text"]
    assert not re.search(r"[0-9]{6}", message["text"])


def test_to_nobody_nothing_is_sent(phone: Phone) -> None:
    phone.ask_code(NEW, "reset")
    assert messages() == []


@pytest.mark.parametrize("purpose", ["register", "reset", "pay"])
def test_the_answer_does_not_tell_whether_an_account_exists(phone: Phone, purpose: str) -> None:
    make_customer(account="known@example.com")
    known = phone.ask_code("known@example.com", purpose)
    unknown = phone.ask_code("unknown@example.com", purpose)
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    for account in ("known@example.com", "unknown@example.com"):
        again = phone.ask_code(account, purpose)
        assert (again.status_code, again.body["reason"]) == (429, "too_frequent")


@pytest.mark.parametrize("purpose", ["register", "reset", "pay"])
def test_the_work_does_not_tell_either(
    phone: Phone, purpose: str, django_assert_max_num_queries: Any
) -> None:
    make_customer(account="known@example.com")
    work = []
    for account in ("known@example.com", "unknown@example.com"):
        body = {"account": account, "purpose": purpose, "ticket": phone.ticket()}
        with django_assert_max_num_queries(100) as captured:
            phone.call("POST", "common/sendCode", body)
        work.append([re.sub(r"'[^']*'|\d+|NULL", "?", query["sql"]).split()[:4] for query in captured])
    assert work[0] == work[1]


@pytest.mark.parametrize("ticket", [None, "", "x" * 43, "x" * 101])
def test_without_a_ticket_nothing_happens(phone: Phone, ticket: Any) -> None:
    body = {"account": NEW, "purpose": "register"} | ({} if ticket is None else {"ticket": ticket})
    answer = phone.call("POST", "common/sendCode", body)
    assert answer.body["reason"] in {"captcha_required", "parameter_error"}
    assert not VerificationCode.objects.exists()
    assert not Message.objects.exists()


def test_a_ticket_is_good_for_one_code(phone: Phone) -> None:
    ticket = phone.ticket()
    first = {"account": NEW, "purpose": "register", "ticket": ticket}
    assert phone.call("POST", "common/sendCode", first).body["code"] == 0
    second = phone.call("POST", "common/sendCode", first | {"account": "other@example.com"})
    assert second.body["reason"] == "captcha_required"
    assert VerificationCode.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"account": ""},
        {"account": "x"},
        {"account": ["a@example.com"]},
        {"account": "+447400123456"},
        {"account": "+61893211234"},
        {"purpose": "steal"},
        {"purpose": None},
    ],
)
def test_a_wrong_parameter_is_refused_and_costs_no_ticket(phone: Phone, body: Any) -> None:
    wanted = {"account": NEW, "purpose": "register", "ticket": phone.ticket()} | body
    if not body:
        del wanted["account"]
    answer = phone.call("POST", "common/sendCode", wanted)
    assert (answer.status_code, answer.body["code"]) == (200, 1002)
    assert answer.body["fields"] == {next(iter(body), "account"): "parameter_error"}
    assert not VerificationCode.objects.exists()
    assert CaptchaProof.objects.get().used is False


@pytest.mark.parametrize("account", ["a\x00@example.com", "\ud800@example.com"])
def test_text_that_cannot_be_kept_is_refused(phone: Phone, account: str) -> None:
    answer = phone.ask_code(account, "register")
    assert (answer.status_code, answer.body["code"]) == (200, 1002)
    assert not VerificationCode.objects.exists()


def test_an_account_gets_one_code_a_minute_and_five_a_day(phone: Phone) -> None:
    start = timezone.now()
    for minute in range(5):
        with time_machine.travel(start + timedelta(minutes=minute, seconds=minute), tick=False):
            assert phone.ask_code(NEW, "register").status_code == 200
            soon = phone.ask_code(NEW, "register")
            assert (soon.status_code, soon.body["code"], soon.headers["Retry-After"]) == (429, 1, "60")
    with time_machine.travel(start + timedelta(hours=1), tick=False):
        refused = phone.ask_code(NEW, "register")
        assert refused.status_code == 429
        assert 22 * 3600 < int(refused.headers["Retry-After"]) <= 23 * 3600 + 1
        assert phone.ask_code("other@example.com", "register").status_code == 200
    with time_machine.travel(start + timedelta(hours=24, minutes=1)):
        assert phone.ask_code(NEW, "register").status_code == 200
    assert VerificationCode.objects.filter(account=NEW).count() == 6


def test_a_network_gets_twenty_codes_a_day(phone: Phone) -> None:
    for number in range(20):
        assert phone.ask_code(f"new{number}@example.com", "register").status_code == 200
    assert phone.ask_code("another@example.com", "register").status_code == 429
    elsewhere = phone.ask_code("another@example.com", "register", REMOTE_ADDR="203.0.113.9")
    assert elsewhere.status_code == 200
    assert VerificationCode.objects.count() == len(messages()) == 21


def test_the_whole_shop_has_a_cap(phone: Phone, settings: LazySettings) -> None:
    settings.CODES_PER_DAY = 3
    answers = [
        phone.ask_code(f"new{n}@example.com", "register", REMOTE_ADDR=f"203.0.113.{n}").status_code
        for n in range(5)
    ]
    assert answers == [200, 200, 200, 429, 429]
    assert len(messages()) == 3


def test_a_refused_code_counts_nowhere(phone: Phone) -> None:
    phone.ask_code(NEW, "register")
    before = sorted(Tally.objects.values_list("limit", "subject", "count"))
    phone.ask_code(NEW, "register")
    assert sorted(Tally.objects.values_list("limit", "subject", "count")) == before


def test_a_pay_code_goes_to_the_caller_only(phone: Phone) -> None:
    mine, other = make_customer(), make_customer()
    phone.token = auth_headers(mine)["token"]
    refused = phone.ask_code(other.account, "pay")
    assert (refused.body["code"], refused.body["fields"]) == (1002, {"account": "parameter_error"})
    assert messages() == []
    assert phone.ask_code(mine.account, "pay").status_code == 200
    assert messages()[-1]["to"] == mine.account


def test_a_junk_token_is_ignored(phone: Phone) -> None:
    customer = make_customer()
    phone.token = "junk"
    assert phone.ask_code(customer.account, "pay").body["code"] == 0


def test_the_text_speaks_the_readers_language(phone: Phone) -> None:
    phone.lang = "zh"
    phone.ask_code(NEW, "register")
    make_customer(account="known@example.com")
    phone.ask_code("known@example.com", "register")
    code, known = messages()
    assert "验证码" in code["text"]
    assert "验证码" in code["subject"]
    assert "已有" in known["text"]


def test_logs_tell_neither_code_nor_ticket(phone: Phone, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ticket = phone.ticket()
    phone.call("POST", "common/sendCode", {"account": NEW, "purpose": "register", "ticket": ticket})
    code = phone.code("second@example.com", "register")
    answer = phone.call(
        "POST", "register", {"account": "second@example.com", "password": "314159", "code": code}
    )
    assert answer.body["code"] == 0
    told = [record.getMessage() for record in caplog.records if record.name != "django.db.backends"]
    for secret in (ticket, code, "314159", answer.body["result"]["token"]):
        assert not any(secret in text for text in told)
    assert Customer.objects.get().account == "second@example.com"
