"""The forms of customers and their levels in the back office."""

from collections.abc import Callable
from typing import Any

from commerce.accounts.models import Customer
from core.backoffice import ProtectedForm, save_locked


def write_customer(row: Customer, *, check: Callable[[], None]) -> None:
    """Write a customer's form; the level that staff have given holds at once.

    `check`: as of `save_locked`. Locks: the customer's row.
    """
    save_locked(row, check=check)
    if row.fixed_level is not None:
        Customer.objects.filter(pk=row.pk).update(level=row.fixed_level)


class CustomerForm(ProtectedForm):
    """What staff may change of a customer."""

    write = staticmethod(write_customer)


class LevelForm(ProtectedForm):
    """A member level; once it is there its number stays, since customers and prices name it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.fields["number"].disabled = True
