"""Counts the sales of paid orders: after the payment, so that no payment waits for products or the index."""

from django.db.models import QuerySet, Sum
from django.utils import timezone

from catalog.goods.sales import record_sales
from commerce.orders.models import Order
from core.clock import shop_zone
from core.sweeps import sweep
from core.transactions import in_transaction


def due_sales() -> QuerySet[Order]:
    """Return the paid orders whose sales are not counted yet."""
    return Order.objects.filter(paid_at__isnull=False, sales_counted_at=None)


@in_transaction
def count_sales(order_id: int) -> bool:
    """Count the units of a paid order as sold on the day it was paid, once; False if that is not due.

    Locks: Order, then the products in pk order, then the search index (docs/guarantees.md#sales).
    """
    if not due_sales().filter(pk=order_id).update(sales_counted_at=timezone.now()):
        return False
    order = Order.objects.get(pk=order_id)
    units = order.lines.order_by().values_list("product_id").annotate(units=Sum("amount"))
    record_sales(units_by_product=dict(units), day=timezone.localdate(order.paid_at, shop_zone()))
    return True


def count_due_sales() -> int:
    """Count what is due, each order in a transaction of its own; returns how many."""
    return sweep("count sales", due_sales().order_by("paid_at", "pk"), count_sales)
