"""Moves money of wallets while a shop runs: python -m tools.chaos.topups '{"customers": [id], …}'.

Prints how many top-ups and refunds it has made.
"""

import json
import sys
import time
from decimal import Decimal
from typing import Any
from uuid import uuid4

import django

# Between two top-ups, so that they meet many payments.
PAUSE_SECONDS = 0.05
# The first refunds wait for payments from the wallet.
MAX_SECONDS = 120
DOLLAR = Decimal(1)


def main() -> None:
    """Top up the wallets of `customers` by a dollar so many `times`, and as often refund a dollar to them."""
    django.setup()
    from commerce.accounts.models import Customer

    wanted = json.loads(sys.argv[1])
    customers = list(Customer.objects.filter(pk__in=wanted["customers"]))
    made, deadline = 0, time.monotonic() + MAX_SECONDS
    refunds_left = dict.fromkeys(customers, wanted["times"])
    for _ in range(wanted["times"]):
        for customer in customers:
            _top_up(customer)
            made += 1
            if _refund(customer):
                refunds_left[customer] -= 1
                made += 1
        time.sleep(PAUSE_SECONDS)
    while any(refunds_left.values()) and time.monotonic() < deadline:
        for customer in customers:
            if refunds_left[customer] and _refund(customer):
                refunds_left[customer] -= 1
                made += 1
        time.sleep(PAUSE_SECONDS)
    json.dump(made, sys.stdout)


def _top_up(customer: Any) -> None:
    """Put a dollar into a wallet; the gateway reports it twice."""
    from commerce.payments.models import Payment, Recharge
    from commerce.payments.providers.base import Outcome
    from commerce.payments.services import settle

    number = f"R{uuid4().hex[:20]}"
    recharge = Recharge.objects.create(number=number, customer=customer, amount=DOLLAR)
    payment = Payment.objects.create(
        recharge=recharge, reference=f"{number}-1", pay_type="5", provider="sandbox", amount=DOLLAR
    )
    for _ in range(2):
        outcome = Outcome(Payment.State.paid, payment.reference, DOLLAR, payment.currency)
        settle(payment=payment, outcome=outcome)


def _refund(customer: Any) -> bool:
    """Give a dollar of an order that the wallet has paid back to it; False while there is no such order."""
    from commerce.orders.models import Order
    from core.errors import ShopError
    from tools.chaos.refund import refund_a_dollar

    for order in Order.objects.filter(customer=customer, paid_at__isnull=False).order_by("goods_refunded"):
        try:
            refund_a_dollar(order)
        except ShopError:
            continue
        return True
    return False


if __name__ == "__main__":
    main()
