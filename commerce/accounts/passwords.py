"""Login passwords: peppered, then hashed with Argon2 (docs/guarantees/customers.md#passwords)."""

import hashlib
import hmac
import re
from functools import cache

from django.conf import settings
from django.contrib.auth import hashers
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

SIX_DIGITS = re.compile(r"[0-9]{6}")
MIN_LENGTH = 7
MAX_LENGTH = 128


def _peppered(password: str) -> str:
    return hmac.new(settings.PASSWORD_PEPPER.encode(), password.encode(), hashlib.sha256).hexdigest()


def hash_password(password: str) -> str:
    """Hash a login password for storage; raises ShopError(too_frequent) if other hashes take too long."""
    return hashers.make_password(_peppered(password))


def matches(password: str, password_hash: str) -> bool:
    """Return True if a password matches a hash; an empty hash takes as long and matches no password.

    Raises ShopError(too_frequent) as `hash_password` does.
    """
    return hashers.check_password(_peppered(password), password_hash)


def is_up_to_date(password_hash: str) -> bool:
    """Return True if a hash has the currently configured cost."""
    return not hashers.get_hasher().must_update(password_hash)


def is_six_digits(password: str) -> bool:
    """Return True if a text is exactly six ASCII digits, as a pay password must be."""
    return SIX_DIGITS.fullmatch(password) is not None


def may_log_in_with(password: str) -> bool:
    """Return True if a new login password is six digits, or longer and not a common one.

    See docs/wire.md#passwords.
    """
    if is_six_digits(password):
        return True
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        return False
    try:
        _common_passwords().validate(password)
    except ValidationError:
        return False
    return True


@cache
def _common_passwords() -> CommonPasswordValidator:
    return CommonPasswordValidator()
