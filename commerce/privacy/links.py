"""The signed link that ends a customer's consent: it needs no login and does not expire."""

from django.conf import settings
from django.core import signing

from core.languages import in_language

_SALT = "privacy.unsubscribe"


def unsubscribe_token(customer_id: int) -> str:
    """Sign a customer's id."""
    return signing.dumps(customer_id, salt=_SALT)


def customer_of_token(token: str) -> int | None:
    """Return the id in a token that the shop has signed, None for any other text."""
    try:
        customer_id: int = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None
    return customer_id


def unsubscribe_url(customer_id: int, language: str) -> str:
    """Return the whole address of the page that ends the consent; mail programs post to it as well."""
    path = f"/home/unsubscribe/{unsubscribe_token(customer_id)}"
    return f"{settings.SITE_URL}{in_language(path, language)}"
