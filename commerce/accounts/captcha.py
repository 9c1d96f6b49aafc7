"""The embedded captcha, ALTCHA: a browser shows with some work that it means it (CONTRACT 5)."""

import secrets
from datetime import timedelta
from typing import Any

import altcha
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.accounts.models import CaptchaProof
from core.errors import Err, ShopError
from core.ids import digest, new_secret

PROVIDER = "altcha"
SOLVED_WITHIN = timedelta(minutes=5)
# Longer than a challenge lives, so that a proof is remembered for as long as it could be sent again.
TICKET_LIVES = timedelta(minutes=10)
# How many derivations a browser makes: a bounded number, so that nobody waits for bad luck.
FEWEST_TRIES, MOST_TRIES = 100, 300


def new_challenge() -> dict[str, Any]:
    """Make a signed challenge as ALTCHA's browser side reads it; a phone works at it for about a second."""
    challenge = altcha.create_challenge(
        "PBKDF2/SHA-256",
        settings.CAPTCHA_COST,
        counter=FEWEST_TRIES + secrets.randbelow(MOST_TRIES - FEWEST_TRIES),
        expires_at=timezone.now() + SOLVED_WITHIN,
        hmac_secret=_key("challenge"),
        hmac_key_secret=_key("solution"),
    )
    return challenge.to_dict()


def ticket_for(payload: str) -> str:
    """Exchange a solved challenge for a ticket, once.

    `payload`: ALTCHA's base64 text. Raises ShopError(captcha_required) for a wrong, expired or repeated one.
    """
    outcome = altcha.verify_solution(payload, hmac_secret=_key("challenge"), hmac_key_secret=_key("solution"))
    if not outcome.verified:
        raise ShopError(Err.captcha_required)
    ticket = new_secret()
    signature = altcha.Payload.from_base64(payload).challenge.signature or ""
    try:
        with transaction.atomic():
            CaptchaProof.objects.create(
                proof_hash=digest(signature),
                ticket_hash=digest(ticket),
                expires_at=timezone.now() + TICKET_LIVES,
            )
    except IntegrityError as again:
        raise ShopError(Err.captcha_required) from again
    return ticket


def spend_ticket(ticket: str) -> bool:
    """Use a ticket up; tells whether it was good."""
    live = CaptchaProof.objects.filter(ticket_hash=digest(ticket), used=False, expires_at__gt=timezone.now())
    return bool(ticket) and live.update(used=True) == 1


def _key(use: str) -> str:
    return salted_hmac("accounts.captcha", use, algorithm="sha256").hexdigest()
