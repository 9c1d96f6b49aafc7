"""The targets, and whether they are reached."""

from collections.abc import Iterator
from typing import Any

from tools.bench.calibration import slowness
from tools.launch import POSTGRESQL

Results = dict[str, Any]
SMALL, MIDDLE, LARGE = 490, 100_000, 1_000_000
# Few fill the first page of a customer's orders, as many do: what grows is the table alone.
FEW, TENTH, MILLION = 10_000, 100_000, 1_000_000
MANY = 16
BARE, ROWS, INSERT = "bare view", "one query, 24 rows", "one insert in one transaction"
LIST, LAST, GOODS, SEARCH = (
    "goods/list by category and price",
    "goods/list, last page",
    "goods/{id}",
    "search",
)
ADD, WHOLE, LOGIN = "add to cart", "whole order", "login"
WHOLE_BY_VAN = "whole order by van"
CACHED = tuple(
    f"{page} page{language}, cached" for page in ("home", "list", "goods") for language in ("", " in Chinese")
)
SHARES = [(name, BARE, 0.9) for name in CACHED] + [(LIST, ROWS, 0.4), (GOODS, ROWS, 0.6), (SEARCH, ROWS, 0.3)]
PER_SECOND = [(LIST, 450), (GOODS, 680), (SEARCH, 340), (ADD, 400), (WHOLE, 95)]
ORDER, WITH_OFFERS, MANY_PREVIEWED = "order", "order with offers", "order/preview of 30 lines"
SERVER_MS = [(ADD, 4), (WHOLE, 20), (LOGIN, 30), (MANY_PREVIEWED, 8)]
SHOWN_MS = [
    ("added_ms", "adding to the cart until the next frame", 100),
    ("opened_ms", "opening the cart's drawer until the next frame", 100),
    ("typed_ms", "typing into the address form until the next frame", 100),
    ("page_ms", "a page of the account within a visit", 1200),
    ("first_page_ms", "a page of the account with nothing of the shop in the browser", 2000),
    ("home_paint_ms", "the home page's largest paint, the worst of five runs of Lighthouse", 1800),
    ("home_blocked_ms", "how long it blocks the processor, the worst of five", 150),
]
HOME_LACKS = 5
RENDERED_MS = [("home page, cached", 60), ("list page, cached", 30), ("goods page, cached", 20)]


def compared(results: Results) -> Iterator[dict[str, Any]]:
    """Yield each target with its figure; `reached` is None where it was not measured.

    What a slower machine would make slower is given as on the quiet machine (`tools.bench.calibration`).
    """
    slow = slowness(results.get("loops", []))
    yield from _browsing(results, slow)
    yield from _buying(results, slow)
    yield from _pages(results, slow)
    yield from _crowds(results, slow)
    yield from _growing(results, slow)
    yield from _sizes(results)
    yield from _loading(results, slow)
    yield from _screens(results, slow)
    found = results.get("invoice", {}).get("processor_ms")
    yield _at_most("invoice of 30 lines: processor time, ms", 100, _times(found, 1 / slow))


def _browsing(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    for name, floor, minimum in SHARES:
        found = _ratio(
            _figure(results, name, MIDDLE, "per_second"), _figure(results, floor, MIDDLE, "per_second")
        )
        yield _at_least(f"{name}: share of the {floor}", minimum, found)
    for name, minimum in PER_SECOND:
        found = _figure(results, name, MIDDLE, "per_second")
        yield _at_least(f"{name}: per second", minimum, _times(found, slow))
    for name, maximum in RENDERED_MS:
        found = _figure(results, name, MIDDLE, "rendered_ms")
        yield _at_most(f"{name.removesuffix(', cached')} made again, ms", maximum, _times(found, 1 / slow))


def _buying(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    for name, maximum in SERVER_MS:
        found = _figure(results, name, MIDDLE, "server_ms")
        yield _at_most(f"{name}: processor time of the server, ms", maximum, _times(found, 1 / slow))
    found, of_transactions = (_figure(results, ADD, MIDDLE, key) for key in ("statements", "of_transactions"))
    alone = None if found is None or of_transactions is None else found - of_transactions
    yield _at_most(f"{ADD}: statements besides those that begin and end transactions", 5, alone)
    yield _at_most(f"{WHOLE}: statements", 40, _figure(results, WHOLE, MIDDLE, "statements"))
    by_van = _ratio(
        _figure(results, WHOLE_BY_VAN, MIDDLE, "per_second"), _figure(results, WHOLE, MIDDLE, "per_second")
    )
    yield _at_least(f"{WHOLE_BY_VAN}: share of the {WHOLE}", 0.9, by_van)
    offered, plain = (_figure(results, name, MIDDLE, "statements") for name in (WITH_OFFERS, ORDER))
    more = None if offered is None or plain is None else offered - plain
    # A promotion took ten before there were gifts and vouchers.
    yield _at_most(f"{WITH_OFFERS}: statements more than without", 16, more)


def _pages(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    windows = _of_size(results.get("windows", []), MIDDLE)
    found = windows.get("smallest_share")
    yield _at_least("kept pages: share of the bare view in the worst three seconds", 0.9, found)
    slowest = _times(windows.get("slowest_ms"), 1 / slow)
    yield _at_most("kept pages: slowest answer, ms", 250, slowest)


def _crowds(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    crowd = _of_size(results.get("crowds", []), MIDDLE)
    added = _times(crowd.get("added_ms"), 1 / slow)
    yield _at_most("browsing during 50 logins and 50 purchases: p95, ms more", 200, added)
    yield _at_most("a worker in the meantime, MiB", 250, crowd.get("peak_mib"))
    # What all that was measured left it with.
    yield _at_most("a worker at its peak, MiB", 150, crowd.get("peak_mib"))
    start = _of_size(results.get("starts", []), MIDDLE)
    yield _at_most("start of the web server, s", 2, _times(start.get("seconds"), 1 / slow))


def _screens(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    found = _of_size(results.get("screens", []), SMALL)
    for name, what, maximum in SHOWN_MS:
        yield _at_most(f"on a phone's processor: {what}, ms", maximum, _times(found.get(name), 1 / slow))
    name = "the home page on Lighthouse's phone: what the worst of five runs lacks of 100"
    yield _at_most(name, HOME_LACKS, found.get("home_lacks"))


def _growing(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    growth = {row["orders"]: row for row in results.get("growth", [])}
    audit = growth.get(TENTH, {}).get("audit", {}).get("seconds")
    yield _at_most("audit of 100,000 orders, s", 10, _times(audit, 1 / slow))
    few, million = growth.get(FEW, {}), growth.get(MILLION, {})
    for name, key in (("one's orders", "list_p50_ms"), ("one of them", "details_p50_ms")):
        found = _ratio(million.get(key), few.get(key))
        yield _at_most(f"{name}: p50 with 1,000,000 orders, times that with 10,000", 1.2, found)
    found = _ratio(million.get("audit", {}).get("peak_mb"), few.get("audit", {}).get("peak_mb"))
    yield _at_most("audit: memory with 1,000,000 orders, times that with 10,000", 1.1, found)


def _sizes(results: Results) -> Iterator[dict[str, Any]]:
    growths = [(SEARCH, 3.0), (LIST, 2.0), (LAST, 2.0)]
    for name, maximum in growths:
        large, small = (_figure(results, name, size, "p95_ms", connections=1) for size in (LARGE, SMALL))
        yield _at_most(f"{name}: p95 at 1,000,000 products, times that at 490", maximum, _ratio(large, small))
    yield _at_most(
        "search: p95 at 1,000,000 products, ms", 30, _figure(results, SEARCH, LARGE, "p95_ms", connections=1)
    )
    large_mib, small_mib = (_of_size(results["memory"], size).get("worker_mib") for size in (LARGE, SMALL))
    yield _at_most(
        "memory of a worker at 1,000,000 products, times that at 490", 1.2, _ratio(large_mib, small_mib)
    )


def _loading(results: Results, slow: float) -> Iterator[dict[str, Any]]:
    loaded = _of_size(results["imports"], MIDDLE)
    yield _at_most("import of 100,000 products, s", 120, loaded.get("seconds"))
    processor = _times(loaded.get("processor_seconds"), 1 / slow)
    yield _at_most("import of 100,000 products, s of processor time", 90, processor)
    yield _at_most("import of 100,000 products, peak MB", 400, loaded.get("peak_mb"))


def _figure(results: Results, subject: str, size: int, name: str, connections: int = MANY) -> float | None:
    for row in results["figures"]:
        key = (row["engine"], row["subject"], row["size"], row["connections"])
        if key == (POSTGRESQL, subject, size, connections):
            figure: float | None = row.get(name)
            return figure
    return None


def _of_size(rows: list[dict[str, Any]], size: int) -> dict[str, Any]:
    return next((row for row in rows if (row["engine"], row["size"]) == (POSTGRESQL, size)), {})


def _ratio(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None


def _times(found: float | None, factor: float) -> float | None:
    return None if found is None else found * factor


def _at_least(name: str, minimum: float, found: float | None) -> dict[str, Any]:
    reached = None if found is None else found >= minimum
    return {"target": name, "wanted": f"≥ {minimum:g}", "found": _rounded(found), "reached": reached}


def _at_most(name: str, maximum: float, found: float | None) -> dict[str, Any]:
    reached = None if found is None else found <= maximum
    return {"target": name, "wanted": f"≤ {maximum:g}", "found": _rounded(found), "reached": reached}


def _rounded(found: float | None) -> float | None:
    return None if found is None else round(found, 2)
