"""Login and pay passwords: peppered, then Argon2 through Django's hashers (RELIABILITY 3.22)."""

import hashlib
import hmac
import re
from functools import cache

from django.conf import settings
from django.contrib.auth import hashers
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError

SIX_DIGITS = re.compile(r"[0-9]{6}")
LONGER_THAN = 6
AT_MOST = 128


def _peppered(password: str) -> str:
    return hmac.new(settings.PASSWORD_PEPPER.encode(), password.encode(), hashlib.sha256).hexdigest()


def hash_password(password: str) -> str:
    """Hash a login or pay password for keeping."""
    return hashers.make_password(_peppered(password))


def matches(password: str, kept: str) -> bool:
    """Tell whether a password is the one kept as a hash; none kept takes as long and matches nothing."""
    return hashers.check_password(_peppered(password), kept)


def is_six_digits(password: str) -> bool:
    """Tell whether a text is exactly six ASCII digits, as a pay password must be."""
    return SIX_DIGITS.fullmatch(password) is not None


def may_log_in_with(password: str) -> bool:
    """Tell whether a new login password is six digits, or longer and not a common one (CONTRACT 5)."""
    if is_six_digits(password):
        return True
    if not LONGER_THAN < len(password) <= AT_MOST:
        return False
    try:
        _common_passwords().validate(password)
    except ValidationError:
        return False
    return True


@cache
def _common_passwords() -> CommonPasswordValidator:
    return CommonPasswordValidator()
