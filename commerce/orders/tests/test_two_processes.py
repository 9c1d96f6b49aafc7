"""Two processes that sell from one file of SQLite: its lock keeps them apart, no queue of threads does."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from catalog.stock.models import StockLevel
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, audit, make_stocked

# Sends one order after the other, as soon as the other process is ready too.
BUY = """
import json, sys, django
django.setup()
from django.test import Client
from core.database_limits import limit_waiting
limit_waiting("request")
print("ready", flush=True)
for headers, body in json.loads(sys.stdin.readline()):
    answer = Client(headers=headers).post("/api/v1/pc/order", body, "application/json")
    print(answer.status_code, answer.json().get("reason", "ok"))
"""


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL is a server for any number of processes"
)
@pytest.mark.django_db(transaction=True)
def test_two_processes_sell_the_last_units_once(tmp_path: Path) -> None:
    rice, buyers = make_stocked(10), [Buyer() for _ in range(40)]
    orders = [(buyer.client.defaults["HTTP_TOKEN"], buyer.body((rice, 1))) for buyer in buyers]
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{settings.DATABASES['default']['NAME']}",
        "DATA_DIR": str(tmp_path),
        "ALLOWED_HOSTS": "testserver",
        "LOG_LEVEL": "ERROR",
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", BUY],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process, share in zip(processes, (orders[::2], orders[1::2]), strict=True):
        assert process.stdin
        process.stdin.write(json.dumps([({"token": token}, body) for token, body in share]) + "\n")
        process.stdin.flush()
    answers = Counter(
        line for process in processes for line in process.communicate(timeout=120)[0].splitlines()
    )

    assert answers == {"200 ok": 10, "200 stock_insufficient": 30}
    assert Order.objects.count() == 10
    assert StockLevel.objects.get().reserved == 10
    audit()
