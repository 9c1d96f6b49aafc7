"""Many requests at once; on SQLite writers queue, on PostgreSQL they truly meet."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from commerce.accounts import guard
from commerce.accounts.addresses import add_address, choose_default, remove_address
from commerce.accounts.captcha import spend_ticket
from commerce.accounts.codes import try_code
from commerce.accounts.guard import Limit
from commerce.accounts.models import CaptchaProof, CodePurpose, Customer, Message, Tally, VerificationCode
from commerce.accounts.paypassword import check_pay_password
from commerce.accounts.tests.builders import PASSWORD, make_customer, make_level
from commerce.accounts.tests.phone import Phone, messages
from core.errors import ShopError

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "new@example.com"


def together(count: int, work: Callable[[int], Any], threads: int = 20) -> Counter[Any]:
    """Do work many times at once; counts what came out, refusals by their key."""
    gate = Barrier(min(count, threads))

    def one(number: int) -> Any:
        if number < threads:
            gate.wait()
        try:
            return work(number)
        except ShopError as error:
            return error.err.name
        finally:
            connection.close()

    with ThreadPoolExecutor(threads) as pool:
        return Counter(pool.map(one, range(count)))


def new_phone() -> Phone:
    return Phone(Client())


def prepared_code(phone: Phone) -> str:
    make_level()
    assert phone.ask_code(NEW, "register").body["code"] == 0
    return messages()[-1]["code"]


def test_a_ticket_opens_one_door_for_twenty_at_once() -> None:
    ticket = new_phone().ticket()
    assert together(20, lambda _: spend_ticket(ticket)) == {True: 1, False: 19}


def test_a_proof_is_exchanged_once_by_twenty_at_once() -> None:
    payload = {"provider": "altcha", "payload": new_phone().solve()}
    outcome = together(20, lambda _: new_phone().call("POST", "common/scc", payload).body.get("reason"))
    assert outcome == {None: 1, "captcha_required": 19}
    assert CaptchaProof.objects.count() == 1


def test_one_code_a_minute_whoever_asks_at_once() -> None:
    tickets = [new_phone().ticket() for _ in range(10)]

    def ask(number: int) -> int:
        body = {"account": NEW, "purpose": "register", "ticket": tickets[number]}
        status: int = new_phone().call("POST", "common/sendCode", body).status_code
        return status

    assert together(10, ask, threads=10) == {200: 1, 429: 9}
    assert VerificationCode.objects.count() == Message.objects.count() == 1


def test_the_shops_cap_holds_for_a_thousand_networks() -> None:
    cap = Limit("code shop", most=50, window=timedelta(days=1))
    own = Limit("code network", most=20, window=timedelta(days=1))
    outcome = together(1000, lambda n: guard.attempt((cap, ""), (own, f"10.0.{n // 256}.{n % 256}")))
    assert outcome == {None: 50, "too_frequent": 950}
    assert Tally.objects.get(limit="code shop").count == 50
    assert Tally.objects.filter(limit="code network").count() == 50


def test_two_registrations_make_one_account() -> None:
    body = {"account": NEW, "password": "314159", "code": prepared_code(new_phone())}
    outcome = together(4, lambda _: new_phone().call("POST", "register", body).body.get("reason"))
    assert outcome == {None: 1, "phone_registered": 3}
    assert Customer.objects.filter(account=NEW).count() == 1


def test_a_hundred_tries_of_a_code_are_five() -> None:
    right = prepared_code(new_phone())
    wrong = f"{(int(right) + 1) % 10**6:06}"

    def guess(_: int) -> None:
        try_code(account=NEW, purpose=CodePurpose.register, code=wrong)

    assert together(100, guess) == {"verification_code_error": 100}
    assert VerificationCode.objects.get().tries_left == 0
    with pytest.raises(ShopError):
        try_code(account=NEW, purpose=CodePurpose.register, code=right)


def test_a_hundred_pay_password_guesses_at_once_are_five() -> None:
    customer = make_customer()
    outcome = together(100, lambda _: check_pay_password(customer=customer, password="000000"))
    assert outcome == {"password_wrong": 5, "too_frequent": 95}
    assert Tally.objects.get(limit="pay password").count == 5


def test_a_hundred_logins_at_once_are_three_guesses_without_a_ticket() -> None:
    make_customer(account=NEW)
    body = {"account": NEW, "password": "000000"}
    outcome = together(100, lambda _: new_phone().call("POST", "login", body).body["reason"])
    assert outcome == {"account_or_password_wrong": 3, "captcha_required": 97}


def test_without_the_guard_far_more_guesses_pass() -> None:
    """The control: the same limit kept by reading, deciding and saving does not hold."""
    limit, key = guard.limit_and_key((Limit("naive", most=5, window=timedelta(days=1)), "x"))
    Tally.objects.create(limit=limit.name, subject=key, window_ends_at=timezone.now() + limit.window)

    def read_decide_save(_: int) -> str:
        tally = Tally.objects.get(limit=limit.name, subject=key)
        if tally.count >= limit.most:
            return "too_frequent"
        time.sleep(0.005)
        tally.count += 1
        tally.save()
        return "guessed"

    assert together(100, read_decide_save)["guessed"] > limit.most


def test_a_password_reset_ends_logins_that_begin_in_the_same_moment() -> None:
    customer = make_customer(account=NEW)
    assert new_phone().ask_code(NEW, "reset").body["code"] == 0
    code = messages()[-1]["code"]

    def act(number: int) -> Any:
        if number == 0:
            body = {"account": NEW, "password": "new password", "code": code}
            return new_phone().call("POST", "resetPassword", body).body["code"]
        body = {"account": NEW, "password": PASSWORD}
        new_phone().call("POST", "login", body, REMOTE_ADDR=f"203.0.113.{number}")
        return "tried"

    assert together(8, act)[0] == 1
    assert not customer.tokens.exists()


def test_first_addresses_at_once_have_one_default() -> None:
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
            choose_default(customer=customer, address_id=ids[number])
        else:
            remove_address(customer=customer, address_id=ids[number])

    together(12, stir)
    assert customer.addresses.count() == 8
    assert customer.addresses.filter(is_default=True).count() == 1
