"""A Redis that is gone, or that hangs (docs/production.md#redis)."""

import runpy
import socket
import time
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings as shop
from django.test import Client
from django.utils.module_loading import import_string
from huey import RedisHuey

from catalog.search.models import FailedSearch
from commerce.accounts.tests.builders import PASSWORD
from commerce.orders.sales import count_due_sales
from commerce.orders.tests.builders import Buyer, audit, make_order, top_up
from commerce.payments.tests.builders import make_payment, pay
from commerce.payments.tests.test_sandbox import Browser
from core.queues import QUEUES

# What one call of Redis may take.
MAX_SECONDS = 2.5


@pytest.fixture(params=["gone", "hanging"])
def redis(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """The settings of a shop whose Redis is gone, or takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        if request.param == "gone":
            server.close()
        monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{port}/0")
        yield runpy.run_path(str(shop.BASE_DIR / "site" / "config" / "settings.py"))


@pytest.fixture
def queues(redis: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the queues be stored there."""
    options = redis["QUEUE_STORE"].copy()
    kind = import_string(options.pop("huey_class"))
    assert kind is RedisHuey
    for queue in QUEUES.values():
        store = kind(queue.name, results=False, **options).storage
        monkeypatch.setattr(queue.huey, "_immediate", False)
        monkeypatch.setattr(queue.huey, "storage", store)


@pytest.mark.django_db(transaction=True)
def test_without_redis_a_search_that_finds_nothing_is_answered(queues: None, client: Client) -> None:
    assert client.get("/shop", {"word": "nothing like it"}).status_code == 200
    assert not FailedSearch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_redis_orders_are_paid_and_their_sales_are_counted_later(queues: None) -> None:
    import_module("commerce.payments.migrations.0001_initial").add_pay_types(apps, None)
    buyer = Buyer()
    from_wallet, order = make_order(buyer), make_order(buyer)
    top_up(buyer.customer, 500)
    started = time.monotonic()
    assert pay(buyer, from_wallet, "0", password=PASSWORD)["code"] == 0
    # The sandbox gateway would send a notice; the payment of a returning customer is polled.
    payment = make_payment(buyer, order)
    assert Browser(payment).press("paid")[0] == 302
    assert buyer.send("GET", f"/pay/result/{order.order_no}")["result"]["paid"]
    assert time.monotonic() - started < 3 * MAX_SECONDS + 10
    assert count_due_sales() == 2
    audit()
