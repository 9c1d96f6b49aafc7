"""Recognises a customer who deleted an account and registered the same name again.

See docs/adr/0046-a-deleted-account-leaves-a-keyed-hash.md.
"""

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from commerce.accounts.models import Customer, FormerAccount
from core.transactions import in_callers_transaction

# The privacy page states it too.
REMEMBERED_FOR = timedelta(days=365)


@in_callers_transaction
def remember_account(customer: Customer) -> None:
    """Store the keyed hash of an account's name, in the transaction that deletes the account."""
    FormerAccount.objects.create(
        customer=customer,
        account_hash=_hash(customer.account),
        expires_at=timezone.now() + REMEMBERED_FOR,
    )


def is_person(customer: Customer) -> Q:
    """Return the condition that a row's `customer` is this one, or had the same account name before."""
    return Q(customer=customer) | Q(customer__in=former_customers(customer))


def former_customers(customer: Customer) -> QuerySet[Any]:
    """Return the ids of deleted customers who had the same account name within REMEMBERED_FOR."""
    remembered = FormerAccount.objects.filter(
        account_hash=_hash(customer.account), expires_at__gt=timezone.now()
    )
    return remembered.values("customer")


def _hash(account: str) -> str:
    """Return the keyed hash of a normalised account name, as it was registered."""
    return salted_hmac("accounts.former", account, algorithm="sha256").hexdigest()
