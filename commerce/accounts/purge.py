"""Deletes what has expired and nobody will ask for again."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from commerce.accounts.models import AuthToken, CaptchaProof, Message, Tally, VerificationCode

KEPT_FOR = timedelta(days=1)


def purge_expired() -> None:
    """Delete tokens, codes, proofs, messages and tallies that ended over a day ago."""
    before = timezone.now() - KEPT_FOR
    for model in (AuthToken, VerificationCode, CaptchaProof, Message):
        model.objects.filter(expires_at__lt=before).delete()
    unlocked = Q(locked_until=None) | Q(locked_until__lt=before)
    Tally.objects.filter(unlocked, window_ends_at__lt=before).delete()
