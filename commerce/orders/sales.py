"""Counts the sales of paid orders later, so that no payment waits for products or the search index."""

from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import date

from django.db.models import QuerySet
from django.utils import timezone

from catalog.goods.sales import record_sales
from commerce.orders.models import Order, OrderLine
from core.clock import shop_zone
from core.due_rows import MAX_SECONDS, process_in_batches
from core.transactions import in_transaction

# The orders of one transaction, which locks their products: few, since customers wait for its end.
BATCH = 50


class CountedMeanwhileError(Exception):
    """Raised if two workers count the sales of one order concurrently."""


def due_sales() -> QuerySet[Order]:
    """Return the paid orders whose sales are not counted yet."""
    return Order.objects.filter(paid_at__isnull=False, sales_counted_at=None)


@in_transaction
def count_sales(order_ids: Collection[int]) -> int:
    """Count the units of paid orders as sold on their payment days, once; return the number of orders.

    Locks: the orders in pk order, then the products in pk order, then the search index
    (docs/guarantees/orders.md#sales). Raises CountedMeanwhileError if another worker has counted an order.
    """
    due = due_sales().filter(pk__in=order_ids)
    paid_at = dict(due.order_by("pk").select_for_update(no_key=True).values_list("pk", "paid_at"))
    if due.filter(pk__in=paid_at).update(sales_counted_at=timezone.now()) < len(paid_at):
        raise CountedMeanwhileError
    units_by_day: defaultdict[date, Counter[int]] = defaultdict(Counter)
    lines = OrderLine.objects.filter(order__in=paid_at).order_by()
    for order_id, product_id, amount in lines.values_list("order_id", "product_id", "amount"):
        units_by_day[timezone.localdate(paid_at[order_id], shop_zone())][product_id] += amount
    for day, units in sorted(units_by_day.items()):
        record_sales(units_by_product=units, day=day)
    return len(paid_at)


def count_due_sales() -> int:
    """Count the sales that are due, BATCH orders per transaction; return the number of orders."""
    return process_in_batches("count sales", due_sales(), count_sales, seconds=MAX_SECONDS, size=BATCH)
