"""Checks which URLs belong to PayPal (docs/paypal.md#addresses)."""

import re
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

PAYPAL = "paypal.com"
_CERTIFICATE = re.compile(r"/v1/notifications/certs/[0-9A-Za-z-]{1,100}")
# Browsers or HTTP clients might parse any other character differently from this module.
_PLAIN = re.compile(r"[!-~]+")


def is_payers_page(url: str) -> bool:
    """Return True if a link belongs to PayPal, or to its fake if that is configured."""
    link, api = _split(url), _split(settings.PAYPAL_URL)
    if link is None or api is None:
        return False
    return _is_paypal(link) if _is_paypal(api) else _origin(link) == _origin(api)


def is_certificate(url: str) -> bool:
    """Return True if a certificate's URL belongs to the host of PayPal's API.

    PayPal's other hosts also serve pages of other users. The sandbox signs for every account.
    """
    link, api = _split(url), _split(settings.PAYPAL_URL)
    if link is None or api is None or not _CERTIFICATE.fullmatch(link.path) or link.query or link.fragment:
        return False
    if not _is_paypal(api):
        return _origin(link) == _origin(api)
    # api-m and api are the same API.
    _, _, domain = (api.hostname or "").partition(".")
    return _is_paypal(link) and link.hostname in {f"api.{domain}", f"api-m.{domain}"}


def _split(url: str) -> SplitResult | None:
    if not _PLAIN.fullmatch(url) or "\\" in url:
        return None
    try:
        found = urlsplit(url)
        # An invalid port raises ValueError.
        _ = found.port
    except ValueError:
        return None
    # Text before an @ could look like a host.
    return found if found.hostname and found.username is None else None


def _is_paypal(url: SplitResult) -> bool:
    host = url.hostname or ""
    is_theirs = host == PAYPAL or host.endswith(f".{PAYPAL}")
    return url.scheme == "https" and url.port in (None, 443) and is_theirs


def _origin(url: SplitResult) -> tuple[str, str]:
    return url.scheme, url.netloc
