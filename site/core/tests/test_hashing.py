"""Login passwords are hashed one at a time, and a request that waits too long is refused."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, current_thread

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher

from core import hashing
from core.errors import Err, ShopError
from core.hashing import ServerArgon2
from tests.hashers import QuickArgon2

SALT = "a salt of some length"


def test_passwords_are_hashed_and_compared_by_one_thread_however_many_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: set[str] = set()
    encode = Argon2PasswordHasher.encode

    def note(self: ServerArgon2, password: str, salt: str) -> str:
        threads.add(current_thread().name)
        return encode(self, password, salt)

    monkeypatch.setattr(Argon2PasswordHasher, "encode", note)
    hasher = QuickArgon2()
    with ThreadPoolExecutor(20) as many:
        hashes = list(many.map(lambda _: hasher.encode("secret", SALT), range(60)))
        assert all(many.map(lambda made: hasher.verify("secret", made), hashes))
    assert len(threads) == 1


def test_who_waits_for_others_in_vain_is_notified_to_come_again_and_hashes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hashing, "MAX_WAIT_SECONDS", 0.05)
    may_end = Event()
    before = hashing._thread.submit(may_end.wait, 20)
    try:
        with pytest.raises(ShopError) as refusal:
            QuickArgon2().encode("secret", SALT)
    finally:
        may_end.set()
    assert before.result(20)
    assert (refusal.value.err, refusal.value.retry_after) == (Err.too_frequent, hashing.RETRY_SECONDS)
    assert QuickArgon2().encode("secret", SALT)


def test_whose_password_is_being_hashed_is_not_refused_for_taking_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hashing, "MAX_WAIT_SECONDS", 0.02)

    def slow(self: ServerArgon2, password: str, salt: str) -> str:
        time.sleep(0.1)
        return password + salt

    monkeypatch.setattr(Argon2PasswordHasher, "encode", slow)
    assert QuickArgon2().encode("a", "b") == "ab"
