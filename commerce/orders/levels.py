"""Gives customers the member level of what they have spent (docs/guarantees/money.md#member-levels)."""

from collections.abc import Collection
from datetime import timedelta
from decimal import Decimal

from django.db.models import F, Sum
from django.utils import timezone

from commerce.accounts.models import Customer
from commerce.accounts.services import change_levels, level_for, levels_by_spend
from commerce.orders.models import Order
from commerce.orders.status import MONEY_CODES
from core.due_rows import process_in_batches
from core.money import ZERO, aud

COUNTED = timedelta(days=365)


def spent_in_a_year(customer_ids: Collection[int]) -> dict[int, Decimal]:
    """Return what customers have paid for products in the last 365 days, less refunds, in dollars.

    One grouped query. Customers who have paid nothing are left out.
    """
    paid = Order.objects.filter(
        customer__in=customer_ids, status__in=MONEY_CODES, paid_at__gt=timezone.now() - COUNTED
    )
    spent = Sum(F("goods_amount") - F("points_amount") - F("goods_refunded"))
    # SQLite adds amounts as binary fractions.
    return {pk: aud(total) for pk, total in paid.order_by().values_list("customer").annotate(total=spent)}


def update_levels() -> int:
    """Give each customer the level of what they have spent, some in each statement; returns how many changed.

    Customers keep a level that staff have given.
    """
    levels = levels_by_spend()

    def update(customer_ids: list[int]) -> int:
        spent = spent_in_a_year(customer_ids)
        return change_levels({pk: level_for(spent.get(pk, ZERO), levels) for pk in customer_ids})

    return process_in_batches("update levels", Customer.objects.filter(fixed_level=None), update)
