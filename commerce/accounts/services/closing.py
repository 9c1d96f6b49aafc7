"""Removes the identity from a deleted customer's row (docs/guarantees/customers.md#privacy)."""

from commerce.accounts.models import DELETED_PREFIX, Customer
from core.transactions import in_callers_transaction


@in_callers_transaction
def close_account(*, customer: Customer) -> bool:
    """Clear account, nickname, language and passwords in a customer's row.

    Returns False, and changes nothing, if account or password differ from those of `customer`. The account
    can be registered again afterwards. Locks: the customer's row.
    """
    same = Customer.objects.filter(pk=customer.pk, account=customer.account, password=customer.password)
    return bool(
        same.update(
            account=f"{DELETED_PREFIX}{customer.pk}",
            nickname="",
            language="",
            password="",
            pay_password="",
            last_login_at=None,
            is_active=False,
        )
    )
