"""Makes order numbers and secrets."""

import hashlib
import re
import secrets

from django.utils import timezone

# Without letters and digits that are easily confused on paper or the telephone.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_NUMBER = re.compile(r"[0-9A-Z]{1,24}")


def new_number(prefix: str) -> str:
    """Make a number for an order, payment or recharge: prefix, date, and 40 random bits, never guessable."""
    tail = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    return f"{prefix}{timezone.localtime():%y%m%d}{tail}"


def may_be_number(text: str) -> bool:
    """Return True if a text from outside could be a number that `new_number` has made."""
    return bool(_NUMBER.fullmatch(text))


def new_secret() -> str:
    """Make 256 random bits as URL-safe text."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Hash a random secret for storage; only for secrets too long to guess, never for passwords."""
    return hashlib.sha256(secret.encode()).hexdigest()
