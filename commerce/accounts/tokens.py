"""Opaque login tokens: 256 random bits, kept hashed, sliding 30 days, at most 180 (CONTRACT 5)."""

from datetime import timedelta

from django.utils import timezone

from commerce.accounts.models import AuthToken, Customer
from core.ids import digest, new_secret

SLIDES = timedelta(days=30)
AT_MOST = timedelta(days=180)
# A token is moved on at most once a day, so that reading does not write.
SLIDE_STEP = timedelta(days=1)


def issue_token(customer: Customer) -> str:
    """Make a token for a customer who has proved who they are; the text is not kept."""
    token = new_secret()
    AuthToken.objects.create(customer=customer, token_hash=digest(token), expires_at=timezone.now() + SLIDES)
    return token


def customer_of_token(token: str) -> Customer | None:
    """Return the active customer of a token and move its expiry on; None for a dead or unknown one."""
    now = timezone.now()
    row = (
        AuthToken.objects.select_related("customer__level")
        .filter(token_hash=digest(token), expires_at__gt=now, customer__is_active=True)
        .first()
    )
    if row is None:
        return None
    expires_at = min(now + SLIDES, row.created_at + AT_MOST)
    if expires_at - row.expires_at > SLIDE_STEP:
        AuthToken.objects.filter(pk=row.pk).update(expires_at=expires_at)
    return row.customer


def revoke_token(token: str) -> None:
    """Kill one token."""
    AuthToken.objects.filter(token_hash=digest(token)).delete()


def revoke_all_tokens(customer: Customer, *, but: str = "") -> None:
    """Kill every token of a customer, except the one named by its text."""
    AuthToken.objects.filter(customer=customer).exclude(token_hash=digest(but)).delete()
