"""Hashes of pay passwords: HMAC-SHA-256 with a salt and a versioned key outside the database.

A slow hash cannot protect six digits, which a million tries find: the lock-out and the key do.
See docs/adr/0030-what-a-stolen-password-hash-is-worth.md.
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
# The possible prefixes of a stored pay password.
ALGORITHMS = (_ALGORITHM, _FORMER_ALGORITHM)
_SALT_LENGTH = 22
# Version, salt and digest.
_PARTS = 3


def hash_pay_password(password: str) -> str:
    """Return the hash of a pay password to store, made with the first key."""
    version, key = next(iter(settings.PAY_PASSWORD_KEYS.items()))
    salt = get_random_string(_SALT_LENGTH)
    return f"{_ALGORITHM}${version}${salt}${_digest(key, salt, password)}"


def pays_with(password: str, stored: str) -> bool:
    """Return True if a pay password matches a stored hash, including a hash from an earlier release.

    No password matches an empty hash, or a hash whose key is no longer configured. Raises
    ShopError(too_frequent) if an earlier release's hash waits too long for other hashes.
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
    """Return True if a stored pay password uses the first key."""
    return _parts(stored)[0] == next(iter(settings.PAY_PASSWORD_KEYS))


def _parts(stored: str) -> tuple[str, str, str]:
    """Return version, salt and digest; empty texts if `stored` has another format."""
    algorithm, *parts = stored.split("$")
    if algorithm != _ALGORITHM or len(parts) != _PARTS:
        return "", "", ""
    version, salt, digest = parts
    return version, salt, digest


def _digest(key: str, salt: str, password: str) -> str:
    return hmac.new(key.encode(), f"{salt}${password}".encode(), hashlib.sha256).hexdigest()
