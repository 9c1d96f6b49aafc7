"""Audit rules for accounts (docs/guarantees/customers.md#secrets)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop as _

from commerce.accounts.models import AuthToken, CaptchaProof, Customer, VerificationCode
from commerce.accounts.pay_hashes import ALGORITHMS
from core.audit import Difference, run_rules

# The nightly purge deletes expired rows well within this time.
DELETED_WITHIN = timedelta(days=3)
# SHA-256 in hexadecimal digits.
_DIGEST = r"^[0-9a-f]{64}$"
_DIGESTS: tuple[tuple[type[Model], str], ...] = (
    (AuthToken, "token_hash"),
    (VerificationCode, "code_hash"),
    (CaptchaProof, "proof_hash"),
    (CaptchaProof, "ticket_hash"),
)


def differences() -> Iterator[Difference]:
    """Yield a difference for each secret that is not stored as a hash, and for each expired row."""
    yield from run_rules(_digests, _passwords, _ended)


def _digests() -> Iterator[Difference]:
    for model, column in _DIGESTS:
        for pk in _keys(model._default_manager.exclude(**{f"{column}__regex": _DIGEST})):
            yield Difference(
                "secret-hashed", f"{_name(model)} {pk}", _("%(column)s is not a hash"), column=column
            )


def _passwords() -> Iterator[Difference]:
    hashers = [import_string(path).algorithm for path in settings.PASSWORD_HASHERS]
    for column, algorithms in (("password", hashers), ("pay_password", ALGORITHMS)):
        is_hash = Q(**{column: ""})
        for algorithm in algorithms:
            is_hash |= Q(**{f"{column}__startswith": f"{algorithm}$"})
        for pk in _keys(Customer.objects.exclude(is_hash)):
            yield Difference("secret-hashed", f"customer {pk}", _("%(column)s is not a hash"), column=column)


def _ended() -> Iterator[Difference]:
    """Yield a difference for each token, code and captcha proof that the purge should have deleted."""
    for model in (AuthToken, VerificationCode, CaptchaProof):
        ended = model._default_manager.filter(expires_at__lt=timezone.now() - DELETED_WITHIN)
        for pk in _keys(ended):
            yield Difference("secret-deleted", f"{_name(model)} {pk}", _("still there days after its end"))


def _keys(rows: QuerySet[Any]) -> Iterator[int]:
    yield from rows.order_by("pk").values_list("pk", flat=True).iterator()


def _name(model: type[Model]) -> str:
    return str(model._meta.verbose_name)
