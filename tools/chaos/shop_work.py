"""Work that a scenario lets a shop do in its own environment (`Shop.do`)."""

import json
import time
from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

from django.apps import apps
from django.contrib.auth.models import User
from django.utils import timezone

from catalog.goods.models import Product
from catalog.goods.writing import save_product
from commerce.accounts.models import Customer
from commerce.orders.models import Order
from commerce.orders.tasks import expire_orders
from commerce.payments.models import Payment, Recharge, Refund
from commerce.payments.providers.base import Outcome
from commerce.payments.services import settle
from commerce.payments.tasks import send_refunds
from commerce.refunds.services import mark_of, refund_order
from commerce.refunds.worth import FreightPart, LineWish
from core.errors import ShopError
from core.models import Lease
from core.queues import QUEUES

# Between two top-ups, so that they meet many payments.
PAUSE_SECONDS = 0.05
# The first refunds wait for payments from the wallet.
MAX_SECONDS = 120
DOLLAR = Decimal(1)


def expire(order_no: str) -> None:
    """Set an order's end into the past, and queue the job that ends it."""
    Order.objects.filter(order_no=order_no).update(expires_at=timezone.now() - timedelta(seconds=1))
    _end_leases()
    expire_orders()


def refund(order_no: str) -> None:
    """Refund a dollar of an order's payment by its provider, once, and queue the job that sends it."""
    order = Order.objects.get(order_no=order_no)
    if not order.order_refunds.exists():
        _refund_a_dollar(order)
    _end_leases()
    send_refunds()


def count_rows() -> dict[str, int]:
    """Return how many rows each table has, by its name in docs/data-growth.md, and each queue's tasks."""
    tables = {model._meta.label: model for model in apps.get_models(include_auto_created=True)}
    rows = {label: model._default_manager.count() for label, model in tables.items()}
    return rows | {f"queue {name}": queue.huey.pending_count() for name, queue in QUEUES.items()}


def move_money(wanted: str) -> int:
    """Top up the wallets of `customers` by a dollar so many `times`, and as often refund a dollar to them.

    `wanted`: both as JSON. Return how many top-ups and refunds were made.
    """
    options = json.loads(wanted)
    customers = list(Customer.objects.filter(pk__in=options["customers"]))
    made, deadline = 0, time.monotonic() + MAX_SECONDS
    refunds_left = dict.fromkeys(customers, options["times"])
    top_ups_left = options["times"]
    while (top_ups_left or any(refunds_left.values())) and time.monotonic() < deadline:
        for customer in customers:
            if top_ups_left:
                _top_up(customer)
                made += 1
            if refunds_left[customer] and _refund_to_wallet(customer):
                refunds_left[customer] -= 1
                made += 1
        top_ups_left = max(0, top_ups_left - 1)
        time.sleep(PAUSE_SECONDS)
    return made


def rename_product(pk: str, name: str) -> None:
    """Give a product another English name."""
    product = Product.objects.get(pk=pk)
    product.name_en = name
    save_product(product, ["name_en"])


def _end_leases() -> None:
    """End every lease: a process that was killed keeps its own for up to a minute."""
    now = timezone.now()
    Lease.objects.filter(ends_at__gt=now).update(ends_at=now)


def _refund_a_dollar(order: Order) -> None:
    """Refund a dollar of an order's first line; raise ShopError if less is left of it."""
    staff, _ = User.objects.get_or_create(username="scenario")
    refund_order(
        order=order,
        lines=[LineWish(order.lines.earliest("pk").pk, amount=DOLLAR)],
        freight=FreightPart.none,
        to=Refund.To.source,
        staff=staff,
        note="scenario",
        seen=mark_of(order),
    )


def _refund_to_wallet(customer: Customer) -> bool:
    """Refund a dollar of an order that the wallet has paid; return False if there is no such order."""
    for order in Order.objects.filter(customer=customer, paid_at__isnull=False).order_by("goods_refunded"):
        try:
            _refund_a_dollar(order)
        except ShopError:
            continue
        return True
    return False


def _top_up(customer: Customer) -> None:
    """Put a dollar into a wallet; the gateway reports it twice."""
    number = f"R{uuid4().hex[:20]}"
    recharge = Recharge.objects.create(number=number, customer=customer, amount=DOLLAR)
    payment = Payment.objects.create(
        recharge=recharge, reference=f"{number}-1", pay_type="5", provider="sandbox", amount=DOLLAR
    )
    for _ in range(2):
        outcome = Outcome(Payment.State.paid, payment.reference, DOLLAR, payment.currency)
        settle(payment=payment, outcome=outcome)
