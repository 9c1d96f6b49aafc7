"""Deletes a customer's account permanently (docs/guarantees/customers.md#privacy)."""

import logging
from typing import Any

from commerce.accounts.models import Customer
from commerce.accounts.personal import Obstacle
from commerce.accounts.services.closing import close_account
from commerce.ledger.services import lock_ledger
from commerce.privacy.messages import notify_deletion
from commerce.privacy.models import DeletedCustomer
from commerce.privacy.personal_data import HOLDINGS
from commerce.privacy.services.erasing import erase_customer
from core.enqueue import enqueue_after_commit
from core.errors import Err, ShopError
from core.languages import TwoTexts
from core.transactions import in_transaction

log = logging.getLogger(__name__)


def obstacles_of(customer: Customer) -> list[Obstacle]:
    """Return the obstacles that block the deletion of a customer's account; some queries."""
    return [obstacle for holding in HOLDINGS for obstacle in holding.obstacles(customer)]


@in_transaction
def delete_account(*, customer: Customer, language: str, staff: Any = None) -> None:
    """Delete a customer's account: their identity immediately, and the rest soon afterwards.

    The caller has confirmed the request. Orders and money stay as the law requires, without a name that could
    identify the account. `language`: of the customer's message. `staff`: the member of staff who did it.
    Locks: the accounts of wallet and points, then the customer's row. So a concurrent order is either found
    as an obstacle or refused. Raises ShopError(deletion_blocked) with `why` if there is an obstacle. Raises
    ShopError(login_invalid) if the account was deleted or its password changed in the meantime.
    """
    lock_ledger(customer)
    if found := obstacles_of(customer):
        zh = "".join(obstacle.text.zh for obstacle in found)
        raise ShopError(
            Err.deletion_blocked, why=TwoTexts(zh, " ".join(obstacle.text.en for obstacle in found))
        )
    _close(customer, staff)
    notify_deletion(customer.account, language)


@in_transaction
def delete_again(*, customer: Customer) -> None:
    """Delete an account that a restored backup has brought back, regardless of obstacles.

    Locks: as `delete_account`. Raises ShopError(login_invalid) if the account is deleted already.
    """
    lock_ledger(customer)
    _close(customer, staff=None)


def _close(customer: Customer, staff: Any) -> None:
    for holding in HOLDINGS:
        holding.forget(customer)
    if not close_account(customer=customer):
        raise ShopError(Err.login_invalid)
    DeletedCustomer.objects.create(customer=customer, staff=staff)
    log.info("the account of customer %d is deleted", customer.pk)
    # A periodic job erases the account if the queue cannot be reached.
    enqueue_after_commit(erase_customer, customer.pk)
