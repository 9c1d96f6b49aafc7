"""Measures the shop with catalogues of several sizes on each database; then stops.

docs/performance.md#measure-it

python -m tools.bench --sizes 490,100000 --seconds 1.5 --only purchase,start
"""

import argparse
import json
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from tools.bench import (
    browsing,
    buying,
    crowd,
    growth,
    home_page,
    identity,
    invoices,
    report,
    screens,
    starts,
    windows,
)
from tools.bench.calibration import QUIET_SECONDS, loop_seconds
from tools.bench.catalogues import FOLDER, POSTGRESQL, ROOT, SQLITE, BenchError, Catalogue, postgresql
from tools.bench.comparison import slower
from tools.bench.loads import commit_of
from tools.bench.server import Server, serving
from tools.bench.targets import FEW, LARGE, MIDDLE, MILLION, SMALL, TENTH, compared

LATEST = FOLDER / "latest.json"
PUBLISHED = Path(__file__).parent / "latest.json"
PAGE = ROOT / "docs" / "performance-figures.md"
BROWSE, PURCHASE, PAGES, GROWTH, START, INVOICE, IDENTITY, SCREENS = PARTS = (
    "browse",
    "purchase",
    "pages",
    "growth",
    "start",
    "invoice",
    "identity",
    "screens",
)
# What is published apart, so that it can be measured without all the rest.
_APART = frozenset({IDENTITY, SCREENS})
# What needs no catalogue of each size.
_OF_NO_SIZE = frozenset({GROWTH, INVOICE, IDENTITY})
T = TypeVar("T")


def main() -> None:
    """Measure, compare with the targets and with the published run, write and print."""
    options = _options()
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = ("figures", "windows", "crowds", "starts", "memory", "imports", "growth", "identity", "screens")
    results = _environment(options) | {name: [] for name in rows} | {"loops": [loop_seconds()]}
    if INVOICE in options.only:
        results["invoice"] = _measured("invoice", invoices.measured)
    failed = False
    for catalogue, measure in _work(options):
        _report_progress(str(catalogue))
        try:
            measure(results, catalogue, options)
        except BenchError as error:
            # The other catalogues are still measured.
            failed = True
            _report_progress(f"✗ {error}")
        results["loops"].append(loop_seconds())
    results["targets"] = list(compared(results))
    results["slower"] = list(slower(json.loads(PUBLISHED.read_text("utf-8")), results))
    _write(results, options)
    raise SystemExit(failed)


def _work(
    options: argparse.Namespace,
) -> Iterator[tuple[Catalogue, Callable[[dict[str, Any], Catalogue, argparse.Namespace], None]]]:
    server = postgresql() if POSTGRESQL in options.engines else None
    for size in options.sizes if set(options.only) - _OF_NO_SIZE else []:
        if server:
            yield Catalogue(size, server), _add
        if SQLITE in options.engines:
            yield Catalogue(size), _add
    if IDENTITY in options.only:
        if server:
            yield Catalogue(SMALL, server), _add_identity
        if SQLITE in options.engines:
            yield Catalogue(SMALL), _add_identity
    # The databases of many orders have few products: what grows is measured alone.
    if GROWTH in options.only and server:
        for orders in (FEW, *options.orders):
            yield Catalogue(SMALL, server, orders), _add_growth


def _add(results: dict[str, Any], catalogue: Catalogue, options: argparse.Namespace) -> None:
    loaded = catalogue.prepare(options.fresh)
    facts = {"engine": catalogue.engine, "size": catalogue.size}
    if loaded.seconds:
        results["imports"].append(facts | asdict(loaded))
    if START in options.only:
        results["starts"].append(facts | _measured("start", lambda: starts.measured(catalogue)))
    if not set(options.only) - _OF_NO_SIZE - {START}:
        return
    with serving(catalogue) as server:
        _measure(results, facts, catalogue, server, options)
        results["memory"].append(facts | {"worker_mib": server.worker_mib()})


def _measure(
    results: dict[str, Any],
    facts: dict[str, Any],
    catalogue: Catalogue,
    server: Server,
    options: argparse.Namespace,
) -> None:
    """Measure what one running server is asked for."""
    seconds, rounds, parts = options.seconds, options.rounds, options.only
    subjects = browsing.subjects_of(catalogue, server)
    asked = subjects if BROWSE in parts else [subject for subject in subjects if not subject["floor"]]
    found = _measured("browse", lambda: browsing.measured(asked, server, seconds, rounds))
    results["figures"] += [facts | row for row in found]
    # The largest catalogue and SQLite are for comparison; there the rest would take too long.
    is_whole = catalogue.engine == POSTGRESQL and catalogue.size <= MIDDLE
    if PAGES in parts and is_whole:
        results["windows"].append(facts | _measured("pages", lambda: windows.measured(subjects, server)))
    watches = SCREENS in parts and catalogue.size == SMALL
    if PURCHASE not in parts and not watches:
        return
    shoppers, calls = _measured("purchase", lambda: buying.prepared(catalogue, server))
    if watches:
        seen = _measured(
            "screens", lambda: screens.measured(shoppers[0], server) | home_page.measured(server)
        )
        results["screens"].append(facts | seen)
    if PURCHASE not in parts:
        buying.tidied(catalogue, server)
        return
    found = buying.measured(shoppers, calls, server, seconds, rounds)
    results["figures"] += [facts | row for row in found]
    if is_whole:
        results["crowds"].append(
            facts | _measured("crowd", lambda: crowd.measured(subjects, shoppers, server))
        )
    buying.tidied(catalogue, server)


def _add_growth(results: dict[str, Any], catalogue: Catalogue, options: argparse.Namespace) -> None:
    found = growth.measured(catalogue, options.fresh, options.seconds, options.rounds)
    results["growth"].append({"engine": catalogue.engine, "size": catalogue.size} | found)


def _add_identity(results: dict[str, Any], catalogue: Catalogue, options: argparse.Namespace) -> None:
    catalogue.prepare(options.fresh)
    found = _measured(IDENTITY, lambda: identity.measured(catalogue))
    results["identity"] += [{"engine": catalogue.engine} | row for row in found]


def _measured(name: str, measure: Callable[[], T]) -> T:
    _report_progress(f"  {name}")
    return measure()


def _environment(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit_of(ROOT),
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
    for name, figures in ((IDENTITY, report.identity), (SCREENS, report.screens)):
        if results[name]:
            page = with_figures(page, figures(results), name)
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
    parser.add_argument("--engines", type=_engines, default=[POSTGRESQL, SQLITE])
    parser.add_argument(
        "--only", type=_parts, default=list(PARTS), help=f"of {', '.join(PARTS)}, with commas"
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


def _parts(text: str) -> list[str]:
    unknown = set(text.split(",")) - set(PARTS)
    if unknown:
        raise argparse.ArgumentTypeError(f"{min(unknown)} is none of {', '.join(PARTS)}")
    return text.split(",")


def _engines(text: str) -> list[str]:
    known = {name.lower(): name for name in (POSTGRESQL, SQLITE)}
    unknown = [part for part in text.split(",") if part.lower() not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known.values())}")
    return [known[part.lower()] for part in text.split(",")]


if __name__ == "__main__":
    main()
