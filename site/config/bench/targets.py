"""The targets, and whether they are reached."""

from collections.abc import Iterator
from typing import Any

from config.bench.catalogues import POSTGRESQL

Results = dict[str, Any]
SMALL, MIDDLE, LARGE = 490, 100_000, 1_000_000
MANY = 16
BARE, ROWS = "bare view", "one query, 24 rows"
LIST, LAST, GOODS, SEARCH = (
    "goods/list by category and price",
    "goods/list, last page",
    "goods/{id}",
    "search",
)
CACHED = tuple(
    f"{page} page{language}, cached" for page in ("home", "list", "goods") for language in ("", " in Chinese")
)


def compared(results: Results) -> Iterator[dict[str, Any]]:
    """Yield each target with its figure; `reached` is None where it was not measured."""
    shares = [(name, BARE, 0.7) for name in CACHED]
    shares += [(LIST, ROWS, 0.4), (GOODS, ROWS, 0.6), (SEARCH, ROWS, 0.3)]
    for name, floor, minimum in shares:
        found = _ratio(
            _figure(results, name, MIDDLE, "per_second"), _figure(results, floor, MIDDLE, "per_second")
        )
        yield _at_least(f"{name}: share of the {floor}", minimum, found)
    growths = [(SEARCH, 3.0), (LIST, 2.0), (LAST, 2.0)]
    for name, maximum in growths:
        large, small = (_figure(results, name, size, "p95_ms", connections=1) for size in (LARGE, SMALL))
        yield _at_most(f"{name}: p95 at 1,000,000 products, times that at 490", maximum, _ratio(large, small))
    yield _at_most(
        "search: p95 at 1,000,000 products, ms", 30, _figure(results, SEARCH, LARGE, "p95_ms", connections=1)
    )
    loaded = _of_size(results["imports"], MIDDLE)
    yield _at_most("import of 100,000 products, s", 120, loaded.get("seconds"))
    yield _at_most("import of 100,000 products, peak MB", 400, loaded.get("peak_mb"))
    large_mb, small_mb = (_of_size(results["memory"], size).get("worker_mb") for size in (LARGE, SMALL))
    yield _at_most(
        "memory of a worker at 1,000,000 products, times that at 490", 1.2, _ratio(large_mb, small_mb)
    )


def _figure(results: Results, subject: str, size: int, name: str, connections: int = MANY) -> float | None:
    for row in results["figures"]:
        key = (row["engine"], row["subject"], row["size"], row["connections"])
        if key == (POSTGRESQL, subject, size, connections):
            figure: float = row[name]
            return figure
    return None


def _of_size(rows: list[dict[str, Any]], size: int) -> dict[str, Any]:
    return next((row for row in rows if (row["engine"], row["size"]) == (POSTGRESQL, size)), {})


def _ratio(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


def _at_least(name: str, minimum: float, found: float | None) -> dict[str, Any]:
    reached = None if found is None else found >= minimum
    return {"target": name, "wanted": f"≥ {minimum:g}", "found": _rounded(found), "reached": reached}


def _at_most(name: str, maximum: float, found: float | None) -> dict[str, Any]:
    reached = None if found is None else found <= maximum
    return {"target": name, "wanted": f"≤ {maximum:g}", "found": _rounded(found), "reached": reached}


def _rounded(found: float | None) -> float | None:
    return None if found is None else round(found, 2)
