"""Measures a shop that has many orders next to one that has few."""

from typing import Any

from tools.bench.buying import prepared, tidied
from tools.bench.catalogues import Catalogue
from tools.bench.loads import run_chains
from tools.bench.server import serving
from tools.bench.steps import BUYERS, DETAILS, ORDERS, ORIGINALS, PURCHASE
from tools.bench.targets import MANY

# One customer of the bench makes an order that expires in each run, however many runs there are in a day.
LIMITS = {"MAX_UNPAID_ORDERS_A_DAY": "1000000", "MAX_UNPAID_ORDERS": "1000000"}


def measured(catalogue: Catalogue, fresh: bool, seconds: float, rounds: int) -> dict[str, Any]:
    """Return the times of buying, reading one's orders, staff's searches, the job and the audit."""
    catalogue.prepare(fresh)
    figures: dict[str, Any] = {"orders": catalogue.orders}
    with serving(catalogue) as server:
        shoppers, _calls = prepared(server)
        # Whose orders were copied.
        rich = sorted(shoppers, key=lambda shopper: int(shopper["id"]))[:ORIGINALS]
        run_chains(server, MANY, seconds, PURCHASE, shoppers[:BUYERS])
        buying = run_chains(server, MANY, seconds * rounds, PURCHASE, shoppers[:BUYERS])
        reading = run_chains(server, 1, seconds * rounds, [*PURCHASE, ORDERS, DETAILS], rich)
        figures["orders_per_second"] = buying["whole"]["per_second"]
        figures["list_p50_ms"] = reading["steps"][ORDERS.name]["p50_ms"]
        figures["details_p50_ms"] = reading["steps"][DETAILS.name]["p50_ms"]
        tidied(server)
        figures["searches_ms"] = server.call("office", "search")
        figures["expiry"] = server.call("office", "expire", **LIMITS)
    figures["audit"] = _audit(catalogue)
    return figures


def _audit(catalogue: Catalogue) -> dict[str, float | None]:
    """Run the audit; raises BenchError for a shop whose books do not agree."""
    seconds, peak, processor = catalogue.manage("audit")
    return {"seconds": round(seconds, 2), "processor_seconds": processor, "peak_mb": round(peak, 1)}
