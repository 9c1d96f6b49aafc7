"""Staff log in as customers do: few guesses, a security check, and no hint which accounts exist."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.models import Permission, User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from commerce.accounts.models import CaptchaProof
from commerce.messaging.models import Message
from commerce.messaging.tests.outbox import messages
from commerce.rate_limits.models import RateLimitCounter
from config import staff_login
from content.models import ShopSettings
from core.errors import Err, ShopError
from core.ids import digest, new_secret
from core.tests.failing import refuse_as_busy
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db

LOGIN, RESET = "/admin/login/", "/admin/password_reset/"
PASSWORD = "seven herons over the river"
CHECK = "Your browser now does a short security check."
TOO_MANY = "Too many attempts. Try again in 15 minutes."
TOO_BUSY = Err.shop_busy.en
WRONG = "password didn&#x27;t match"


def make_staff(name: str = "wei", **kw: Any) -> User:
    user = User.objects.create_user(name, f"{name}@example.com", PASSWORD, **kw)
    user.user_permissions.add(Permission.objects.get(codename="access_admin"))
    return user


@pytest.fixture
def wei() -> User:
    return make_staff()


def guess(
    client: Client, password: str = "wrong", name: str = "wei", network: str = "203.0.113.1", **kw: Any
) -> str:
    """Send the login form; returns the page, empty after a login."""
    answer = client.post(LOGIN, {"username": name, "password": password} | kw, REMOTE_ADDR=network)
    return "" if answer.status_code == 302 else answer.content.decode()


def ticket() -> str:
    """Pass a security check, without its work."""
    proof = new_secret()
    CaptchaProof.objects.create(
        proof_hash=digest(f"proof {proof}"),
        ticket_hash=digest(proof),
        expires_at=timezone.now() + timedelta(days=1),
    )
    return proof


def fail(client: Client, times: int = 3) -> None:
    """Guess wrong, by default as often as no security check is needed."""
    for _ in range(times):
        guess(client)


def has_session(client: Client) -> bool:
    return "_auth_user_id" in client.session


@pytest.mark.parametrize("name", ["wei", "unknown"])
def test_three_failures_need_a_security_check_and_ten_a_wait(wei: User, client: Client, name: str) -> None:
    for _ in range(3):
        page = guess(client, name=name)
        assert WRONG in page
        assert 'name="ticket"' not in page
    page = guess(client, PASSWORD, name)
    assert CHECK in page
    assert 'name="ticket"' in page
    assert not has_session(client)
    for _ in range(2):
        page = guess(client, name=name, ticket=ticket())
        assert WRONG in page
        assert 'name="ticket"' in page
    for _ in range(5):
        assert WRONG in guess(client, name=name, ticket=ticket())
    assert TOO_MANY in guess(client, PASSWORD, name, ticket=ticket())
    assert not has_session(client)
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert bool(guess(client, PASSWORD, name, ticket=ticket())) is (name == "unknown")
    assert has_session(client) is (name == "wei")


def test_a_ticket_is_used_once(wei: User, client: Client) -> None:
    fail(client)
    used = ticket()
    assert WRONG in guess(client, ticket=used)
    assert CHECK in guess(client, PASSWORD, ticket=used)
    assert not has_session(client)


def test_what_a_busy_database_refuses_spends_no_ticket_and_no_right_guess(
    wei: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(client)
    kept = ticket()
    with monkeypatch.context() as busy:
        busy.setattr(staff_login, "consume_in_transaction", refuse_as_busy)
        assert TOO_BUSY in guess(client, PASSWORD, ticket=kept)
    with monkeypatch.context() as busy:
        busy.setattr(staff_login, "reset", refuse_as_busy)
        assert TOO_BUSY in guess(client, PASSWORD, ticket=kept)
    assert set(RateLimitCounter.objects.values_list("count", flat=True)) == {3}
    assert not has_session(client)


def too_many_others(*_: str) -> None:
    raise ShopError(Err.too_frequent, retry_after=2)


def log_in_in_vain(monkeypatch: pytest.MonkeyPatch, ticket: str) -> str:
    """Log in with the right password while too many others do; returns the page."""
    with monkeypatch.context() as busy:
        busy.setattr("core.hashing._in_turn", too_many_others)
        fields = {"username": "wei", "password": PASSWORD, "ticket": ticket}
        answer = Client().post(LOGIN, fields, REMOTE_ADDR="203.0.113.1")
    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
    return answer.content.decode()


def test_a_login_that_waits_for_others_in_vain_costs_neither_a_guess_nor_its_ticket(
    wei: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail(client)
    kept = ticket()
    assert Err.too_frequent.en in log_in_in_vain(monkeypatch, kept)
    assert set(RateLimitCounter.objects.values_list("count", flat=True)) == {3}
    assert guess(client, PASSWORD, ticket=kept) == ""


def test_a_login_that_waits_for_others_in_vain_makes_no_ticket_good_that_was_spent_before(
    wei: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = ticket()
    assert guess(client, PASSWORD, ticket=spent) == ""
    log_in_in_vain(monkeypatch, spent)
    assert CaptchaProof.objects.get().used


def test_a_new_password_of_staff_that_waits_for_others_in_vain_is_not_set(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    boss = User.objects.create_superuser("boss", "boss@example.com", PASSWORD)
    client.force_login(boss)
    names = {
        "username": "boss",
        "email": boss.email,
        "first_name": "B",
        "last_name": "B",
        "is_superuser": "on",
    }
    new = dict.fromkeys(("password1", "password2"), "five ibises in the park")
    monkeypatch.setattr("core.hashing._in_turn", too_many_others)
    answer = client.post(reverse("wagtailusers_users:edit", args=[boss.pk]), names | new)
    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
    monkeypatch.undo()
    boss.refresh_from_db()
    assert boss.check_password(PASSWORD)


def test_a_hash_of_the_release_before_is_stored_again_by_a_right_login(wei: User, client: Client) -> None:
    class FormerArgon2(Argon2PasswordHasher):
        time_cost, memory_cost, parallelism = 1, 16, 2

    former = FormerArgon2().encode(PASSWORD, "a salt of the release before")
    User.objects.filter(pk=wei.pk).update(password=former)
    assert guess(client, PASSWORD) == ""
    wei.refresh_from_db()
    assert wei.password != former
    assert wei.check_password(PASSWORD)


def test_a_locked_account_is_notified_to_wait_with_and_without_a_check(wei: User, client: Client) -> None:
    for _ in range(10):
        guess(client, ticket=ticket())
    for sent in ({}, {"ticket": ticket()}, {}):
        page = guess(client, PASSWORD, **sent)
        assert TOO_MANY in page
        assert CHECK not in page
        assert 'name="ticket"' not in page


def test_a_login_forgets_the_failures(wei: User, client: Client) -> None:
    fail(client, 2)
    assert guess(client, PASSWORD) == ""
    assert set(RateLimitCounter.objects.values_list("count", flat=True)) == {0, 2}
    assert RateLimitCounter.objects.get(count=2).limit == "staff network"


def test_many_names_from_one_network_need_a_security_check(client: Client) -> None:
    for number in range(30):
        assert WRONG in guess(client, name=f"name{number}")
    assert CHECK in guess(client, name="another")


def test_unrelated_packages_cannot_lock_staff_out_of_a_browser_they_know(wei: User, client: Client) -> None:
    assert guess(client, PASSWORD) == ""
    client.post(reverse("wagtailadmin_logout"))
    visitor = Client()
    for network in ("203.0.113.1", "198.51.100.1", "192.0.2.1", "192.0.2.2"):
        for _ in range(10):
            guess(visitor, network=network, ticket=ticket())
    assert TOO_MANY in guess(Client(), PASSWORD, network="192.0.2.9", ticket=ticket())
    assert guess(client, PASSWORD) == ""


@pytest.mark.parametrize("cookie", ["", "x", "forged:1:2"])
def test_a_known_browser_has_a_limit_too_and_is_not_forged(wei: User, client: Client, cookie: str) -> None:
    guess(client, PASSWORD)
    client.post(reverse("wagtailadmin_logout"))
    if cookie:
        client.cookies[staff_login.BROWSERS.cookie] = cookie
    else:
        make_staff("li")
        # The browser is known for one user only.
        for _ in range(3):
            guess(Client(), name="li")
        assert CHECK in guess(client, PASSWORD, "li")
    for _ in range(3):
        assert WRONG in guess(client)
    assert CHECK in guess(client, PASSWORD)
    assert not has_session(client)


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that are hashed, or compared with a hash."""
    done: list[str] = []

    def spy(name: str) -> None:
        original: Callable[..., Any] = getattr(Argon2PasswordHasher, name)

        def run(self: Argon2PasswordHasher, password: str, *args: Any) -> Any:
            done.append(password)
            return original(self, password, *args)

        monkeypatch.setattr(Argon2PasswordHasher, name, run)

    spy("encode")
    spy("verify")
    return done


@pytest.mark.parametrize("name", ["wei", "unknown", "former", "unusable"])
def test_each_guess_costs_one_hash_everyone_who_exists(
    wei: User, client: Client, hashes: list[str], name: str
) -> None:
    make_staff("former", is_active=False)
    User.objects.create_user("unusable")
    hashes.clear()
    assert WRONG in guess(client, name=name)
    assert len(hashes) == 1
    for _ in range(2):
        guess(client, name=name)
    hashes.clear()
    guess(client, name=name)
    assert hashes == []


def test_a_login_changes_the_session_and_ends_after_twelve_hours(wei: User, client: Client) -> None:
    client.get(LOGIN)
    session = client.session
    session["before"] = "login"
    session.save()
    before = session.session_key
    assert guess(client, PASSWORD, remember="on") == ""
    assert client.session.session_key != before
    assert not Session.objects.filter(pk=before).exists()
    with time_machine.travel(timezone.now() + timedelta(hours=11)):
        assert client.get("/admin/").status_code == 200
    with time_machine.travel(timezone.now() + timedelta(hours=13)):
        assert client.get("/admin/").status_code == 302


def test_there_is_no_second_login_without_limits(wei: User, client: Client) -> None:
    for path in ("/_util/login/", "/zh-hans/_util/login/"):
        answer = client.post(path, {"username": "wei", "password": PASSWORD}, follow=True)
        assert answer.status_code in {404, 405}
        assert not has_session(client)


def test_the_messages_are_chinese_as_well(wei: User, client: Client) -> None:
    fail(client)
    with_chinese = Client(headers={"Accept-Language": "zh-hans"})
    assert (
        "安全验证"
        in with_chinese.post(
            LOGIN, {"username": "wei", "password": "x"}, REMOTE_ADDR="203.0.113.1"
        ).content.decode()
    )
    labels = re.findall(r"<label[^>]*>(.*?)</label>", with_chinese.get(LOGIN).content.decode(), re.S)
    assert labels
    for label in labels:
        assert not re.search("[A-Za-z]", re.sub("<[^>]*>", "", label)), label


def test_the_login_names_the_shop(client: Client) -> None:
    ShopSettings.load()
    ShopSettings.objects.update(name_en="Eastbowl", name_zh="东碗")
    for language, heading in (("en", "Sign in to Eastbowl"), ("zh-hans", "登录东碗")):
        page = client.get(LOGIN, headers={"Accept-Language": language}).content.decode()
        assert [shown.strip() for shown in re.findall("<h1>(.*?)</h1>", page, re.S)] == [heading]
        assert "Wagtail" not in page.partition("</title>")[0]


# ── The password reset ────────────────────────────────────────────────────────────────────────────────


def ask(client: Client, email: str, network: str = "203.0.113.1") -> Any:
    return client.post(RESET, {"email": email}, REMOTE_ADDR=network)


def test_a_reset_answers_the_same_for_an_unknown_address(
    wei: User, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        known, unknown = ask(client, "wei@example.com"), ask(client, "unknown@example.com")
    assert known.status_code == unknown.status_code == 302
    assert known.url == unknown.url
    assert Message.objects.count() == 2
    [sent] = [each for each in messages() if each["to"] == "wei@example.com"]
    assert not [each for each in messages() if each["to"] == "unknown@example.com"]
    [link] = re.findall(r"/admin/password_reset/confirm/\S+", sent["text"])
    form = client.get(link, follow=True)
    common = client.post(
        form.request["PATH_INFO"], dict.fromkeys(("new_password1", "new_password2"), "password1234")
    )
    assert common.status_code == 200
    wei.refresh_from_db()
    assert wei.check_password(PASSWORD)
    new = "five ibises in the park"
    client.post(form.request["PATH_INFO"], dict.fromkeys(("new_password1", "new_password2"), new))
    assert guess(client, new) == ""


def test_a_reset_that_is_refused_as_busy_does_not_count(
    wei: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as busy:
        busy.setattr(staff_login, "write_message", refuse_as_busy)
        assert ask(client, wei.email).status_code == 429
    assert not RateLimitCounter.objects.exists()
    assert ask(client, wei.email).status_code == 302


@pytest.mark.parametrize("email", ["wei@example.com", "WEI@example.com", "unknown@example.com"])
def test_a_second_reset_within_a_minute_is_refused(wei: User, client: Client, email: str) -> None:
    ask(client, email.lower())
    refused = ask(client, email, "198.51.100.1")
    assert refused.status_code == 200
    assert "Try again in 1 minute." in refused.content.decode()
    assert Message.objects.count() == 1


def test_a_network_has_twenty_resets_a_day(client: Client) -> None:
    answers = [ask(client, f"name{number}@example.com").status_code for number in range(21)]
    assert answers == [302] * 20 + [200]
    assert Message.objects.count() == 20


def test_a_link_is_no_longer_valid_after_an_hour(wei: User) -> None:
    token = default_token_generator.make_token(wei)
    for minutes, is_valid in ((59, True), (61, False)):
        # Tokens count in local time.
        with time_machine.travel(timezone.localtime() + timedelta(minutes=minutes)):
            assert default_token_generator.check_token(wei, token) is is_valid


# ── Common passwords ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("password", ["password1234", "short", "wei.wong.1999"])
def test_weak_passwords_of_staff_are_refused_wherever_they_are_set(client: Client, password: str) -> None:
    boss = User.objects.create_superuser("boss", "boss@example.com", PASSWORD)
    client.force_login(boss)
    wei = make_staff("wei.wong.1999")
    fields = {"username": "new", "email": "new@example.com", "first_name": "Wei", "last_name": "Wong"}
    if password == wei.username:
        fields["username"] = password + "9"
    both = {"password1": password, "password2": password}
    assert client.post(reverse("wagtailusers_users:add"), fields | both).status_code == 200
    assert User.objects.count() == 2
    edit = reverse("wagtailusers_users:edit", args=[wei.pk])
    assert client.post(edit, fields | both | {"username": wei.username}).status_code == 200
    wei.refresh_from_db()
    assert wei.check_password(PASSWORD)


# ── Concurrently ───────────────────────────────────────────────────────────────────────────────────────────


def compared(monkeypatch: pytest.MonkeyPatch) -> int:
    """Guess a password twenty times concurrently; returns how many guesses were compared with it."""
    make_staff()
    done: list[str] = []
    original: Callable[..., Any] = ModelBackend.authenticate

    def spy(self: ModelBackend, request: Any, **given: Any) -> Any:
        done.append(given["username"])
        return original(self, request, **given)

    monkeypatch.setattr(ModelBackend, "authenticate", spy)
    concurrently(lambda _: guess(Client()), range(20))
    return len(done)


@pytest.mark.django_db(transaction=True)
def test_of_twenty_guesses_at_the_same_time_three_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compared(monkeypatch) == 3


@pytest.mark.django_db(transaction=True)
def test_control_without_counting_beforehand_all_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a limit that is read first and written after the comparison lets more through."""
    monkeypatch.setattr(staff_login, "consume_in_transaction", lambda *_counts, proven: proven)
    assert compared(monkeypatch) == 20
