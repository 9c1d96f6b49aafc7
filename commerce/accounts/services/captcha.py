"""Captchas: GeeTest, and the embedded ALTCHA, which makes the browser compute a proof of work.

See docs/wire.md#captcha, docs/guarantees/customers.md#captchas.
"""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import altcha
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.accounts import geetest
from commerce.accounts.models import CaptchaProof
from core.errors import Err, ShopError
from core.ids import digest, new_secret

log = logging.getLogger(__name__)

PROVIDER = "altcha"
CHALLENGE_VALID_FOR = timedelta(minutes=5)
# Longer than a challenge is valid, so that a proof stays stored while it could be sent again.
TICKET_VALID_FOR = timedelta(minutes=10)
# A bounded number of derivations keeps every browser's work about equal.
MIN_DERIVATIONS, MAX_DERIVATIONS = 100, 300


def new_challenge() -> dict[str, Any]:
    """Create a signed challenge for ALTCHA's browser script; a phone solves it in about a second."""
    challenge = altcha.create_challenge(
        "PBKDF2/SHA-256",
        settings.CAPTCHA_COST,
        counter=MIN_DERIVATIONS + secrets.randbelow(MAX_DERIVATIONS - MIN_DERIVATIONS),
        expires_at=timezone.now() + CHALLENGE_VALID_FOR,
        hmac_secret=_key("challenge"),
        hmac_key_secret=_key("solution"),
    )
    return challenge.to_dict()


def issue_ticket(payload: str) -> str:
    """Exchange a solved challenge for a ticket; each challenge works once.

    `payload`: ALTCHA's base64 text. Raises ShopError(captcha_required) if it is wrong, expired or repeated.
    """
    outcome = altcha.verify_solution(payload, hmac_secret=_key("challenge"), hmac_key_secret=_key("solution"))
    if not outcome.verified:
        raise ShopError(Err.captcha_required)
    return _ticket_for(altcha.Payload.from_base64(payload).challenge.signature or "")


def issue_geetest_ticket(solved: geetest.Solved) -> str:
    """Exchange a solved GeeTest captcha for a ticket; each lot number works once.

    Calls GeeTest, so call it outside any transaction. Raises ShopError(captcha_required) for a wrong or
    repeated captcha. Raises ShopError(captcha_unavailable) if GeeTest does not answer: use ALTCHA instead.
    """
    try:
        is_right = geetest.is_configured() and geetest.is_right(solved)
    except geetest.UnavailableError as failure:
        log.warning("geetest did not answer whether a captcha was solved: %s", failure)
        raise ShopError(Err.captcha_unavailable) from failure
    if not is_right:
        raise ShopError(Err.captcha_required)
    # Lower case, since GeeTest may accept a lot number in both cases.
    return _ticket_for(f"{geetest.PROVIDER} {solved.lot_number.lower()}")


def _ticket_for(proof: str) -> str:
    """Store a proof and return its ticket; raises ShopError(captcha_required) if it is already stored."""
    ticket = new_secret()
    try:
        with transaction.atomic():
            CaptchaProof.objects.create(
                proof_hash=digest(proof),
                ticket_hash=digest(ticket),
                expires_at=timezone.now() + TICKET_VALID_FOR,
            )
    except IntegrityError as again:
        raise ShopError(Err.captcha_required) from again
    return ticket


def spend_ticket(ticket: str) -> bool:
    """Use a ticket; return True if it was valid."""
    live = CaptchaProof.objects.filter(ticket_hash=digest(ticket), used=False, expires_at__gt=timezone.now())
    return bool(ticket) and live.update(used=True) == 1


@contextmanager
def returned_if_refused(ticket: str) -> Iterator[None]:
    """Make a ticket usable again if the block raises ShopError.

    `ticket`: one that this caller has spent, empty for none; another caller's ticket must not be passed.
    """
    try:
        yield
    except ShopError:
        CaptchaProof.objects.filter(ticket_hash=digest(ticket)).update(used=False)
        raise


def _key(use: str) -> str:
    return salted_hmac("accounts.captcha", use, algorithm="sha256").hexdigest()
