"""Encrypts what a copy of the database must not reveal (docs/guarantees/customers.md#id-cards).

The keys are outside the database: the newest encrypts, each of them decrypts.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def encrypt(text: str) -> str:
    """Encrypt a text with the newest key."""
    return _keys().encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return the text of what was encrypted with any key; raises InvalidToken where its key is gone."""
    return _keys().decrypt(token).decode()


def is_encrypted(text: str) -> bool:
    """Return True if a text was encrypted with one of the keys."""
    from cryptography.fernet import InvalidToken

    try:
        _keys().decrypt(text)
    except InvalidToken:
        return False
    return True


def encrypt_again(token: str) -> str:
    """Encrypt with the newest key what any key has encrypted; raises InvalidToken where its key is gone."""
    return _keys().rotate(token).decode()


def _keys() -> "MultiFernet":
    # Imported here, as few processes need it.
    from cryptography.fernet import Fernet, MultiFernet

    # A key is any random text of production's length, not only one in the form of this algorithm.
    return MultiFernet(
        Fernet(urlsafe_b64encode(sha256(key.encode()).digest())) for key in settings.ID_CARD_KEYS
    )
