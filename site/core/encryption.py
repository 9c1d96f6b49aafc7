"""Encrypts data that a copy of the database must not reveal (docs/guarantees/customers.md#id-cards).

The keys are outside the database: the newest encrypts, all of them decrypt.
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
    """Return the text of a token that any key has encrypted; raises InvalidToken if that key is missing."""
    return _keys().decrypt(token).decode()


def is_encrypted(text: str) -> bool:
    """Return True if one of the keys can decrypt a text."""
    from cryptography.fernet import InvalidToken

    try:
        _keys().decrypt(text)
    except InvalidToken:
        return False
    return True


def encrypt_again(token: str) -> str:
    """Encrypt the text of a token with the newest key; raises InvalidToken if the token's key is missing."""
    return _keys().rotate(token).decode()


def _keys() -> "MultiFernet":
    # Imported here, because few processes need it.
    from cryptography.fernet import Fernet, MultiFernet

    # A key is any random text that is long enough, so it is hashed into the form that Fernet needs.
    return MultiFernet(
        Fernet(urlsafe_b64encode(sha256(key.encode()).digest())) for key in settings.ID_CARD_KEYS
    )
