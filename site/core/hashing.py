"""Argon2 for login passwords, at the recommended cost for servers; one hash at a time per process.

See docs/adr/0030-what-a-stolen-password-hash-is-worth.md.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher

from core.errors import Err, ShopError

T = TypeVar("T")

# Requests that would wait longer get 429.
MAX_WAIT_SECONDS, RETRY_SECONDS = 3.0, 2

# Each concurrent hash would need 19 MiB.
_thread = ThreadPoolExecutor(1, "hashing")


def _in_turn(work: Callable[[str, str], T], password: str, other: str) -> T:
    turn = _thread.submit(work, password, other)
    try:
        return turn.result(MAX_WAIT_SECONDS)
    except TimeoutError:
        if turn.cancel():
            raise ShopError(Err.too_frequent, retry_after=RETRY_SECONDS) from None
        return turn.result()


class ServerArgon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB and two passes, OWASP's minimum for servers; also verifies hashes of other costs.

    Raises ShopError(too_frequent) if a request waits too long for its turn; then nothing is hashed.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password."""
        return _in_turn(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Return True if a password matches a hash."""
        return _in_turn(super().verify, password, encoded)
