"""Deletes expired tokens, codes, captcha proofs and hashes of deleted accounts (docs/data-growth.md)."""

from datetime import timedelta

from django.utils import timezone

from commerce.accounts.models import AuthToken, CaptchaProof, FormerAccount, VerificationCode
from core.due_rows import delete_in_batches

RETENTION = timedelta(days=1)


def purge_expired() -> None:
    """Delete tokens, codes, captcha proofs and hashes of deleted accounts that expired over a day ago."""
    before = timezone.now() - RETENTION
    for model in (AuthToken, VerificationCode, CaptchaProof, FormerAccount):
        delete_in_batches(model._default_manager.filter(expires_at__lt=before))
