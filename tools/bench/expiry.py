"""Measures the job that ends unpaid orders: python -m tools.bench.expiry > {"orders", "seconds", …}

Runs as a process of its own, in the environment of its database, whose limits of unpaid orders it lifts.
"""

import json
import sys
import time
from datetime import timedelta
from typing import Any

import django

# Orders that are due: those that are timed, and a few whose statements are counted.
DUE, COUNTED = 500, 20
# One customer of the bench makes such an order in each run, however many runs there are in a day.
LIMITS = {"MAX_UNPAID_ORDERS_A_DAY": "1000000", "MAX_UNPAID_ORDERS": "1000000"}


def main() -> None:
    """Place orders, let their time be over, and end them as the scheduler does."""
    django.setup()
    from commerce.orders.services import expire_due_orders
    from tools.bench.customers import make_shoppers
    from tools.bench.orders import place
    from tools.bench.statements import counting_statements

    shoppers = make_shoppers()
    orders = [place(shopper) for shopper in shoppers[: DUE + COUNTED]]
    # What the process does only once does not count.
    _let_pass(orders[:1])
    expire_due_orders()
    _let_pass(orders[1:COUNTED])
    with counting_statements() as statements:
        counted = expire_due_orders()
    _let_pass(orders[COUNTED:])
    began, processor_began, ended = time.monotonic(), time.process_time(), 0
    while part := expire_due_orders():
        ended += part
    figures = {
        "orders": ended,
        "seconds": round(time.monotonic() - began, 2),
        "processor_seconds": round(time.process_time() - processor_began, 2),
        "statements": round(statements.count / counted, 1),
    }
    json.dump(figures, sys.stdout)


def _let_pass(orders: list[Any]) -> None:
    from django.utils import timezone

    from commerce.orders.models import Order

    past = timezone.now() - timedelta(seconds=1)
    Order.objects.filter(pk__in=[order.pk for order in orders]).update(expires_at=past)


if __name__ == "__main__":
    main()
