"""Removes the identity from a deleted customer's row (docs/guarantees/customers.md#privacy)."""

from commerce.accounts.models import DELETED_PREFIX, Customer
from core.transactions import in_callers_transaction


@in_callers_transaction
def close_account(*, customer: Customer) -> bool:
    """Take account, nickname, language and passwords off a customer's row; False where others have done so.

    Only as long as the password is the one that `customer` was read with. The name can be registered again.
    Locks: the customer's row.
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
