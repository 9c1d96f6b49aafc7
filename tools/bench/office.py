"""Measures the work of staff and the scheduler in a shop with many orders, in its environment."""

import statistics
import time
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from commerce.orders.models import Order
from commerce.orders.services import expire_due_orders
from tools.bench.customers import make_shoppers
from tools.bench.orders import place
from tools.bench.statements import counting_statements

WARM, TRIES = 2, 7
# A user of the bench's own.
NAME = "bench"
# Orders that are due: those that are timed, and a few whose statements are counted.
DUE, COUNTED = 500, 20


def search() -> dict[str, float]:
    """Return the milliseconds in which staff find an order by its number and by the customer's telephone."""
    client = Client(headers={"Host": settings.ALLOWED_HOSTS[0]})
    staff = User.objects.filter(username=NAME).first() or User.objects.create_superuser(NAME)
    client.force_login(staff)
    last = Order.objects.latest("pk").pk
    order = Order.objects.filter(pk__lte=last // 2 + 1, address__isnull=False).latest("pk")
    assert order.address
    return {
        "by number": _milliseconds(client, order.order_no),
        "by telephone": _milliseconds(client, order.address["contactPhone"]),
    }


def _milliseconds(client: Client, text: str) -> float:
    """Return the median time of the clock of the list of the orders that are found."""
    times = []
    for _ in range(WARM + TRIES):
        began = time.monotonic()
        response = client.get("/admin/orders/", {"q": text})
        times.append(time.monotonic() - began)
        assert response.status_code == 200, f"the back office answers {response.status_code}"
    return round(statistics.median(times[WARM:]) * 1000, 1)


def expire() -> dict[str, float]:
    """Place orders, let their time be over, and end them as the scheduler does; return what that took."""
    orders = [place(shopper) for shopper in make_shoppers()[: DUE + COUNTED]]
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
    return {
        "orders": ended,
        "seconds": round(time.monotonic() - began, 2),
        "processor_seconds": round(time.process_time() - processor_began, 2),
        "statements": round(statements.count / counted, 1),
    }


def _let_pass(orders: list[Order]) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Order.objects.filter(pk__in=[order.pk for order in orders]).update(expires_at=past)
