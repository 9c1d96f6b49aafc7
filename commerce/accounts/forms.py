"""The forms of customers and their levels in the back office."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _

from commerce.accounts.models import DELETED_PREFIX, Customer
from commerce.accounts.services import revoke_all_tokens
from core.backoffice import ProtectedForm, save_locked


def write_customer(row: Customer, *, check: Callable[[], None]) -> None:
    """Save a customer's form; a level fixed by staff applies immediately.

    A customer who becomes inactive is logged out everywhere. A deleted account stays inactive, even if it was
    deleted after the form was loaded. `check`: as for `save_locked`. Locks: the customer's row.
    """

    def check_locked() -> None:
        check()
        if Customer.objects.filter(pk=row.pk, account__startswith=DELETED_PREFIX).exists():
            row.is_active = False

    save_locked(row, check=check_locked)
    if row.fixed_level is not None:
        Customer.objects.filter(pk=row.pk).update(level=row.fixed_level)
    if not row.is_active:
        revoke_all_tokens(row)


class CustomerForm(ProtectedForm):
    """The customer's fields that staff may change."""

    write = staticmethod(write_customer)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Disable *active* for an account that its customer has deleted."""
        super().__init__(*args, **kwargs)
        if self.instance.is_deleted:
            self.fields["is_active"].disabled = True
            self.fields["is_active"].help_text = _(
                "The account is deleted and no longer linked to a customer, so it stays inactive."
            )


class LevelForm(ProtectedForm):
    """A member level; an existing level's number cannot change, since customers and prices refer to it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.fields["number"].disabled = True
