"""Known browsers have their own limits (docs/guarantees/customers.md#passwords)."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from commerce.accounts.known_browsers import BROWSERS
from commerce.accounts.models import AuthToken, Customer
from commerce.accounts.passwords import matches
from commerce.accounts.services import login
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import ACCOUNT, PASSWORD, RIGHT, WRONG, auth_headers, make_customer
from commerce.accounts.tests.test_hashing import too_many_others
from commerce.rate_limits.models import RateLimitCounter
from core.known_browsers import KNOWN_FOR, MAX_ACCOUNTS
from core.tests.rows import rolled_back
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db
NEW_PASSWORD = "a long new password"


def new_browser() -> ApiClient:
    """Return a browser without cookies."""
    return ApiClient(Client())


def reason(api: ApiClient, body: dict[str, Any], *, ticket: bool = True, **extra: Any) -> str:
    """Try to log in; returns the reason of the refusal, or ok."""
    proof = {"ticket": api.ticket()} if ticket else {}
    return str(api.call("POST", "login", body | proof, **extra).body.get("reason") or "ok")


def guess_from_many_networks(body: dict[str, Any] = WRONG) -> None:
    """Lock an account with thirty wrong passwords."""
    answers = [reason(new_browser(), body, REMOTE_ADDR=f"203.0.113.{number}") for number in range(30)]
    assert answers == ["account_or_password_wrong"] * 30


def cookie_of(answer: Any) -> Any:
    return answer.cookies[BROWSERS.cookie]


@pytest.fixture
def owner(api: ApiClient) -> ApiClient:
    """The browser of a customer who has logged in, by now without a login."""
    make_customer(account=ACCOUNT)
    assert reason(api, RIGHT, ticket=False) == "ok"
    return api


def test_thirty_guesses_elsewhere_lock_new_browsers_and_none_that_the_account_knows(owner: ApiClient) -> None:
    guess_from_many_networks()
    assert reason(new_browser(), RIGHT) == "too_frequent"
    # The network of the guesses makes no difference, as many customers may share it.
    for network in ("198.51.100.1", "203.0.113.1"):
        assert reason(owner, RIGHT, ticket=False, REMOTE_ADDR=network) == "ok"
    # A success in a known browser gives other browsers no further guesses.
    assert reason(new_browser(), RIGHT) == "too_frequent"


def test_the_cookie_is_for_calls_of_the_api_alone_and_no_script_reads_it(
    owner: ApiClient, settings: LazySettings
) -> None:
    for is_secure in (False, True):
        settings.SESSION_COOKIE_SECURE = is_secure
        cookie = cookie_of(owner.call("POST", "login", RIGHT))
        assert cookie["path"] == "/api/v1/pc"
        assert cookie["max-age"] == KNOWN_FOR.total_seconds()
        assert (cookie["httponly"], cookie["samesite"], bool(cookie["secure"])) == (True, "Strict", is_secure)
        assert ACCOUNT not in cookie.value


def test_a_refused_login_and_other_calls_set_no_cookie(owner: ApiClient) -> None:
    for method, path, body in (
        ("POST", "login", WRONG),
        ("GET", "common/captcha", None),
        ("POST", "resetPassword", RIGHT | {"code": "000000"}),
    ):
        assert not owner.call(method, path, body).cookies
    assert not owner.ask_code(ACCOUNT, "reset").cookies


def test_a_cookie_grants_nothing_without_the_password(owner: ApiClient) -> None:
    tokens = AuthToken.objects.count()
    assert reason(owner, WRONG, ticket=False) == "account_or_password_wrong"
    for method, path in (("GET", "user/userInfo"), ("POST", "logout")):
        assert owner.call(method, path).status_code == 401
    assert AuthToken.objects.count() == tokens


def test_cookies_of_others_and_forged_expired_and_former_ones_select_no_limit_of_their_own(
    owner: ApiClient, subtests: pytest.Subtests
) -> None:
    mine = owner.client.cookies[BROWSERS.cookie].value
    other = new_browser()
    make_customer(account="other@example.com")
    assert reason(other, RIGHT | {"account": "other@example.com"}, ticket=False) == "ok"
    id_, time, signature = mine.split(":")
    guess_from_many_networks()
    for kind, value in {
        "another account's": other.client.cookies[BROWSERS.cookie].value,
        "forged": f"{id_}:{time}:{'A' * 43}",
        "another id": f"{'x' * 32}:{time}:{signature}",
        "a later time": f"{id_}:zzzzzz:{signature}",
        "no signature": id_,
        "not ASCII": "é" * 22 + mine[22:],
        "empty": "",
        "long": "x" * 4000,
    }.items():
        with subtests.test(kind=kind):
            known = new_browser()
            known.client.cookies[BROWSERS.cookie] = value
            assert reason(known, RIGHT) == "too_frequent"
    with subtests.test(kind="expired"), time_machine.travel(timezone.now() + KNOWN_FOR + timedelta(hours=1)):
        guess_from_many_networks()
        assert reason(owner, RIGHT) == "too_frequent"
    assert not RateLimitCounter.objects.filter(limit="login known", count__gt=0).exists()


@pytest.mark.parametrize("by", ["change", "reset"])
def test_a_new_password_forgets_all_browsers_but_the_one_that_sets_it(owner: ApiClient, by: str) -> None:
    second = new_browser()
    assert reason(second, RIGHT, ticket=False) == "ok"
    before = second.client.cookies[BROWSERS.cookie].value
    if by == "change":
        owner.token = auth_headers(Customer.objects.get())["token"]
        body = {"oldPassword": PASSWORD, "password": NEW_PASSWORD}
        assert owner.call("PUT", "setting/login/password", body).body["code"] == 0
        owner.token = ""
    else:
        body = {"account": ACCOUNT, "password": NEW_PASSWORD, "code": owner.code(ACCOUNT, "reset")}
        assert owner.call("POST", "resetPassword", body).body["code"] == 0
    guess_from_many_networks()
    right = RIGHT | {"password": NEW_PASSWORD}
    assert reason(second, right) == "too_frequent"
    assert second.client.cookies[BROWSERS.cookie].value == before
    assert reason(owner, right, ticket=False) == "ok"


def test_a_registration_makes_the_browser_known(api: ApiClient) -> None:
    body = {"account": ACCOUNT, "password": NEW_PASSWORD, "code": api.code(ACCOUNT, "register")}
    assert api.call("POST", "register", body).body["code"] == 0
    guess_from_many_networks()
    assert reason(api, body, ticket=False) == "ok"


def test_wrong_passwords_in_a_known_browser_need_a_captcha_and_then_lock_it_alone(owner: ApiClient) -> None:
    second = new_browser()
    assert reason(second, RIGHT, ticket=False) == "ok"
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        answers = [reason(owner, WRONG, ticket=False) for _ in range(4)]
        assert answers == ["account_or_password_wrong"] * 3 + ["captcha_required"]
        assert [reason(owner, WRONG) for _ in range(7)] == ["account_or_password_wrong"] * 7
        locked = owner.call("POST", "login", RIGHT | {"ticket": owner.ticket()})
        assert (locked.status_code, locked.headers["Retry-After"]) == (429, "900")
        # They count for neither the account nor the network.
        for other in (second, new_browser()):
            assert reason(other, RIGHT, ticket=False) == "ok"
        # Without its cookie it is a new browser.
        owner.client.cookies.clear()
        assert reason(owner, RIGHT, ticket=False) == "ok"
    assert RateLimitCounter.objects.get(limit="login known", count__gt=0).count == 10


def test_the_lock_of_a_known_browser_ends_after_a_quarter_of_an_hour_and_a_success_forgets(
    owner: ApiClient,
) -> None:
    for _ in range(10):
        reason(owner, WRONG)
    with time_machine.travel(timezone.now() + timedelta(minutes=15)):
        assert reason(owner, RIGHT) == "ok"
        assert reason(owner, WRONG, ticket=False) == "account_or_password_wrong"


def test_each_login_in_a_known_browser_keeps_its_id_and_begins_its_time_again(owner: ApiClient) -> None:
    first = owner.client.cookies[BROWSERS.cookie].value
    with time_machine.travel(timezone.now() + KNOWN_FOR - timedelta(days=1)):
        assert reason(owner, RIGHT, ticket=False) == "ok"
    second = owner.client.cookies[BROWSERS.cookie].value
    assert second != first
    assert second.split(":")[0] == first.split(":")[0]
    with time_machine.travel(timezone.now() + KNOWN_FOR + timedelta(days=1)):
        guess_from_many_networks()
        assert reason(owner, RIGHT, ticket=False) == "ok"


def test_a_browser_is_known_to_five_accounts_the_last_used_ones(api: ApiClient) -> None:
    bodies = [RIGHT | {"account": f"name{number}@example.com"} for number in range(MAX_ACCOUNTS + 1)]
    for body in bodies:
        make_customer(account=body["account"])
        assert reason(api, body, ticket=False) == "ok"
    assert len(api.client.cookies[BROWSERS.cookie].value) < 500
    outcome = []
    for body in bodies:
        with rolled_back():
            guess_from_many_networks(body | {"password": "000000"})
            kept = api.client.cookies[BROWSERS.cookie].value
            outcome.append(reason(api, body))
            api.client.cookies[BROWSERS.cookie] = kept
    assert outcome == ["too_frequent", *["ok"] * MAX_ACCOUNTS]


def test_password_calls_of_a_login_count_by_login(owner: ApiClient, subtests: pytest.Subtests) -> None:
    customer = Customer.objects.get()
    guess_from_many_networks()
    change = {"oldPassword": "000000", "password": NEW_PASSWORD}
    for method, path, body in (
        ("PUT", "setting/login/password", change),
        ("POST", "setting/myData", {"password": "000000", "format": "json"}),
        ("POST", "setting/deletion", {"password": "000000"}),
    ):
        with subtests.test(path=path), rolled_back():
            owner.token, second = (auth_headers(customer)["token"] for _ in range(2))
            answers = [owner.call(method, path, body) for _ in range(11)]
            assert [answer.status_code for answer in answers] == [200] * 10 + [429]
            owner.token = second
            body = body | {"oldPassword": PASSWORD} if "oldPassword" in body else {"password": PASSWORD}
            assert owner.call(method, path, body | {"format": "json"}).body["code"] == 0


def test_codes_that_others_request_leave_the_owners_five(owner: ApiClient) -> None:
    start = timezone.now()
    other, logged_in = new_browser(), new_browser()
    logged_in.on_commit = other.on_commit = owner.on_commit
    logged_in.token = auth_headers(Customer.objects.get())["token"]

    def sent(api: ApiClient, minute: int) -> int:
        with time_machine.travel(start + timedelta(minutes=minute, seconds=minute), tick=False):
            return int(api.ask_code(ACCOUNT, "reset", REMOTE_ADDR=f"203.0.113.{minute}").status_code)

    assert [sent(other, minute) for minute in range(6)] == [200] * 5 + [429]
    # Login and known browser share the owner's five, so an account gets ten messages a day at most.
    assert [sent(logged_in, minute) for minute in (6, 7)] == [200] * 2
    assert [sent(owner, minute) for minute in range(8, 12)] == [200] * 3 + [429]
    assert [sent(each, 13) for each in (other, logged_in)] == [429] * 2
    owner.token = ""
    # Each account has its own.
    assert owner.ask_code("another@example.com", "reset").status_code == 200


def test_wrong_codes_that_others_enter_leave_the_owners_tries(
    owner: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = owner.code(ACCOUNT, "reset")
    right = {"account": ACCOUNT, "password": NEW_PASSWORD, "code": code}
    wrong = right | {"code": f"{(int(code) + 1) % 10**6:06}"}

    def answer(api: ApiClient, body: dict[str, Any]) -> str:
        return str(api.call("POST", "resetPassword", body).body.get("reason") or "ok")

    assert [answer(new_browser(), wrong) for _ in range(5)] == ["verification_code_error"] * 5
    assert answer(new_browser(), right) == "verification_code_error"
    with monkeypatch.context() as busy:
        busy.setattr(login, "hash_password", too_many_others)
        assert [answer(owner, right) for _ in range(6)] == ["too_frequent"] * 6
    with rolled_back():
        assert [answer(owner, wrong) for _ in range(5)] == ["verification_code_error"] * 5
        assert answer(owner, right) == "verification_code_error"
        assert matches(PASSWORD, Customer.objects.get().password)
    assert [answer(owner, wrong) for _ in range(4)] == ["verification_code_error"] * 4
    assert answer(owner, right) == "ok"
    assert matches(NEW_PASSWORD, Customer.objects.get().password)


def guess_concurrently() -> Counter[str]:
    """Guess the password twenty times concurrently in a known browser; counts the outcomes."""
    make_customer(account=ACCOUNT)
    known = new_browser()
    assert reason(known, RIGHT, ticket=False) == "ok"
    cookie = known.client.cookies[BROWSERS.cookie].value

    def guess(_: int) -> str:
        api = new_browser()
        api.client.cookies[BROWSERS.cookie] = cookie
        return reason(api, WRONG, ticket=False)

    return Counter(str(each) for each in concurrently(guess, range(20), threads=20))


@pytest.mark.django_db(transaction=True)
def test_of_twenty_concurrent_guesses_in_a_known_browser_three_are_compared() -> None:
    assert guess_concurrently() == {"account_or_password_wrong": 3, "captcha_required": 17}


@pytest.mark.django_db(transaction=True)
def test_control_without_counting_beforehand_all_guesses_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(login, "consume_in_transaction", lambda *_counts, proven: proven)
    assert guess_concurrently() == {"account_or_password_wrong": 20}
