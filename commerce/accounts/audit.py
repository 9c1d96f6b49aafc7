"""Audit rules for accounts (docs/guarantees/customers.md#secrets)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext_noop as _

from commerce.accounts.models import AuthToken, CaptchaProof, Customer, FormerAccount, VerificationCode
from commerce.accounts.pay_hashes import ALGORITHMS
from core.audit import Difference, about, run_rules

# The nightly purge deletes expired rows well within this time.
DELETED_WITHIN = timedelta(days=3)
# SHA-256 in hexadecimal digits.
_DIGEST = r"^[0-9a-f]{64}$"


def differences() -> Iterator[Difference]:
    """Yield a difference for each secret that is not stored as a hash, and for each expired row."""
    yield from run_rules(_tokens, _codes, _proofs, _former_accounts, _passwords)


@about(AuthToken)
def _tokens() -> Iterator[Difference]:
    yield from _secrets(AuthToken, "token_hash")


@about(VerificationCode)
def _codes() -> Iterator[Difference]:
    yield from _secrets(VerificationCode, "code_hash")


@about(CaptchaProof)
def _proofs() -> Iterator[Difference]:
    yield from _secrets(CaptchaProof, "proof_hash", "ticket_hash")


@about(FormerAccount)
def _former_accounts() -> Iterator[Difference]:
    yield from _secrets(FormerAccount, "account_hash")


def _secrets(model: type[Model], *columns: str) -> Iterator[Difference]:
    """Yield a difference for each secret that is no hash, and each row that should have been deleted."""
    name = model._meta.verbose_name
    for column in columns:
        for pk in _keys(model._default_manager.exclude(**{f"{column}__regex": _DIGEST})):
            yield Difference("secret-hashed", f"{name} {pk}", _("%(column)s is not a hash"), column=column)
    for pk in _keys(model._default_manager.filter(expires_at__lt=timezone.now() - DELETED_WITHIN)):
        yield Difference("secret-deleted", f"{name} {pk}", _("still there days after its end"))


def _passwords() -> Iterator[Difference]:
    hashers = [import_string(path).algorithm for path in settings.PASSWORD_HASHERS]
    for column, algorithms in (("password", hashers), ("pay_password", ALGORITHMS)):
        is_hash = Q(**{column: ""})
        for algorithm in algorithms:
            is_hash |= Q(**{f"{column}__startswith": f"{algorithm}$"})
        for pk in _keys(Customer.objects.exclude(is_hash)):
            yield Difference("secret-hashed", f"customer {pk}", _("%(column)s is not a hash"), column=column)


def _keys(rows: QuerySet[Any]) -> Iterator[int]:
    yield from rows.order_by("pk").values_list("pk", flat=True).iterator()
