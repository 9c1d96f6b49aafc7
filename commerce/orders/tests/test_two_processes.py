"""Two processes that sell from one file of SQLite."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from catalog.stock.models import StockLevel
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, audit, make_stocked

# The other process: sends one order after the other, as soon as this one begins too.
BUY = """
import json, sys, django
django.setup()
from django.urls import resolve
from core.database_limits import limit_waiting
from commerce.orders.tests.test_two_processes import buy
limit_waiting("request")
resolve("/api/v1/pc/order")
print("ready", flush=True)
for token, body in json.loads(sys.stdin.readline()):
    print(buy(token, body))
"""


def buy(token: str, body: object) -> str:
    """Send an order; returns the status and "ok" or the reason of the refusal."""
    answer = Client(headers={"token": token}).post("/api/v1/pc/order", body, "application/json")
    return f"{answer.status_code} {answer.json().get('reason', 'ok')}"


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL is a server for any number of processes"
)
@pytest.mark.django_db(transaction=True)
def test_two_processes_sell_the_last_units_once(tmp_path: Path) -> None:
    rice, buyers = make_stocked(6), [Buyer() for _ in range(16)]
    orders = [(buyer.client.defaults["HTTP_TOKEN"], buyer.body((rice, 1))) for buyer in buyers]
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{settings.DATABASES['default']['NAME']}",
        "DATA_DIR": str(tmp_path),
        "ALLOWED_HOSTS": "testserver",
        "LOG_LEVEL": "ERROR",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", BUY], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    process.stdin.write(json.dumps(orders[::2]) + "\n")
    process.stdin.flush()
    answers = Counter(buy(token, body) for token, body in orders[1::2])
    answers.update(process.communicate(timeout=120)[0].splitlines())

    assert answers == {"200 ok": 6, "200 stock_insufficient": 10}
    assert Order.objects.count() == 6
    assert StockLevel.objects.get().reserved == 6
    audit()
