"""Measures a shop that has many orders next to one that has few."""

import json
from typing import Any

from tools.bench.buying import prepared, tidied
from tools.bench.catalogues import Catalogue
from tools.bench.customers import BUYERS
from tools.bench.expiry import LIMITS
from tools.bench.loads import run_chains, run_module
from tools.bench.orders import ORIGINALS
from tools.bench.purchases import DETAILS, ORDERS, PURCHASE
from tools.bench.server import environment_of, serving
from tools.bench.targets import MANY


def measured(catalogue: Catalogue, fresh: bool, seconds: float, rounds: int) -> dict[str, Any]:
    """Return the times of buying, reading one's orders, staff's searches, the job and the audit."""
    catalogue.prepare(fresh)
    figures: dict[str, Any] = {"orders": catalogue.orders}
    with serving(catalogue) as server:
        environment = environment_of(catalogue, server.port) | {"LOG_LEVEL": "ERROR"}
        shoppers, _calls = prepared(catalogue, server)
        # Whose orders were copied.
        rich = sorted(shoppers, key=lambda shopper: int(shopper["id"]))[:ORIGINALS]
        run_chains(server, MANY, seconds, PURCHASE, shoppers[:BUYERS])
        buying = run_chains(server, MANY, seconds * rounds, PURCHASE, shoppers[:BUYERS])
        reading = run_chains(server, 1, seconds * rounds, [*PURCHASE, ORDERS, DETAILS], rich)
        figures["orders_per_second"] = buying["whole"]["per_second"]
        figures["list_p50_ms"] = reading["steps"][ORDERS.name]["p50_ms"]
        figures["details_p50_ms"] = reading["steps"][DETAILS.name]["p50_ms"]
        tidied(catalogue, server)
        figures["searches_ms"] = json.loads(run_module("tools.bench.office", environment=environment))
        figures["expiry"] = json.loads(run_module("tools.bench.expiry", environment=environment | LIMITS))
    figures["audit"] = _audit(catalogue)
    return figures


def _audit(catalogue: Catalogue) -> dict[str, float | None]:
    """Run the audit; raises BenchError for a shop whose books do not agree."""
    seconds, peak, processor = catalogue.manage("audit")
    return {"seconds": round(seconds, 2), "processor_seconds": processor, "peak_mb": round(peak, 1)}
