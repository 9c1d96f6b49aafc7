"""Pay passwords as they are stored: HMAC-SHA-256 with a salt, under a versioned key outside the database.

A slow hash would not protect six digits, which are found by a million tries: the lock-out and the key do.
docs/adr/0030-what-a-stolen-password-hash-is-worth.md
"""

import hashlib
import hmac
import logging

from django.conf import settings
from django.utils.crypto import constant_time_compare, get_random_string

from commerce.accounts import passwords

log = logging.getLogger(__name__)

_ALGORITHM = "hmac_sha256"
_FORMER_ALGORITHM = "argon2"
# What a stored pay password begins with.
ALGORITHMS = (_ALGORITHM, _FORMER_ALGORITHM)
_SALT_LENGTH = 22
# Version, salt and digest.
_PARTS = 3


def hash_pay_password(password: str) -> str:
    """Return what is stored of a pay password, under the first of the keys."""
    version, key = next(iter(settings.PAY_PASSWORD_KEYS.items()))
    salt = get_random_string(_SALT_LENGTH)
    return f"{_ALGORITHM}${version}${salt}${_digest(key, salt, password)}"


def pays_with(password: str, stored: str) -> bool:
    """Return whether a pay password is the stored one, also one that an earlier release has stored.

    Nothing matches an empty one, nor one whose key is no longer configured. Raises ShopError(too_frequent)
    where an earlier one cannot be compared now.
    """
    if stored.startswith(f"{_FORMER_ALGORITHM}$"):
        return passwords.matches(password, stored)
    version, salt, digest = _parts(stored)
    key = settings.PAY_PASSWORD_KEYS.get(version)
    if version and key is None:
        log.error("a pay password cannot be checked: PAY_PASSWORD_KEYS has no version %s", version)
    is_equal = constant_time_compare(digest, _digest(key or "", salt, password))
    return is_equal and key is not None


def is_up_to_date(stored: str) -> bool:
    """Return whether a pay password is stored under the first of the keys."""
    return _parts(stored)[0] == next(iter(settings.PAY_PASSWORD_KEYS))


def _parts(stored: str) -> tuple[str, str, str]:
    """Return version, salt and digest; empty ones for what is no pay password."""
    algorithm, *parts = stored.split("$")
    if algorithm != _ALGORITHM or len(parts) != _PARTS:
        return "", "", ""
    version, salt, digest = parts
    return version, salt, digest


def _digest(key: str, salt: str, password: str) -> str:
    return hmac.new(key.encode(), f"{salt}${password}".encode(), hashlib.sha256).hexdigest()
