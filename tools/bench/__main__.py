"""Measures the shop with catalogues of several sizes on each database; then stops.

docs/performance.md#measure-it

python -m tools.bench --sizes 490,100000 --seconds 1.5 --only purchase,start
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tools.bench import browsing, buying, crowd, growth, home_page, report, screens
from tools.bench.calibration import QUIET_SECONDS, loop_seconds
from tools.bench.catalogues import FOLDER, BenchError, Catalogue, postgresql
from tools.bench.comparison import slower
from tools.bench.server import Server, serving, start_times
from tools.bench.targets import FEW, LARGE, MIDDLE, MILLION, SMALL, TENTH, compared
from tools.launch import POSTGRESQL, ROOT, SQLITE, names_of

LATEST = FOLDER / "latest.json"
PUBLISHED = Path(__file__).parent / "latest.json"
PAGE = ROOT / "docs" / "performance-figures.md"
BROWSE, PURCHASE, PAGES, GROWTH, START, INVOICE, SCREENS = PARTS = (
    "browse",
    "purchase",
    "pages",
    "growth",
    "start",
    "invoice",
    "screens",
)
# What is published apart, so that it can be measured without all the rest.
_APART = frozenset({SCREENS})
# What needs no catalogue of each size.
_OF_NO_SIZE = frozenset({GROWTH, INVOICE})
T = TypeVar("T")


def main() -> None:
    """Measure, compare with the targets and with the published run, write and print."""
    options = _options()
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = ("figures", "windows", "crowds", "starts", "memory", "imports", "growth", "screens")
    results = _environment(options) | {name: [] for name in rows} | {"loops": [loop_seconds()]}
    if INVOICE in options.only:
        results["invoice"] = _measured(INVOICE, lambda: _invoice(options))
    failed = False
    for catalogue in _catalogues(options):
        _report_progress(str(catalogue))
        try:
            (_add_growth if catalogue.orders else _add)(results, catalogue, options)
        except BenchError as error:
            # The other catalogues are still measured.
            failed = True
            _report_progress(f"✗ {error}")
        results["loops"].append(loop_seconds())
    results["targets"] = list(compared(results))
    results["slower"] = list(slower(json.loads(PUBLISHED.read_text("utf-8")), results))
    _write(results, options)
    raise SystemExit(failed)


def _invoice(options: argparse.Namespace) -> dict[str, float]:
    """Measure an invoice, which names a pay type of the database."""
    catalogue = Catalogue(SMALL)
    catalogue.prepare(options.fresh)
    figures: dict[str, float] = catalogue.call("invoices", "measure")
    return figures


def _catalogues(options: argparse.Namespace) -> Iterator[Catalogue]:
    server = postgresql() if POSTGRESQL in options.engines else None
    for size in options.sizes if set(options.only) - _OF_NO_SIZE else []:
        if server:
            yield Catalogue(size, server)
        if SQLITE in options.engines:
            yield Catalogue(size)
    # The databases of many orders have few products: what grows is measured alone.
    if GROWTH in options.only and server:
        for orders in (FEW, *options.orders):
            yield Catalogue(SMALL, server, orders)


def _add(results: dict[str, Any], catalogue: Catalogue, options: argparse.Namespace) -> None:
    loaded = catalogue.prepare(options.fresh)
    facts = {"engine": catalogue.engine, "size": catalogue.size}
    if loaded.seconds:
        results["imports"].append(facts | asdict(loaded))
    if START in options.only:
        results["starts"].append(facts | _measured(START, lambda: start_times(catalogue)))
    if not set(options.only) - _OF_NO_SIZE - {START}:
        return
    with serving(catalogue) as server:
        _measure(results, facts, server, options)
        results["memory"].append(facts | {"worker_mib": server.worker_mib()})


def _measure(
    results: dict[str, Any], facts: dict[str, Any], server: Server, options: argparse.Namespace
) -> None:
    """Measure what one running server is asked for."""
    seconds, rounds, parts, catalogue = options.seconds, options.rounds, options.only, server.catalogue
    subjects = server.call("subjects", "describe")
    asked = subjects if BROWSE in parts else [subject for subject in subjects if not subject["floor"]]
    found = _measured(BROWSE, lambda: browsing.measured(asked, server, seconds, rounds))
    results["figures"] += [facts | row for row in found]
    # The largest catalogue and SQLite are for comparison; there the rest would take too long.
    is_whole = catalogue.engine == POSTGRESQL and catalogue.size <= MIDDLE
    if PAGES in parts and is_whole:
        results["windows"].append(facts | _measured(PAGES, lambda: browsing.by_windows(subjects, server)))
    watches = SCREENS in parts and catalogue.size == SMALL
    if PURCHASE not in parts and not watches:
        return
    shoppers, calls = _measured(PURCHASE, lambda: buying.prepared(server))
    if watches:
        seen = _measured(SCREENS, lambda: screens.measured(shoppers[0], server) | home_page.measured(server))
        results["screens"].append(facts | seen)
    if PURCHASE in parts:
        found = buying.measured(shoppers, calls, server, seconds, rounds)
        results["figures"] += [facts | row for row in found]
    if PURCHASE in parts and is_whole:
        busy = _measured("crowd", lambda: crowd.measured(subjects, shoppers, server))
        results["crowds"].append(facts | busy)
    buying.tidied(server)


def _add_growth(results: dict[str, Any], catalogue: Catalogue, options: argparse.Namespace) -> None:
    found = growth.measured(catalogue, options.fresh, options.seconds, options.rounds)
    results["growth"].append({"engine": catalogue.engine, "size": catalogue.size} | found)


def _measured(name: str, measure: Callable[[], T]) -> T:
    _report_progress(f"  {name}")
    return measure()


def _environment(options: argparse.Namespace) -> dict[str, Any]:
    command = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit.stdout.strip(),
        "setting": {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "workers": 2,
            "threads": 4,
            "seconds": options.seconds,
            "rounds": options.rounds,
            "quiet_loop": QUIET_SECONDS,
        },
    }


def _write(results: dict[str, Any], options: argparse.Namespace) -> None:
    text = json.dumps(results, ensure_ascii=False, indent=1) + "\n"
    LATEST.write_text(text, "utf-8")
    LATEST.with_suffix(".md").write_text(report.table(results), "utf-8")
    print(report.table(results))
    if not options.publish:
        return
    page = PAGE.read_text("utf-8")
    if set(options.only) - _APART:
        PUBLISHED.write_text(text, "utf-8")
        page = with_figures(page, report.summary(results))
    if results["screens"]:
        page = with_figures(page, report.screens(results), SCREENS)
    PAGE.write_text(page, "utf-8")


def with_figures(page: str, figures: str, name: str = "bench") -> str:
    """Return a page with new figures between its markers; raises BenchError for a page without them."""
    markers = re.compile(rf"(<!-- {name} -->\n).*(<!-- /{name} -->)", re.DOTALL)
    page, count = markers.subn(lambda found: found[1] + figures + found[2], page)
    if count != 1:
        raise BenchError(f"{PAGE.name} needs one pair of markers for the figures")
    return page


def _report_progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description="Measure the shop.")
    parser.add_argument(
        "--sizes", type=_sizes, default=[SMALL, MIDDLE, LARGE], help="numbers of products, with commas"
    )
    parser.add_argument("--engines", type=names_of((POSTGRESQL, SQLITE)), default=[POSTGRESQL, SQLITE])
    parser.add_argument(
        "--only", type=names_of(PARTS), default=list(PARTS), help=f"of {', '.join(PARTS)}, with commas"
    )
    parser.add_argument(
        "--orders", type=_sizes, default=[TENTH, MILLION], help="numbers of orders to grow to, with commas"
    )
    parser.add_argument("--seconds", type=float, default=1.5, help="for each subject and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="load the catalogues again")
    parser.add_argument("--publish", action="store_true", help="write docs/performance-figures.md too")
    return parser.parse_args()


def _sizes(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


if __name__ == "__main__":
    main()
