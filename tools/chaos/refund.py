"""Gives a part of an order back by its provider: python -m tools.chaos.refund S2611230ABCDEFG

No lease is held any more, and the scheduler begins the job that sends it.
"""

import sys
from decimal import Decimal
from typing import Any

import django

DOLLAR = Decimal(1)


def main() -> None:
    """Ask for a dollar of an order's payment back, once, and put the job into its queue."""
    django.setup()
    from django.utils import timezone

    from commerce.orders.models import Order
    from commerce.payments.tasks import send_refunds
    from core.models import Lease

    now = timezone.now()
    order = Order.objects.get(order_no=sys.argv[1])
    if not order.order_refunds.exists():
        refund_a_dollar(order)
    # A process that was killed keeps its lease for up to a minute.
    Lease.objects.filter(ends_at__gt=now).update(ends_at=now)
    send_refunds()


def refund_a_dollar(order: Any) -> None:
    """Give a dollar of an order's first line back; raises ShopError where so much is not left of it."""
    from django.contrib.auth.models import User

    from commerce.payments.models import Refund
    from commerce.refunds.services import mark_of, refund_order
    from commerce.refunds.worth import FreightPart, LineWish

    staff, _ = User.objects.get_or_create(username="scenario")
    refund_order(
        order=order,
        lines=[LineWish(order.lines.first().pk, amount=DOLLAR)],
        freight=FreightPart.none,
        to=Refund.To.source,
        staff=staff,
        note="scenario",
        seen=mark_of(order),
    )


if __name__ == "__main__":
    main()
