"""What each call of customers who buy costs, measured in the environment of their database."""

import json
import statistics
import time
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from django.test import Client

from tools.bench.client import Step
from tools.bench.customers import make_shoppers, tidy
from tools.bench.statements import counting_statements, open_connections
from tools.bench.steps import (
    ADD,
    BUYERS,
    DETAILS,
    LOGIN,
    ORDERS,
    PREVIEW_OF_MANY,
    PURCHASE,
    PURCHASE_BY_VAN,
    PURCHASE_WITH_OFFERS,
)
from tools.processors import thread_seconds

# Calls whose cost is measured, after some that warm the process up.
WARM, COUNTED = 3, 15
_COSTS = ("statements", "of_transactions", "server_ms", "database_ms")


def send(client: Client, step: Step, values: dict[str, Any]) -> None:
    """Send a call and keep what later ones need; raises AssertionError for an answer that refuses."""
    # The test client leaves out what begins each request: whether the connection still lives.
    close_old_connections()
    response = client.generic(
        step.method,
        step.path % values,
        step.body % values,
        "application/json",
        headers={"token": values["token"]},
    )
    answer = response.json()
    assert (response.status_code, answer.get("code")) == (200, 0), f"{step.name}: {answer}"
    if step.keeps:
        values[step.keeps] = answer["result"][step.keeps]


def costs(shoppers: list[dict[str, Any]], counted: int = COUNTED) -> dict[str, dict[str, Any]]:
    """Return of each call the statements and the milliseconds of this process and of PostgreSQL's.

    `shoppers`: with empty carts, which are filled and then ordered.
    """
    client = Client(headers={"Host": settings.ALLOWED_HOSTS[0]})
    found: dict[str, list[dict[str, Any]]] = {}
    for number, shopper in enumerate(shoppers[: WARM + 2 * counted]):
        values = dict(shopper)
        # Counting takes time itself.
        measure = _warm if number < WARM else _counted if number % 2 else _timed
        for line in json.loads(shopper["lines"]):
            values["goods"] = line["goodsId"]
            found.setdefault(ADD.name, []).append(measure(client, ADD, values))
        for step in (
            *PURCHASE,
            *PURCHASE_BY_VAN,
            *PURCHASE_WITH_OFFERS,
            PREVIEW_OF_MANY,
            ORDERS,
            DETAILS,
            LOGIN,
        ):
            found.setdefault(step.name, []).append(measure(client, step, values))
    return {name: {key: _median(rows, key) for key in _COSTS} for name, rows in found.items()}


def _warm(client: Client, step: Step, values: dict[str, Any]) -> dict[str, Any]:
    send(client, step, values)
    return {}


def _counted(client: Client, step: Step, values: dict[str, Any]) -> dict[str, Any]:
    with counting_statements() as statements:
        send(client, step, values)
    return {"statements": statements.count, "of_transactions": statements.of_transactions}


def _timed(client: Client, step: Step, values: dict[str, Any]) -> dict[str, Any]:
    backends = [each.info.backend_pid for each in open_connections()]
    database, began = _seconds(backends), time.process_time()
    send(client, step, values)
    server = time.process_time() - began
    return {"server_ms": server * 1000, "database_ms": (_seconds(backends) - database) * 1000 or None}


def _seconds(pids: list[int]) -> float:
    """Add up the processor time of PostgreSQL's processes; 0 where it is not known."""
    return sum(thread_seconds(pid) or 0.0 for pid in pids)


def _median(rows: list[dict[str, Any]], key: str) -> float | None:
    known = [row[key] for row in rows if row.get(key) is not None]
    return round(statistics.median(known), 2) if known else None


def prepare() -> dict[str, Any]:
    """Tidy the shop and make the customers; return these `shoppers`, and what their `calls` cost."""
    tidy()
    shoppers = make_shoppers()
    return {"shoppers": shoppers, "calls": costs(shoppers[BUYERS:])}
