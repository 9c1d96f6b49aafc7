"""Updates customers' member levels by their yearly spend (docs/guarantees/money.md#member-levels)."""

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
    """Return the money paid for products in the last 365 days, less refunds, in dollars by customer id.

    One grouped query. Customers without payments are left out.
    """
    paid = Order.objects.filter(
        customer__in=customer_ids, status__in=MONEY_CODES, paid_at__gt=timezone.now() - COUNTED
    )
    spent = Sum(F("goods_amount") - F("points_amount") - F("goods_refunded"))
    # Rounded, since SQLite adds amounts as binary fractions.
    return {pk: aud(total) for pk, total in paid.order_by().values_list("customer").annotate(total=spent)}


def update_levels() -> int:
    """Set customers' member levels by their yearly spend, in batches; return the number of changed customers.

    Levels fixed by staff do not change.
    """
    levels = levels_by_spend()

    def update(customer_ids: list[int]) -> int:
        spent = spent_in_a_year(customer_ids)
        return change_levels({pk: level_for(spent.get(pk, ZERO), levels) for pk in customer_ids})

    return process_in_batches("update levels", Customer.objects.filter(fixed_level=None), update)
