"""Measures the shop with catalogues of several sizes on each database; then stops.

docs/performance.md#measure-it

python -m config.bench --sizes 490,100000 --seconds 1.5
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from config.bench import report
from config.bench.catalogues import FOLDER, POSTGRESQL, ROOT, SQLITE, BenchError, Catalogue, postgresql
from config.bench.server import Server, environment_of, serving
from config.bench.targets import LARGE, MANY, MIDDLE, SMALL, compared

LATEST = FOLDER / "latest.json"
PUBLISHED = Path(__file__).parent / "latest.json"
WARM_SECONDS = 0.3
PAGE = ROOT / "docs" / "performance.md"
_BETWEEN_MARKERS = re.compile(r"(<!-- bench -->\n).*(<!-- /bench -->)", re.DOTALL)


def main() -> None:
    """Measure, compare with the targets, write and print."""
    options = _options()
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = _environment(options) | {"figures": [], "memory": [], "imports": []}
    failed = False
    for catalogue in _catalogues(options):
        _report_progress(f"{catalogue.engine}, {catalogue.size:,} goods")
        try:
            _add(results, catalogue, options)
        except BenchError as error:
            # The other catalogues are still measured.
            failed = True
            _report_progress(f"✗ {error}")
    results["targets"] = list(compared(results))
    _write(results, options.publish)
    raise SystemExit(failed)


def _add(results: dict[str, Any], catalogue: Catalogue, options: argparse.Namespace) -> None:
    loaded = catalogue.prepare(options.fresh)
    catalogue_facts = {"engine": catalogue.engine, "size": catalogue.size}
    if loaded.seconds:
        results["imports"].append(catalogue_facts | asdict(loaded))
    with serving(catalogue) as server:
        figures = measured(catalogue, server, options.seconds, options.rounds)
        results["figures"] += [catalogue_facts | row for row in figures]
        results["memory"].append(catalogue_facts | {"worker_mb": server.worker_mb()})


def measured(catalogue: Catalogue, server: Server, seconds: float, rounds: int) -> list[dict[str, Any]]:
    """Return the figures of each subject and number of connections, the median of the rounds."""
    command = [sys.executable, "-m", "config.bench.subjects"]
    subjects = json.loads(_run(command, environment_of(catalogue, server.port) | {"LOG_LEVEL": "ERROR"}))
    found: dict[tuple[str, int], list[dict[str, float]]] = {}
    for subject in subjects:
        _load(server, MANY, WARM_SECONDS, subject)
    # Round by round, so that other load on the machine affects all subjects alike.
    for number in range(rounds):
        _report_progress(f"  round {number + 1} of {rounds}")
        for subject in subjects:
            for connections in (1, MANY):
                figures = _load(server, connections, seconds, subject)
                if figures.pop("failed"):
                    raise BenchError(f"{subject['name']}: some requests were not answered with 200")
                found.setdefault((subject["name"], connections), []).append(figures)
    facts = {subject.pop("name"): subject for subject in subjects}
    return [
        {
            "subject": name,
            "connections": connections,
            **{key: statistics.median(row[key] for row in rows) for key in rows[0]},
            **{key: fact for key, fact in facts[name].items() if key not in ("requests", "whole")},
        }
        for (name, connections), rows in found.items()
    ]


def _load(server: Server, connections: int, seconds: float, subject: dict[str, Any]) -> dict[str, float]:
    options = {"port": server.port, "connections": connections, "seconds": seconds}
    options |= {name: subject[name] for name in ("requests", "whole")}
    client = [sys.executable, "-I", str(Path(__file__).parent / "client.py")]
    figures: dict[str, float] = json.loads(_run(client, {}, json.dumps(options)))
    return figures


def _run(command: list[str], environment: dict[str, str], stdin: str = "") -> str:
    done = subprocess.run(command, cwd=ROOT, env=environment, input=stdin, capture_output=True, text=True)
    if done.returncode:
        raise BenchError(f"{Path(command[-1]).name} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _catalogues(options: argparse.Namespace) -> Iterator[Catalogue]:
    server = postgresql() if POSTGRESQL in options.engines else None
    for size in options.sizes:
        if server:
            yield Catalogue(size, server)
        if SQLITE in options.engines:
            yield Catalogue(size)


def _environment(options: argparse.Namespace) -> dict[str, Any]:
    commit = _run(["git", "rev-parse", "--short", "HEAD"], dict(os.environ)).strip()
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit,
        "setting": {
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "workers": 2,
            "threads": 4,
            "seconds": options.seconds,
            "rounds": options.rounds,
        },
    }


def _write(results: dict[str, Any], publish: bool) -> None:
    text = json.dumps(results, ensure_ascii=False, indent=1) + "\n"
    LATEST.write_text(text, "utf-8")
    LATEST.with_suffix(".md").write_text(report.table(results), "utf-8")
    print(report.table(results))
    if publish:
        PUBLISHED.write_text(text, "utf-8")
        PAGE.write_text(with_figures(PAGE.read_text("utf-8"), report.summary(results)), "utf-8")


def with_figures(page: str, figures: str) -> str:
    """Return a page with new figures between its markers; raises BenchError for a page without them."""
    page, count = _BETWEEN_MARKERS.subn(lambda found: found[1] + figures + found[2], page)
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
    parser.add_argument("--seconds", type=float, default=1.5, help="for each subject and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fresh", action="store_true", help="load the catalogues again")
    parser.add_argument("--publish", action="store_true", help="put the figures into docs/performance.md too")
    return parser.parse_args()


def _sizes(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _engines(text: str) -> list[str]:
    known = {name.lower(): name for name in (POSTGRESQL, SQLITE)}
    unknown = [part for part in text.split(",") if part.lower() not in known]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(known.values())}")
    return [known[part.lower()] for part in text.split(",")]


if __name__ == "__main__":
    main()
