"""Argon2 for login passwords: at the cost that is published for servers, one at a time in a process.

docs/adr/0030-what-a-stolen-password-hash-is-worth.md
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher

from core.errors import Err, ShopError

T = TypeVar("T")

# A request that would wait longer gets 429.
MAX_WAIT_SECONDS, RETRY_SECONDS = 3.0, 2

# Each concurrent hash needs 19 MiB of its own.
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
    """Argon2id with 19 MiB and two passes, OWASP's minimum for servers; checks hashes of any other cost too.

    Raises ShopError(too_frequent) for one who has waited for the others in vain; then nothing was hashed.
    """

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Hash a password."""
        return _in_turn(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Return True if a password has a hash."""
        return _in_turn(super().verify, password, encoded)
