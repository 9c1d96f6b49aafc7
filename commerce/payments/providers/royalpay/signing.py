"""RoyalPay's signature: it covers partner, time and a nonce, but no content of requests or answers.

See docs/royalpay.md#signatures.
"""

import re
import secrets
import time
from hashlib import sha256

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

MAX_AGE_MS = 5 * 60 * 1000
# The lengths of both halves of the shop's own nonces, thirty characters in all.
_RANDOM, _MARK = 14, 16
_NONCE = re.compile(r"[0-9A-Za-z]{1,64}")
_TIME = re.compile(r"[0-9]{13}")


def sign(moment: str, nonce: str) -> str:
    """Return the signature of a time, in milliseconds since 1970, and a nonce."""
    message = f"{settings.ROYALPAY_PARTNER_CODE}&{moment}&{nonce}&{settings.ROYALPAY_CREDENTIAL}"
    return sha256(message.encode()).hexdigest()


def signed_now() -> dict[str, str]:
    """Return the parameters that sign a call or a page, for five minutes."""
    moment, nonce = str(_now()), _own_nonce()
    return {"time": moment, "nonce_str": nonce, "sign": sign(moment, nonce)}


def is_genuine(moment: str, nonce: str, given: str) -> bool:
    """Return True if RoyalPay signed a time and a nonce within the last five minutes.

    The shop's own signatures are refused, since browsers can read them in the URL of RoyalPay's page.
    """
    if not (settings.ROYALPAY_CREDENTIAL and _TIME.fullmatch(moment) and _NONCE.fullmatch(nonce)):
        return False
    is_right = constant_time_compare(given.lower(), sign(moment, nonce))
    return is_right and abs(_now() - int(moment)) <= MAX_AGE_MS and not _is_own(nonce)


def _own_nonce() -> str:
    random = secrets.token_hex(_RANDOM // 2)
    return random + _mark(random)


def _is_own(nonce: str) -> bool:
    return constant_time_compare(nonce[_RANDOM:], _mark(nonce[:_RANDOM]))


def _mark(random: str) -> str:
    return salted_hmac("payments.royalpay.nonce", random, algorithm="sha256").hexdigest()[:_MARK]


def _now() -> int:
    return time.time_ns() // 1_000_000
