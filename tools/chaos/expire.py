"""Lets a minute pass for an order: python -m tools.chaos.expire S2611230ABCDEFG

The order's time is over, no lease is held any more, and the scheduler begins the job that ends the order.
"""

import sys
from datetime import timedelta

import django


def main() -> None:
    """Set the order's end into the past, and put the job into its queue."""
    django.setup()
    from django.utils import timezone

    from commerce.orders.models import Order
    from commerce.orders.tasks import expire_orders
    from core.models import Lease

    now = timezone.now()
    Order.objects.filter(order_no=sys.argv[1]).update(expires_at=now - timedelta(seconds=1))
    # A process that was killed keeps its lease for up to a minute.
    Lease.objects.filter(ends_at__gt=now).update(ends_at=now)
    expire_orders()


if __name__ == "__main__":
    main()
