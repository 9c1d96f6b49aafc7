"""The signed link that withdraws a customer's consent: it needs no login and does not expire."""

from django.conf import settings
from django.core import signing

from core.languages import in_language

_SALT = "privacy.unsubscribe"


def unsubscribe_token(customer_id: int) -> str:
    """Sign a customer's id."""
    return signing.dumps(customer_id, salt=_SALT)


def customer_of_token(token: str) -> int | None:
    """Return the customer id of a token; None if the shop did not sign it."""
    try:
        customer_id: int = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return customer_id


def unsubscribe_url(customer_id: int, language: str) -> str:
    """Return the absolute URL of the unsubscribe page; mail programs also post to it."""
    path = f"/home/unsubscribe/{unsubscribe_token(customer_id)}"
    return f"{settings.SITE_URL}{in_language(path, language)}"
