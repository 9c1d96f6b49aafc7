"""Rules of deleted accounts that the audit checks (docs/guarantees/customers.md#privacy)."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from commerce.accounts.models import DELETED_PREFIX, Address, AuthToken, Customer
from commerce.privacy.models import DeletedCustomer
from commerce.privacy.services.erasing import records_before
from core.audit import Difference, about, run_rules

# Generous limits: erasing runs each minute, wiping each night.
ERASED_WITHIN, WIPED_WITHIN = timedelta(hours=1), timedelta(days=3)


@about(DeletedCustomer, Customer.objects.filter(account__startswith=DELETED_PREFIX))
def differences() -> Iterator[Difference]:
    """Yield a difference for each deleted account that still has data it must not have."""
    yield from run_rules(_not_erased, _still_named)


def _not_erased() -> Iterator[Difference]:
    late = Q(erased_at=None, deleted_at__lt=timezone.now() - ERASED_WITHIN)
    kept = Q(oldest_record_at__lt=records_before() - WIPED_WITHIN)
    for deletion in DeletedCustomer.objects.filter(late | kept).order_by("pk").iterator():
        yield Difference(
            "deleted-erased",
            f"customer {deletion.pk}",
            _("is stored beyond its retention period")
            if deletion.erased_at
            else _("is deleted and not erased"),
        )


def _still_named() -> Iterator[Difference]:
    """Yield a difference for each deleted account with a name, login or address, as in a restored backup."""
    deleted = Customer.objects.filter(Q(deletion__isnull=False) | Q(account__startswith=DELETED_PREFIX))
    named = ~Q(account__startswith=DELETED_PREFIX) | ~Q(nickname="") | ~Q(password="") | Q(is_active=True)
    mine = Q(pk__in=AuthToken.objects.values("customer")) | Q(pk__in=Address.objects.values("customer"))
    for key in deleted.filter(named | mine).order_by("pk").values_list("pk", flat=True):
        yield Difference(
            "deleted-customer", f"customer {key}", _("is deleted and still has a name or a login")
        )
