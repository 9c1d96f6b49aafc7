"""Configurations that prevent a production start: default keys, and fakes that are not explicitly allowed.

See docs/production.md#what-a-start-refuses.
"""

import logging
import re
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register, run_checks
from django.core.management.base import SystemCheckError
from django.db import DatabaseError

from commerce.accounts.models import Customer
from content.documents import public_documents

log = logging.getLogger(__name__)

PRODUCTION = "production"
DEMO_ACCOUNT = "demo@example.com"
# A million tries find six digits, so the key must be too long to guess.
MIN_KEY = 32
# Two hosts of PayPal's API for real money.
PAYPAL_HOSTS = frozenset({"https://api-m.paypal.com", "https://api.paypal.com"})
_VERSION = re.compile(r"[0-9A-Za-z]{1,10}")


def _has_demo_customer() -> bool:
    try:
        return Customer.objects.filter(account=DEMO_ACCOUNT).exists()
    except DatabaseError:
        # Before the first migration there is no table of customers.
        return False


def _is_this_machine(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_paypal_replaced() -> bool:
    # PayPal's own sandbox moves no money either.
    return bool(settings.PAYPAL_CLIENT_ID) and settings.PAYPAL_URL not in PAYPAL_HOSTS


Fakes = dict[str, tuple[Callable[[], bool], str]]

# By the name that allows it: whether it is in use, and a hint about its real counterpart.
_IN_SETTINGS: Fakes = {
    "sandbox-gateway": (lambda: settings.SANDBOX_GATEWAY, "Set SANDBOX_GATEWAY=off and configure a gateway."),
    "royalpay-fake": (
        lambda: _is_this_machine(settings.ROYALPAY_URL),
        "Leave ROYALPAY_URL out, or set it to RoyalPay's own address.",
    ),
    "paypal-fake": (_is_paypal_replaced, f"Set PAYPAL_URL to {min(PAYPAL_HOSTS)}."),
    "sms-outbox": (lambda: not settings.SMS_URL, "Set SMS_URL to the gateway that sends text messages."),
    "email-outbox": (lambda: not settings.EMAIL_URL, "Set EMAIL_URL to the server that sends e-mail."),
}
_IN_DATABASE: Fakes = {
    "demo-data": (_has_demo_customer, "Start with a database of its own, without the demonstration."),
}


@register(PRODUCTION)
def production_is_real(**_: Any) -> list[CheckMessage]:
    """Report fakes, default keys and weak choices in the settings."""
    return [*_default_keys(), *_fakes(_IN_SETTINGS), *_weak_choices()] if settings.PRODUCTION else []


@register(PRODUCTION, Tags.database)
def production_has_no_demonstration(**_: Any) -> list[CheckMessage]:
    """Report the demonstration's customers, whose passwords are public."""
    return [*_fakes(_IN_DATABASE)] if settings.PRODUCTION else []


def _default_keys() -> Iterator[CheckMessage]:
    secrets = ["SECRET_KEY", "PASSWORD_PEPPER"]
    if settings.SANDBOX_GATEWAY:
        secrets.append("SANDBOX_SECRET")
    for name in secrets:
        if getattr(settings, name) == settings.EMBEDDED_KEY:
            yield Error(f"{name} is the embedded default.", hint=f"Set {name}.", id="config.E001")
    keys = settings.PAY_PASSWORD_KEYS
    if settings.EMBEDDED_KEY in keys.values():
        hint = "Set PAY_PASSWORD_KEYS=1=… with a key of its own."
        yield Error("PAY_PASSWORD_KEYS has the embedded default.", hint=hint, id="config.E001")
    elif {settings.SECRET_KEY, settings.PASSWORD_PEPPER} & {*keys.values()}:
        yield Error("PAY_PASSWORD_KEYS has a secret that is used for something else.", id="config.E005")
    elif any(not _VERSION.fullmatch(version) or len(key) < MIN_KEY for version, key in keys.items()):
        yield Error(
            "PAY_PASSWORD_KEYS has a version that is not of up to ten letters and digits, or a key of "
            f"less than {MIN_KEY} characters.",
            hint="Write version=key, with a comma between two of them: 2=…,1=…",
            id="config.E006",
        )
    elif len(settings.PAY_PASSWORD_VERSIONS) > len(keys):
        yield Error("PAY_PASSWORD_KEYS names a version twice.", id="config.E007")
    yield from _id_card_keys()


def _id_card_keys() -> Iterator[CheckMessage]:
    keys = settings.ID_CARD_KEYS
    others = {settings.SECRET_KEY, settings.PASSWORD_PEPPER, *settings.PAY_PASSWORD_KEYS.values()}
    if settings.EMBEDDED_KEY in keys:
        hint = "Set ID_CARD_KEYS to a key of its own."
        yield Error("ID_CARD_KEYS has the embedded default.", hint=hint, id="config.E001")
    elif others & {*keys}:
        yield Error("ID_CARD_KEYS has a secret that is used for something else.", id="config.E005")
    elif any(len(key) < MIN_KEY for key in keys):
        yield Error(f"ID_CARD_KEYS has a key of less than {MIN_KEY} characters.", id="config.E006")


def _fakes(fakes: Fakes) -> Iterator[CheckMessage]:
    for name, (is_used, hint) in fakes.items():
        if name not in settings.ALLOWED_FAKES and is_used():
            yield Error(
                f"The embedded fake {name} is in use.",
                hint=f"{hint} Or allow it: ALLOWED_FAKES={name}.",
                id="config.E002",
            )


def _weak_choices() -> Iterator[CheckMessage]:
    for name in sorted(settings.ALLOWED_FAKES - _IN_SETTINGS.keys() - _IN_DATABASE.keys()):
        yield Error(f"ALLOWED_FAKES names {name}, which is none.", id="config.E003")
    if not settings.ALLOWED_HOSTS:
        yield Error("ALLOWED_HOSTS is empty: every request would be refused.", id="config.E004")
    if public_documents():
        yield Error(
            "Documents are in the public media folder.",
            hint="Run manage.py move_documents.",
            id="config.E008",
        )
    if not settings.SITE_URL.startswith("https://"):
        yield Warning(f"SITE_URL is {settings.SITE_URL}: not encrypted.", id="config.W001")
    elif not settings.TRUSTED_PROXIES:
        yield Warning(
            "TRUSTED_PROXIES is 0, so headers of the proxy that ends https are not trusted: every customer "
            "has the proxy's address and shares its rate limits, and every request counts as unencrypted.",
            hint="Set TRUSTED_PROXIES to the number of proxies in front of the shop.",
            id="config.W003",
        )
    if settings.IS_SQLITE:
        yield Warning("The database is SQLite: for one host and low traffic.", id="config.W002")


def refuse_misconfigured_start() -> None:
    """Raise SystemCheckError with every reason against a production start; log the warnings."""
    found = run_checks(tags=[PRODUCTION], databases=["default"])
    errors = [each for each in found if each.is_serious()]
    if errors:
        raise SystemCheckError("\n\n".join(str(error) for error in errors))
    for each in found:
        log.warning("%s", each)
