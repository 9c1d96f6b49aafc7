"""Deletes the data of deleted accounts: most of it soon, legally required records after years."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Max, Min, QuerySet
from django.utils import timezone

from commerce.orders.models import Order
from commerce.privacy.models import DeletedCustomer
from commerce.privacy.personal_data import HOLDINGS
from core.due_rows import MAX_SECONDS_AT_NIGHT, process_due_rows, process_in_batches
from core.queues import upkeep

DAYS_OF_A_YEAR = 366
ORDERS_PER_BATCH = 200


def erase(customer_id: int) -> bool:
    """Erase the data of a deleted customer that the law does not require; return False if that is done.

    It works in short transactions and may run twice.
    """
    mine = DeletedCustomer.objects.filter(pk=customer_id, erased_at=None)
    if not mine.exists():
        return False
    for holding in HOLDINGS:
        holding.erase(customer_id)
    oldest = _ended_orders(customer_id).aggregate(oldest=Min("ended"))["oldest"]
    return bool(mine.update(erased_at=timezone.now(), oldest_record_at=oldest))


@upkeep.task(uses_files=True)
def erase_customer(customer_id: int) -> None:
    """Erase one deleted customer soon after the account was closed."""
    erase(customer_id)


def erase_due() -> int:
    """Erase the deleted customers that no task has erased; return how many."""
    due = DeletedCustomer.objects.filter(erased_at=None).order_by("deleted_at")
    return process_due_rows("erase deleted customers", due, erase)


def records_before() -> datetime:
    """Return the time before which an ended order is no longer a required tax record."""
    return timezone.now() - timedelta(days=DAYS_OF_A_YEAR * settings.TAX_RECORD_YEARS)


def wipe_due() -> int:
    """Remove deleted customers from orders that ended TAX_RECORD_YEARS ago; return how many orders."""
    due = DeletedCustomer.objects.filter(oldest_record_at__lt=records_before())
    return process_in_batches(
        "wipe records of deleted customers",
        due,
        lambda keys: sum(_wipe(key) for key in keys),
        seconds=MAX_SECONDS_AT_NIGHT,
        size=1,
    )


def _wipe(customer_id: int) -> int:
    before, done = records_before(), 0
    orders = _ended_orders(customer_id)
    keys = list(orders.filter(ended__lt=before).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), ORDERS_PER_BATCH):
        batch = keys[start : start + ORDERS_PER_BATCH]
        for holding in HOLDINGS:
            holding.wipe(batch)
        done += len(batch)
    oldest = orders.filter(ended__gte=before).aggregate(oldest=Min("ended"))["oldest"]
    DeletedCustomer.objects.filter(pk=customer_id).update(oldest_record_at=oldest)
    return done


def _ended_orders(customer_id: int) -> QuerySet[Any]:
    """Return a customer's orders, each with the time of its last status change."""
    return Order.objects.filter(customer_id=customer_id).annotate(ended=Max("history__created_at"))
