"""What became slower since another run."""

from collections.abc import Iterator
from typing import Any

from tools.bench.calibration import slowness
from tools.bench.targets import Results

# Less than this is how figures differ from run to run.
TOLERATED = 1.1
# Of a subject: figures that may not grow, and one that may not shrink.
_COSTS = (
    "p95_ms",
    "server_ms",
    "database_ms",
    "statements",
    "rendered_ms",
    "list_p50_ms",
    "details_p50_ms",
    "slowest_ms",
    "seconds",
    "processor_seconds",
)
_RATE = "per_second"
# Costs that do not depend on how fast the machine is.
_COUNTS = ("statements",)
# Less than so much more is no loss.
_NEGLIGIBLE_MS, _NEGLIGIBLE_SECONDS = 0.5, 0.1


def slower(before: Results, now: Results) -> Iterator[dict[str, Any]]:
    """Yield each figure of a subject that became worse by more than a tenth.

    Where both runs have noted how fast the machine was, their figures are compared as on a quiet one. The
    latencies count with one connection: with many they follow from the rate.
    """
    factor = _factor(before, now)
    earlier = {_key(row): row for row in _rows(before)}
    for row in _rows(now):
        old = earlier.get(_key(row), {})
        for name in (*_COSTS, _RATE):
            was, found = old.get(name), row.get(name)
            if was is None or found is None or (name == "p95_ms" and row["connections"] > 1):
                continue
            if _is_worse(name, was, found, 1.0 if name in _COUNTS else factor):
                yield {"figure": name, "was": was, "found": found} | dict(
                    zip(("engine", "size", "subject", "connections"), _key(row), strict=True)
                )


def _is_worse(name: str, was: float, found: float, factor: float) -> bool:
    """Compare two figures; `factor`: how many times slower the machine is now."""
    if name == _RATE:
        return found * factor * TOLERATED < was
    more = found / factor - was
    if name in _COUNTS:
        return more > was * (TOLERATED - 1)
    return more > max(was * (TOLERATED - 1), _NEGLIGIBLE_MS if name.endswith("_ms") else _NEGLIGIBLE_SECONDS)


def _rows(results: Results) -> Iterator[dict[str, Any]]:
    """Yield what was measured of each subject, and the single figures of each catalogue as subjects too."""
    yield from results["figures"]
    for part, subject in (("starts", "start"), ("imports", "import"), ("windows", "kept pages")):
        # An older run may lack a part.
        for row in results.get(part, []):
            yield {"subject": subject, "connections": 1} | row
    for row in results.get("growth", []):
        facts = {name: row[name] for name in ("engine", "size")} | {"connections": 1}
        subject = f"{row['orders']:,} orders"
        yield (
            facts
            | {"subject": subject, "per_second": row["orders_per_second"]}
            | {name: row[name] for name in ("list_p50_ms", "details_p50_ms")}
        )
        for name in ("expiry", "audit"):
            yield facts | row[name] | {"subject": f"{subject}: {name}"}


def _factor(before: Results, now: Results) -> float:
    if not before.get("loops") or not now.get("loops"):
        return 1.0
    return slowness(now["loops"]) / slowness(before["loops"])


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["engine"], row["size"], row["subject"], row["connections"]
