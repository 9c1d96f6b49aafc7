"""Creates order numbers and secrets."""

import hashlib
import re
import secrets

from django.utils import timezone

# Without letters and digits that are easily confused on paper or by telephone.
_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_NUMBER = re.compile(r"[0-9A-Z]{1,24}")


def new_number(prefix: str) -> str:
    """Return a number for an order, payment or top-up: prefix, date, and 39 random bits, never guessable."""
    tail = "".join(secrets.choice(_ALPHABET) for _ in range(8))
    return f"{prefix}{timezone.localtime():%y%m%d}{tail}"


def may_be_number(text: str) -> bool:
    """Return True if a text from outside could be a number from `new_number`."""
    return bool(_NUMBER.fullmatch(text))


def new_secret() -> str:
    """Return 256 random bits as URL-safe text."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Return the hash of a random secret for storage; only for secrets that are too long to guess."""
    return hashlib.sha256(secret.encode()).hexdigest()
