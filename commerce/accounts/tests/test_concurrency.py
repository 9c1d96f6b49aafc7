"""Many requests at once; on SQLite writers queue, on PostgreSQL they truly meet."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from commerce.accounts.models import CaptchaProof, CodePurpose, Customer, VerificationCode
from commerce.accounts.services import (
    add_address,
    check_pay_password,
    choose_default_address,
    pay_password,
    remove_address,
    send_code,
    set_pay_password,
    spend_ticket,
)
from commerce.accounts.services.codes import try_code
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import PASSWORD, make_customer, make_level
from commerce.messaging.models import Message
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits.models import RateLimitCounter
from commerce.rate_limits.services import RateLimit, consume, limit_and_key, reset
from core.errors import Err, ShopError
from core.ids import digest
from core.tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "new@example.com"


def together(count: int, work: Callable[[int], Any]) -> Counter[Any]:
    """Do work many times at once; counts what came out, refusals by their key."""
    outcomes = at_once(work, range(count), threads=20)
    return Counter(each.name if isinstance(each, Err) else each for each in outcomes)


def new_client() -> ApiClient:
    return ApiClient(Client())


def prepared_code(api: ApiClient) -> str:
    make_level()
    assert api.ask_code(NEW, "register").body["code"] == 0
    return messages()[-1]["code"]


def test_a_ticket_used_twenty_times_at_once_permits_one_use() -> None:
    ticket = new_client().ticket()
    assert together(20, lambda _: spend_ticket(ticket)) == {True: 1, False: 19}


def test_control_reading_and_then_spending_lets_a_ticket_permit_more_uses() -> None:
    ticket = new_client().ticket()

    def read_and_spend(_: int) -> bool:
        proof = CaptchaProof.objects.get(ticket_hash=digest(ticket))
        time.sleep(0.05)
        CaptchaProof.objects.filter(pk=proof.pk).update(used=True)
        return not proof.used

    assert together(4, read_and_spend)[True] > 1


def test_a_proof_sent_twenty_times_at_once_gives_one_ticket() -> None:
    payload = {"provider": "altcha", "payload": new_client().solve()}
    outcome = together(20, lambda _: new_client().call("POST", "common/scc", payload).body.get("reason"))
    assert outcome == {None: 1, "captcha_required": 19}
    assert CaptchaProof.objects.count() == 1


def test_an_account_gets_one_code_a_minute_from_any_number_of_calls_at_once() -> None:
    tickets = [new_client().ticket() for _ in range(10)]

    def ask(number: int) -> int:
        body = {"account": NEW, "purpose": "register", "ticket": tickets[number]}
        status: int = new_client().call("POST", "common/sendCode", body).status_code
        return status

    assert together(10, ask) == {200: 1, 429: 9}
    assert VerificationCode.objects.count() == Message.objects.count() == 1


def test_the_shops_limit_applies_to_many_networks_together() -> None:
    cap = RateLimit("code shop", maximum=50, window=timedelta(days=1))
    own = RateLimit("code network", maximum=20, window=timedelta(days=1))
    outcome = together(200, lambda n: consume((cap, ""), (own, f"10.0.0.{n}")))
    assert outcome == {None: 50, "too_frequent": 150}
    assert RateLimitCounter.objects.get(limit="code shop").count == 50
    assert RateLimitCounter.objects.filter(limit="code network").count() == 50


def test_two_registrations_at_once_make_one_account() -> None:
    body = {"account": NEW, "password": "314159", "code": prepared_code(new_client())}
    outcome = together(4, lambda _: new_client().call("POST", "register", body).body.get("reason"))
    assert outcome == {None: 1, "phone_registered": 3}
    assert Customer.objects.filter(account=NEW).count() == 1


def test_of_a_hundred_guesses_of_a_code_at_once_five_are_checked() -> None:
    right = prepared_code(new_client())
    wrong = f"{(int(right) + 1) % 10**6:06}"

    def guess(_: int) -> None:
        try_code(account=NEW, purpose=CodePurpose.register, code=wrong)

    assert together(100, guess) == {"verification_code_error": 100}
    assert VerificationCode.objects.get().tries_left == 0
    with pytest.raises(ShopError):
        try_code(account=NEW, purpose=CodePurpose.register, code=right)


def set_pay_passwords_with_one_code() -> Counter[Any]:
    """Set four pay passwords at once with one code; counts what came out."""
    customer = make_customer(account=NEW)
    send_code(account=NEW, purpose=CodePurpose.pay, network="203.0.113.1", language="en")
    code = messages()[-1]["code"]

    def set_one(number: int) -> None:
        set_pay_password(customer=customer, code=code, password=f"31415{number}")

    return together(4, set_one)


def test_a_code_used_four_times_at_once_sets_one_pay_password() -> None:
    assert set_pay_passwords_with_one_code() == {None: 1, "verification_code_error": 3}


def test_control_without_the_condition_postgresql_lets_a_code_set_more_pay_passwords(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_and_spend(row: VerificationCode) -> bool:
        row.refresh_from_db()
        time.sleep(0.1)
        VerificationCode.objects.filter(pk=row.pk).update(used=True)
        return not row.used

    monkeypatch.setattr(pay_password, "spend_code", read_and_spend)
    outcome = set_pay_passwords_with_one_code()
    # SQLite has one writer at a time, so it cannot show the race.
    assert (outcome[None] > 1) is (connection.vendor == "postgresql")


def test_of_a_hundred_pay_password_guesses_at_once_five_are_checked() -> None:
    customer = make_customer()
    outcome = together(100, lambda _: check_pay_password(customer=customer, password="000000"))
    assert outcome == {"password_wrong": 5, "too_frequent": 95}
    assert RateLimitCounter.objects.get(limit="pay password").count == 5


def test_of_a_hundred_logins_at_once_three_are_checked_without_a_ticket() -> None:
    make_customer(account=NEW)
    body = {"account": NEW, "password": "000000"}
    outcome = together(100, lambda _: new_client().call("POST", "login", body).body["reason"])
    assert outcome == {"account_or_password_wrong": 3, "captcha_required": 97}


def test_who_is_refused_while_a_success_unlocks_may_come_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No captcha is asked for where none counts."""
    once = (RateLimit("once", maximum=1, window=timedelta(hours=1)), "somebody")
    consume(once)
    first = QuerySet.first

    def first_after_success(rows: QuerySet[Any]) -> Any:
        reset(once)
        return first(rows)

    monkeypatch.setattr(QuerySet, "first", first_after_success)
    with pytest.raises(ShopError) as refusal:
        consume(once)
    assert (refusal.value.err, refusal.value.retry_after) == (Err.too_frequent, 1)


def test_control_reading_and_then_saving_checks_more_guesses() -> None:
    """The control: the same limit enforced by reading, deciding and saving does not hold."""
    limit, key = limit_and_key((RateLimit("naive", maximum=5, window=timedelta(days=1)), "x"))
    RateLimitCounter.objects.create(
        limit=limit.name, subject=key, window_ends_at=timezone.now() + limit.window
    )

    def read_decide_save(_: int) -> str:
        counter = RateLimitCounter.objects.get(limit=limit.name, subject=key)
        if counter.count >= limit.maximum:
            return "too_frequent"
        time.sleep(0.005)
        RateLimitCounter.objects.filter(pk=counter.pk).update(count=counter.count + 1)
        return "guessed"

    assert together(100, read_decide_save)["guessed"] > limit.maximum


def test_a_password_reset_ends_logins_that_begin_at_the_same_moment() -> None:
    customer = make_customer(account=NEW)
    assert new_client().ask_code(NEW, "reset").body["code"] == 0
    code = messages()[-1]["code"]

    def act(number: int) -> Any:
        if number == 0:
            body = {"account": NEW, "password": "new password", "code": code}
            return new_client().call("POST", "resetPassword", body).body["code"]
        body = {"account": NEW, "password": PASSWORD}
        new_client().call("POST", "login", body, REMOTE_ADDR=f"203.0.113.{number}")
        return "tried"

    assert together(8, act)[0] == 1
    assert not customer.tokens.exists()


def test_first_addresses_created_at_once_have_one_default() -> None:
    customer = make_customer()
    place = {
        "contacts": "Li Wei",
        "contact_phone": "+61412345678",
        "country_name": "Australia",
        "address_detail": "1 Hay Street",
        "city_name": "",
        "zip_code": "6000",
    }

    def add(number: int) -> None:
        add_address(customer=customer, values=place, make_default=number % 2 == 0)

    assert together(12, add) == {None: 12}
    assert customer.addresses.filter(is_default=True).count() == 1
    ids = list(customer.addresses.values_list("pk", flat=True))

    def stir(number: int) -> None:
        if number % 3:
            choose_default_address(customer=customer, address_id=ids[number])
        else:
            remove_address(customer=customer, address_id=ids[number])

    together(12, stir)
    assert customer.addresses.count() == 8
    assert customer.addresses.filter(is_default=True).count() == 1
