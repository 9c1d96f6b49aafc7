"""Deletes what has expired."""

from datetime import timedelta

from django.utils import timezone

from commerce.accounts.models import AuthToken, CaptchaProof, VerificationCode
from core.batches import delete_in_batches

RETENTION = timedelta(days=1)


def purge_expired() -> None:
    """Delete tokens, codes and proofs that ended over a day ago."""
    before = timezone.now() - RETENTION
    for model in (AuthToken, VerificationCode, CaptchaProof):
        delete_in_batches(model.objects.filter(expires_at__lt=before))
