"""Measures how staff find an order: python -m tools.bench.office > {"by number": ms, "by telephone": ms}

Runs as a process of its own, in the environment of its database.
"""

import json
import statistics
import sys
import time

import django
from django.conf import settings
from django.test import Client

WARM, TRIES = 2, 7
# A user of the bench's own.
NAME = "bench"


def main() -> None:
    """Look for an order in the middle by its number, and by the telephone of its customer."""
    django.setup()
    from django.contrib.auth.models import User

    from commerce.orders.models import Order

    client = Client(headers={"Host": settings.ALLOWED_HOSTS[0]})
    staff = User.objects.filter(username=NAME).first() or User.objects.create_superuser(NAME)
    client.force_login(staff)
    last = Order.objects.latest("pk").pk
    order = Order.objects.filter(pk__lte=last // 2 + 1, address__isnull=False).latest("pk")
    assert order.address
    figures = {
        "by number": _milliseconds(client, order.order_no),
        "by telephone": _milliseconds(client, order.address["contactPhone"]),
    }
    json.dump(figures, sys.stdout)


def _milliseconds(client: Client, text: str) -> float:
    """Return the median time of the clock of the list of the orders that are found."""
    times = []
    for _ in range(WARM + TRIES):
        began = time.monotonic()
        response = client.get("/admin/orders/", {"q": text})
        times.append(time.monotonic() - began)
        assert response.status_code == 200, f"the back office answers {response.status_code}"
    return round(statistics.median(times[WARM:]) * 1000, 1)


if __name__ == "__main__":
    main()
