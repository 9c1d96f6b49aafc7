"""Concurrent requests; on SQLite writers run one after the other, on PostgreSQL concurrently."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.db import IntegrityError, connection
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from commerce.accounts.devices import Device
from commerce.accounts.geetest import Solved
from commerce.accounts.models import (
    Address,
    AuthToken,
    CaptchaProof,
    CodePurpose,
    Customer,
    VerificationCode,
)
from commerce.accounts.passwords import matches
from commerce.accounts.services import (
    add_address,
    addresses,
    change_login_password,
    check_pay_password,
    issue_geetest_ticket,
    issue_ticket,
    issue_token,
    log_in,
    log_in_with_code,
    login,
    new_challenge,
    pay_password,
    remove_address,
    reset_password,
    send_code,
    set_pay_password,
    spend_ticket,
)
from commerce.accounts.services.codes import try_code
from commerce.accounts.tests.api_client import ApiClient, solved
from commerce.accounts.tests.builders import PASSWORD, PERTH, make_address, make_customer, make_level
from commerce.accounts.tests.fake_geetest import FakeGeetest
from commerce.accounts.tests.fake_geetest import solved as solved_at_geetest
from commerce.messaging.models import Message
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits.models import RateLimitCounter
from commerce.rate_limits.services import RateLimit, consume, limit_and_keys, reset
from core.errors import Err, ShopError
from core.ids import digest, new_secret
from core.tests.refusals import refusal
from core.tests.threads import before_commit, concurrently, start_concurrently

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "new@example.com"


def together(count: int, work: Callable[[int], Any]) -> Counter[Any]:
    """Call `work` many times concurrently; return the count of each outcome, refusals by their key."""
    outcomes = concurrently(work, range(count), threads=20)
    return Counter(each.name if isinstance(each, Err) else each for each in outcomes)


def new_client() -> ApiClient:
    return ApiClient(Client())


def prepared_code(api: ApiClient) -> str:
    make_level()
    assert api.ask_code(NEW, "register").body["code"] == 0
    return messages()[-1]["code"]


def send_prepared_code(purpose: CodePurpose) -> None:
    ticket = new_client().ticket()
    send_code(account=NEW, purpose=purpose, ticket=ticket, network="203.0.113.1", language="en")


def test_a_ticket_used_twenty_times_at_the_same_time_permits_one_use() -> None:
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


def send_a_proof_twice() -> list[str | Err | None]:
    payload = solved(new_challenge())
    return before_commit(lambda: issue_ticket(payload), lambda: issue_ticket(payload))


def test_a_proof_sent_twice_at_the_same_time_gives_one_ticket() -> None:
    assert send_a_proof_twice() == [None, Err.captcha_required]
    assert CaptchaProof.objects.count() == 1


def test_control_reading_and_then_storing_a_proof_postgresql_gives_two_tickets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    create = CaptchaProof.objects.create

    def read_and_store(**values: Any) -> CaptchaProof:
        if CaptchaProof.objects.exists():
            raise IntegrityError
        # With a hash of its own the constraint takes it for another proof.
        return create(**values | {"proof_hash": values["ticket_hash"]})

    monkeypatch.setattr(CaptchaProof.objects, "create", read_and_store)
    outcomes = send_a_proof_twice()
    # SQLite has one writer at a time, so it cannot show the race.
    assert (outcomes[1] != Err.captcha_required) is (connection.vendor == "postgresql")


def test_an_account_gets_one_code_a_minute_from_any_number_of_calls_at_the_same_time() -> None:
    tickets = [new_client().ticket() for _ in range(10)]

    def ask(number: int) -> int:
        body = {"account": NEW, "purpose": "register", "ticket": tickets[number]}
        status: int = new_client().call("POST", "common/sendCode", body).status_code
        return status

    assert together(10, ask) == {200: 1, 429: 9}
    assert VerificationCode.objects.count() == Message.objects.count() == 1


def test_a_lot_number_sent_twenty_times_at_the_same_time_gives_one_ticket(geetest: FakeGeetest) -> None:
    values = Solved(**solved_at_geetest())
    outcome = together(20, lambda _: bool(issue_geetest_ticket(values)))
    # A request that finds no slot to ask GeeTest must solve the embedded captcha.
    assert outcome.pop(True) == 1
    assert outcome.keys() <= {"captcha_required", "captcha_unavailable"}
    assert outcome["captcha_required"] >= 1
    assert CaptchaProof.objects.count() == 1


def test_a_thousand_calls_from_as_many_networks_for_as_many_accounts_stay_under_the_days_limit(
    settings: LazySettings,
) -> None:
    settings.CODES_PER_DAY = 50
    tickets = [new_secret() for _ in range(1000)]
    CaptchaProof.objects.bulk_create(
        CaptchaProof(
            proof_hash=digest(f"proof of {ticket}"),
            ticket_hash=digest(ticket),
            expires_at=timezone.now() + timedelta(minutes=10),
        )
        for ticket in tickets
    )

    def ask(number: int) -> None:
        # Every second one has an IPv6 network of its own.
        network = f"2001:db8:{number:x}::/64" if number % 2 else f"10.0.{number // 250}.{number % 250}"
        send_code(
            account=f"new{number}@example.com",
            purpose=CodePurpose.register,
            ticket=tickets[number],
            network=network,
            language="en",
        )

    assert together(1000, ask) == {None: 50, "too_frequent": 950}
    assert VerificationCode.objects.count() == Message.objects.count() == 50
    assert RateLimitCounter.objects.get(limit="code shop").count == 50
    # What was refused counts towards no limit, and its ticket stays good.
    sent = VerificationCode.objects.values_list("account", flat=True)
    counters = sum(3 if int(account[3:].partition("@")[0]) % 2 else 1 for account in sent)
    assert RateLimitCounter.objects.filter(limit="code network").count() == counters
    assert CaptchaProof.objects.filter(used=False).count() == 950


def test_concurrent_attempts_after_a_window_count_up_to_its_maximum() -> None:
    limit = RateLimit("window", maximum=3, window=timedelta(hours=1))
    now = timezone.now()
    with time_machine.travel(now - timedelta(hours=2)):
        for _ in range(limit.maximum):
            consume((limit, "me"))
    assert together(40, lambda _: consume((limit, "me"))) == {None: 3, "too_frequent": 37}


def test_two_registrations_at_the_same_time_make_one_account() -> None:
    body = {"account": NEW, "password": "314159", "code": prepared_code(new_client())}
    outcome = together(4, lambda _: new_client().call("POST", "register", body).body.get("reason"))
    assert outcome == {None: 1, "phone_registered": 3}
    assert Customer.objects.filter(account=NEW).count() == 1


def test_of_100_concurrent_guesses_of_a_code_five_are_checked() -> None:
    right = prepared_code(new_client())
    wrong = f"{(int(right) + 1) % 10**6:06}"

    def guess(_: int) -> None:
        try_code(account=NEW, purpose=CodePurpose.register, code=wrong)

    assert together(100, guess) == {"verification_code_error": 100}
    assert VerificationCode.objects.get().tries_left == 0
    with pytest.raises(ShopError):
        try_code(account=NEW, purpose=CodePurpose.register, code=right)


def set_pay_passwords_with_one_code() -> Counter[Any]:
    """Set four pay passwords concurrently with one code; counts the outcomes."""
    customer = make_customer(account=NEW)
    send_prepared_code(CodePurpose.pay)
    code = messages()[-1]["code"]

    def set_one(number: int) -> None:
        set_pay_password(customer=customer, code=code, password=f"31415{number}")

    return together(4, set_one)


def test_a_code_used_four_times_at_the_same_time_sets_one_pay_password() -> None:
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


def test_a_code_used_four_times_at_the_same_time_begins_one_login() -> None:
    customer = make_customer(account=NEW)
    send_prepared_code(CodePurpose.login)
    code = messages()[-1]["code"]

    def log_in(_: int) -> None:
        log_in_with_code(account=NEW, code=code)

    assert together(4, log_in) == {None: 1, "verification_code_error": 3}
    assert customer.tokens.count() == 1


def test_of_100_concurrent_pay_password_guesses_five_are_checked() -> None:
    customer = make_customer()
    outcome = together(100, lambda _: check_pay_password(customer=customer, password="000000"))
    assert outcome == {"password_wrong": 5, "too_frequent": 95}
    assert RateLimitCounter.objects.get(limit="pay password").count == 5


def test_of_100_concurrent_logins_three_are_checked_without_a_ticket() -> None:
    make_customer(account=NEW)
    body = {"account": NEW, "password": "000000"}
    outcome = together(100, lambda _: new_client().call("POST", "login", body).body["reason"])
    assert outcome == {"account_or_password_wrong": 3, "captcha_required": 97}


def test_a_success_that_unlocks_during_a_refusal_comes_after_the_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No captcha is asked for where none counts."""
    guess = (RateLimit("once", maximum=1, window=timedelta(hours=1), free_attempts=1), "a customer")
    consume(guess)
    aggregate, successes = QuerySet.aggregate, []

    def aggregate_during_success(rows: QuerySet[Any], **which: Any) -> Any:
        successes.append(start_concurrently(lambda: reset(guess)))
        return aggregate(rows, **which)

    monkeypatch.setattr(QuerySet, "aggregate", aggregate_during_success)
    with refusal(Err.too_frequent):
        consume(guess)
    assert [success.result(20) for success in successes] == [None]
    consume(guess)


def test_control_reading_and_then_saving_checks_more_guesses() -> None:
    """The control: the same limit enforced by reading, deciding and saving does not hold."""
    limit, [key] = limit_and_keys((RateLimit("naive", maximum=5, window=timedelta(days=1)), "x"))
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


def prepared_reset() -> Callable[[], None]:
    """Make a customer with a code to reset the password; returns the reset."""
    make_customer(account=NEW)
    network = "203.0.113.1"
    send_prepared_code(CodePurpose.reset)
    code = messages()[-1]["code"]

    def reset() -> None:
        reset_password(account=NEW, password="new password", code=code, network=network)

    return reset


def log_in_with_the_old_password() -> None:
    log_in(account=NEW, password=PASSWORD, ticket="", network="203.0.113.2")


def reset_when_the_old_password_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log in; the password is reset when the old one has been found right."""
    reset = prepared_reset()

    def matches_before_reset(password: str, stored: str) -> bool:
        is_right = matches(password, stored)
        reset()
        return is_right

    monkeypatch.setattr(login, "matches", matches_before_reset)
    log_in_with_the_old_password()


def reset_when_a_login_has_its_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log in; the password is reset when the login has a token and has not yet committed."""
    reset, resets = prepared_reset(), []

    def issue_before_reset(customer: Customer, device: Device) -> str:
        token = issue_token(customer, device)
        resets.append(start_concurrently(reset))
        return token

    monkeypatch.setattr(login, "issue_token", issue_before_reset)
    log_in_with_the_old_password()
    assert [outcome.result(20) for outcome in resets] == [None]


def test_a_password_that_is_reset_while_a_login_checks_the_old_one_begins_no_login(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with refusal(Err.account_or_password_wrong):
        reset_when_the_old_password_is_checked(monkeypatch)
    assert not AuthToken.objects.exists()


def test_control_without_comparing_the_password_again_a_reset_leaves_a_login(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(login, "_note_login", lambda _customer: True)
    reset_when_the_old_password_is_checked(monkeypatch)
    assert AuthToken.objects.exists()


def test_a_password_reset_ends_a_login_that_has_not_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    reset_when_a_login_has_its_token(monkeypatch)
    assert not AuthToken.objects.exists()


def test_control_reading_the_password_again_postgresql_leaves_a_login_after_a_reset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_again(customer: Customer) -> bool:
        return Customer.objects.filter(pk=customer.pk, password=customer.password).exists()

    monkeypatch.setattr(login, "_note_login", read_again)
    reset_when_a_login_has_its_token(monkeypatch)
    # SQLite has one writer at a time, so it cannot show the race.
    assert AuthToken.objects.exists() is (connection.vendor == "postgresql")


def change_the_password_when_the_old_one_is_checked(
    monkeypatch: pytest.MonkeyPatch, customer: Customer, act: Callable[[], None]
) -> None:
    """Change the password; another device changes it after the old one was found right."""

    def change(customer: Customer, password: str) -> None:
        change_login_password(customer=customer, old_password=PASSWORD, password=password, token="a token")

    def matches_before_another(password: str, stored: str) -> bool:
        is_right = matches(password, stored)
        monkeypatch.setattr(login, "matches", matches)
        change(Customer.objects.get(pk=customer.pk), "the other's password")
        act()
        return is_right

    monkeypatch.setattr(login, "matches", matches_before_another)
    change(customer, "one's own password")


def test_of_two_concurrent_password_changes_one_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    customer = make_customer()
    with refusal(Err.old_password_wrong):
        change_the_password_when_the_old_one_is_checked(monkeypatch, customer, lambda: None)
    customer.refresh_from_db()
    assert matches("the other's password", customer.password)


def test_control_without_comparing_the_checked_password_a_change_replaces_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    customer = make_customer()
    change_the_password_when_the_old_one_is_checked(monkeypatch, customer, customer.refresh_from_db)
    customer.refresh_from_db()
    assert matches("one's own password", customer.password)


@pytest.fixture
def without_customers_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let changes of one customer's addresses meet."""
    monkeypatch.setattr(addresses, "lock_customer", lambda _customer: None)


def add(customer: Customer) -> None:
    add_address(customer=customer, values=PERTH | {"city_name": ""}, make_default=False)


def add_first_addresses_concurrently() -> Customer:
    customer = make_customer()
    assert before_commit(lambda: add(customer), lambda: add(customer)) == [None, None]
    return customer


def test_of_first_addresses_added_concurrently_one_is_the_default() -> None:
    customer = add_first_addresses_concurrently()
    assert list(customer.addresses.order_by("pk").values_list("is_default", flat=True)) == [True, False]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_control_without_the_customers_lock_postgresql_fails_to_add_an_address(
    without_customers_lock: None,
) -> None:
    # Only the constraint behind the lock refuses a second default one, which is a fault.
    with pytest.raises(IntegrityError):
        add_first_addresses_concurrently()


def add_the_last_address_twice(monkeypatch: pytest.MonkeyPatch) -> int:
    """Add two addresses concurrently where one more is allowed; returns how many are beyond the limit."""
    monkeypatch.setattr(addresses, "MAX_ADDRESSES", 2)
    customer = make_customer()
    add(customer)
    before_commit(lambda: add(customer), lambda: add(customer))
    return customer.addresses.count() - 2


def test_addresses_added_at_the_same_time_keep_to_their_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert add_the_last_address_twice(monkeypatch) == 0


def test_control_without_the_customers_lock_postgresql_stores_an_address_too_many(
    monkeypatch: pytest.MonkeyPatch, without_customers_lock: None
) -> None:
    # SQLite has one writer at a time, so it cannot show the race.
    assert add_the_last_address_twice(monkeypatch) == (1 if connection.vendor == "postgresql" else 0)


def remove_the_default_address_and_the_next() -> list[bool]:
    """Remove the default address and its successor concurrently; returns what the last one is."""
    customer = make_customer()
    _last, following, default = [make_address(customer, is_default=n == 2) for n in range(3)]

    def remove(address: Address) -> None:
        remove_address(customer=customer, address_id=address.pk)

    assert before_commit(lambda: remove(default), lambda: remove(following)) == [None, None]
    return list(customer.addresses.values_list("is_default", flat=True))


def test_after_concurrent_removal_of_the_default_and_next_address_the_last_is_the_default() -> None:
    assert remove_the_default_address_and_the_next() == [True]


def test_control_without_the_customers_lock_postgresql_leaves_no_default_address(
    without_customers_lock: None,
) -> None:
    # SQLite has one writer at a time, so it cannot show the race.
    assert remove_the_default_address_and_the_next() == [connection.vendor != "postgresql"]
