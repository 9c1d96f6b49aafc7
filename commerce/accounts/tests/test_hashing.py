"""What a login's hash costs, and what happens to hashes of the cost of the release before."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password

from commerce.accounts import decoys, passwords
from commerce.accounts.models import AuthToken, CaptchaProof, Customer
from commerce.accounts.passwords import hash_password, is_up_to_date, matches
from commerce.accounts.services import login
from commerce.accounts.tests.api_client import ApiClient
from commerce.accounts.tests.builders import ACCOUNT, PASSWORD, RIGHT, WRONG, auth_headers, make_customer
from commerce.accounts.tests.test_busy import ticket_after_three_failures
from commerce.rate_limits.models import RateLimitCounter
from core.errors import Err, ShopError
from core.tests.rows import rolled_back

pytestmark = pytest.mark.django_db
NEW = "a new password"


class FormerArgon2(Argon2PasswordHasher):
    """Another cost than today's, quick all the same."""

    time_cost, memory_cost, parallelism = 1, 16, 2


def former_customer(**kw: Any) -> Customer:
    former = FormerArgon2().encode(passwords._peppered(PASSWORD), "a salt of the release before")
    return make_customer(account=ACCOUNT, password=former, **kw)


def stored() -> str:
    return Customer.objects.get(account=ACCOUNT).password


def reason(api: ApiClient, method: str, path: str, body: Any) -> str:
    return str(api.call(method, path, body).body.get("reason") or "ok")


def test_a_login_password_costs_the_published_minimum_for_servers(settings: LazySettings) -> None:
    settings.PASSWORD_HASHERS = ["core.hashing.ServerArgon2"]
    assert make_password("secret").startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_right_login_replaces_a_former_hash(api: ApiClient) -> None:
    before = former_customer().password
    assert reason(api, "POST", "login", WRONG) == "account_or_password_wrong"
    assert stored() == before
    for _ in range(2):
        assert reason(api, "POST", "login", RIGHT) == "ok"
        assert is_up_to_date(stored())
    assert AuthToken.objects.count() == 2


def test_a_disabled_customer_keeps_a_former_hash(api: ApiClient) -> None:
    before = former_customer(is_active=False).password
    assert reason(api, "POST", "login", RIGHT) == "account_abnormal"
    assert stored() == before


@pytest.fixture
def once_compared(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Return a function that sets what happens right after a login has compared its password."""

    def let(happen: Callable[[], object]) -> None:
        def compare(password: str, password_hash: str) -> bool:
            is_right = matches(password, password_hash)
            monkeypatch.setattr(login, "matches", matches)
            happen()
            return is_right

        monkeypatch.setattr(login, "matches", compare)

    return let


def test_two_concurrent_logins_with_a_former_hash_both_begin(
    api: ApiClient, once_compared: Callable[[Callable[[], object]], None]
) -> None:
    former_customer()
    once_compared(lambda: reason(api, "POST", "login", RIGHT))
    assert reason(api, "POST", "login", RIGHT) == "ok"
    assert AuthToken.objects.count() == 2


def test_a_former_password_that_changes_while_it_is_compared_begins_no_login(
    api: ApiClient, once_compared: Callable[[Callable[[], object]], None]
) -> None:
    customer = former_customer()
    once_compared(lambda: Customer.objects.filter(pk=customer.pk).update(password=hash_password(NEW)))
    assert reason(api, "POST", "login", RIGHT) == "account_or_password_wrong"
    assert not AuthToken.objects.exists()
    assert matches(NEW, stored())


def test_a_login_begins_if_its_former_hash_cannot_be_replaced_now(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = former_customer().password
    monkeypatch.setattr(login, "hash_password", too_many_others)
    assert reason(api, "POST", "login", RIGHT) == "ok"
    assert stored() == before


def too_many_others(*_: str) -> None:
    raise ShopError(Err.too_frequent, retry_after=2)


def test_a_login_that_waits_for_others_in_vain_costs_neither_a_guess_nor_its_ticket(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket = ticket_after_three_failures(api)
    with monkeypatch.context() as busy:
        busy.setattr(login, "matches", too_many_others)
        answer = api.call("POST", "login", RIGHT | {"ticket": ticket})
    found = (answer.status_code, answer.body["reason"], answer.headers["Retry-After"])
    assert found == (429, "too_frequent", "2")
    assert set(RateLimitCounter.objects.values_list("count", flat=True)) == {3}
    assert reason(api, "POST", "login", RIGHT | {"ticket": ticket}) == "ok"
    assert CaptchaProof.objects.get().used


def test_a_login_that_waits_for_others_in_vain_makes_no_ticket_good_that_was_spent_before(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_customer(account=ACCOUNT)
    ticket = api.ticket()
    assert reason(api, "POST", "login", RIGHT | {"ticket": ticket}) == "ok"
    with monkeypatch.context() as busy:
        busy.setattr(login, "matches", too_many_others)
        # It needs no ticket.
        assert reason(api, "POST", "login", RIGHT | {"ticket": ticket}) == "too_frequent"
    assert CaptchaProof.objects.get().used
    body = {"account": ACCOUNT, "purpose": "reset", "ticket": ticket}
    assert reason(api, "POST", "common/sendCode", body) == "captcha_required"


def test_a_change_that_waits_for_others_in_vain_costs_no_guess(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.token = auth_headers(make_customer())["token"]
    monkeypatch.setattr(login, "matches", too_many_others)
    body = {"oldPassword": PASSWORD, "password": NEW}
    assert reason(api, "PUT", "setting/login/password", body) == "too_frequent"
    assert set(RateLimitCounter.objects.values_list("count", flat=True)) == {0}


def test_a_code_may_be_used_again_where_its_password_waited_for_others_in_vain(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for purpose, path in (("register", "register"), ("reset", "resetPassword")):
        with subtests.test(purpose=purpose, path=path), rolled_back():
            make_customer(account=ACCOUNT if purpose == "reset" else "other@example.com")
            body = {"account": ACCOUNT, "password": NEW, "code": api.code(ACCOUNT, purpose)}
            with monkeypatch.context() as busy:
                busy.setattr(login, "hash_password", too_many_others)
                for _ in range(6):
                    assert reason(api, "POST", path, body) == "too_frequent"
            assert reason(api, "POST", path, body) == "ok"


# ── Accounts that do not exist ────────────────────────────────────────────────────────────────────────

UNKNOWN = [f"unknown{number}@example.com" for number in range(400)]


@pytest.fixture(autouse=True)
def _reset_share() -> Iterator[None]:
    decoys._share.invalidate()
    yield
    decoys._share.invalidate()


def share_of_slow_decoys() -> float:
    decoys._share.invalidate()
    return sum(bool(decoys.decoy_for(account)) for account in UNKNOWN) / len(UNKNOWN)


def test_where_all_hashes_have_todays_cost_a_guess_at_an_unknown_account_has_it_too() -> None:
    make_customer()
    assert share_of_slow_decoys() == 0


def test_as_many_unknown_accounts_cost_as_much_as_accounts_with_a_former_hash() -> None:
    for number in range(4):
        make_customer(password=f"{decoys._FORMER}…" if number else hash_password(PASSWORD))
    assert abs(share_of_slow_decoys() - 0.75) < 0.07


def test_an_unknown_account_costs_the_same_until_it_seems_to_have_logged_in() -> None:
    customers = [make_customer(password=f"{decoys._FORMER}…") for _ in range(4)]
    slow = set(UNKNOWN)
    for customer in customers:
        Customer.objects.filter(pk=customer.pk).update(password=hash_password(PASSWORD))
        decoys._share.invalidate()
        still_slow = {account for account in UNKNOWN if decoys.decoy_for(account)}
        assert still_slow == {account for account in UNKNOWN if decoys.decoy_for(account)}
        assert still_slow < slow
        slow = still_slow
    assert not slow


def test_no_password_has_the_hash_of_a_decoy_and_it_costs_what_the_release_before_took() -> None:
    # Django's own choice.
    assert not Argon2PasswordHasher().must_update(decoys._FORMER_DECOY)
    assert not matches(PASSWORD, decoys._FORMER_DECOY)
