"""Gives a part of an order back by its provider: python -m config.storm.refund S2611230ABCDEFG

No lease is held any more, and the clock begins the sweep that sends it.
"""

import sys
from decimal import Decimal

import django

DOLLAR = Decimal(1)


def main() -> None:
    """Ask for a dollar of an order's payment back, once, and put the sweep into its queue."""
    django.setup()
    from django.utils import timezone

    from commerce.payments.models import Payment, Refund
    from commerce.payments.services import request_refund
    from commerce.payments.tasks import send_refunds
    from core.models import Lease

    now = timezone.now()
    payment = Payment.objects.get(order__order_no=sys.argv[1], state=Payment.State.paid)
    if not payment.refunds.exists():
        request_refund(payment=payment, amount=DOLLAR, reason=Refund.Reason.order_refund)
    # A process that was killed keeps its lease for up to a minute.
    Lease.objects.filter(ends_at__gt=now).update(ends_at=now)
    send_refunds()


if __name__ == "__main__":
    main()
