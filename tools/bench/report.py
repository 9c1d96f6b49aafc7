"""The figures as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from tools.bench.calibration import QUIET_SECONDS, slowness
from tools.bench.targets import INSERT, MANY, SHOWN_MS, Results

_MANY = ("16: per second", "p50 ms", "p95 ms", "p99 ms", "server + database ms")
_VIEWS = ("", "queries", "1 connection: per second", "p50 ms", "p95 ms", *_MANY, "of the floor")
_CALLS = ("", "statements", "1 connection: p50 ms", "p95 ms", *_MANY)


def table(results: Results) -> str:
    """Return everything: the targets, what became slower, a table for each database and size, growth."""
    parts = (_machine, _targets, _slower, _figures, _growth, _screens)
    return "\n".join(line for part in parts for line in [*part(results), ""])


def summary(results: Results) -> str:
    """Return the targets alone, and what they were measured on."""
    return "\n".join([*_machine(results), "", *_targets(results)]) + "\n"


def screens(results: Results) -> str:
    """Return how soon the shop reacts and shows a page on a phone, and when that was measured."""
    measured = f"Measured on {results['made_at'][:10]} at commit {results['commit']}."
    return "\n".join([measured, "", *_screens(results)]) + "\n"


def _table(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield _row(heads)
    yield "|---" * len(heads) + "|"
    yield from map(_row, rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _screens(results: Results) -> Iterator[str]:
    rows = results.get("screens", [])
    if not rows:
        return
    slow = slowness(results["loops"])
    lines = [
        [what, *(f"{row[name]:.0f}, {row[name] / slow:.0f}" for row in rows)]
        for name, what, _maximum in SHOWN_MS
    ]
    scores = [f"{100 - row['home_lacks']:.0f}" for row in rows]
    lines.append(["Lighthouse's performance of the home page, the worst of five, as found", *scores])
    yield from _table(["ms, found and on a quiet machine", *(row["engine"] for row in rows)], lines)


def _machine(results: Results) -> Iterator[str]:
    setting = results["setting"]
    yield (
        f"Measured on {results['made_at'][:10]} at commit {results['commit']}: {setting['cores']} cores that "
        f"server, database and client share, Python {setting['python']}, {setting['workers']} workers of "
        f"{setting['threads']} threads; on PostgreSQL with 100,000 products and 16 connections, unless a "
        "target has its own."
    )
    loops = results["loops"]
    slow = slowness(loops)
    yield (
        f"A fixed loop took {min(loops):.3f} to {max(loops):.3f} s of processor time in the meantime, "
        f"{QUIET_SECONDS} s on a quiet machine; "
        + (
            f"found times and rates of the targets are those of a quiet machine, {slow:.2f} times as fast."
            if slow > 1
            else "so nothing is converted."
        )
    )


def _targets(results: Results) -> Iterator[str]:
    marks = {True: "✓", False: "✗", None: ""}
    rows = []
    for row in results["targets"]:
        found = "not measured" if row["found"] is None else f"{row['found']:g}"
        rows.append((row["target"], row["wanted"], found, marks[row["reached"]]))
    yield from _table(("target", "wanted", "found", ""), rows)


def _slower(results: Results) -> Iterator[str]:
    if not results["slower"]:
        yield "Nothing became slower by more than a tenth since the published run."
        return
    yield "Slower by more than a tenth than in the published run:"
    yield ""
    for row in results["slower"]:
        where = f"{row['engine']}, {row['size']:,} products, {row['connections']} connections"
        yield f"- {row['subject']} ({where}): {row['figure']} was {row['was']:g}, is {row['found']:g}"


def _figures(results: Results) -> Iterator[str]:
    imports = {_catalogue(row): row for row in results["imports"]}
    for catalogue, of_catalogue in groupby(results["figures"], key=_catalogue):
        rows = list(of_catalogue)
        yield f"### {catalogue[0]}, {catalogue[1]:,} products\n"
        if loaded := imports.get(catalogue):
            yield f"Import: {loaded['seconds']:.0f} s, {loaded['peak_mb']:.0f} MB at most."
        yield from _facts(results, catalogue)
        yield ""
        yield from _table(_VIEWS, _views([row for row in rows if row["floor"] != INSERT]))
        calls = [row for row in rows if row["floor"] == INSERT]
        if calls:
            yield ""
            yield from _table(_CALLS, _calls(calls))
        yield ""


def _facts(results: Results, catalogue: tuple[str, int]) -> Iterator[str]:
    """Render the single figures of a catalogue."""
    for row in _of(results["starts"], catalogue):
        yield f"The web server answers after {row['seconds']:g} s."
    for row in _of(results["memory"], catalogue):
        if row["worker_mib"]:
            yield f"A worker has {row['worker_mib']:.0f} MiB after the load."
    for row in _of(results["windows"], catalogue):
        shares = ", ".join(f"{share:g}" for share in row["shares"])
        yield (
            f"Kept pages, mixed, in windows of three seconds: {shares} of the bare view; the slowest answer "
            f"{row['slowest_ms']:.0f} ms, of the bare view {row['floor_slowest_ms']:.0f} ms."
        )
    for row in _of(results["crowds"], catalogue):
        yield (
            f"During 50 concurrent logins and 50 purchases, browsing has a p95 of {row['p95_ms']:.0f} ms, "
            f"without them {row['quiet_p95_ms']:.0f} ms; the last has logged in after "
            f"{row['login_max_ms']:.0f} ms and paid after {row['order_max_ms']:.0f} ms, {row['busy']} were "
            f"asked to try again; a worker has {row['peak_mib'] or 0:.0f} MiB at most."
        )


def _views(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    many: dict[str, float] = {}
    for subject, pair in groupby(rows, key=lambda row: row["subject"]):
        one, sixteen = sorted(pair, key=lambda row: row["connections"])
        many[subject] = sixteen["per_second"]
        floor = many.get(one["floor"])
        share = f"{many[subject] / floor:.2f}" if floor else ""
        yield [subject, _queries(one), _rate(one), *_latencies(one, 2), *_of_many(sixteen), share]


def _calls(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    by_number = {(row["subject"], row["connections"]): row for row in rows}
    for subject in dict.fromkeys(row["subject"] for row in rows):
        one, many = by_number.get((subject, 1)), by_number[subject, MANY]
        alone = _latencies(one, 2) if one else ["", ""]
        yield [f"{subject}{_busy(many)}", _statements(many), *alone, *_of_many(many)]


def _of_many(row: dict[str, Any]) -> list[str]:
    return [_rate(row), *_latencies(row, 3), _cost(row)]


def _statements(row: dict[str, Any]) -> str:
    """Render how many statements there are besides those that begin and end transactions, and these."""
    return f"{row['statements'] - row['of_transactions']:g} + {row['of_transactions']:g}"


def _growth(results: Results) -> Iterator[str]:
    if not results["growth"]:
        return
    yield "### Many orders: PostgreSQL, 490 products\n"
    few = results["growth"][0]
    for row in results["growth"]:
        searches = ", ".join(f"{name} {found:.0f} ms" for name, found in row["searches_ms"].items())
        expiry, audit = row["expiry"], row["audit"]
        yield (
            f"- {row['orders']:,} orders: {row['orders_per_second']:.1f} whole orders a second "
            f"({row['orders_per_second'] / few['orders_per_second']:.2f}); one's orders "
            f"{row['list_p50_ms']:.1f} ms ({row['list_p50_ms'] / few['list_p50_ms']:.2f}), one of them "
            f"{row['details_p50_ms']:.1f} ms ({row['details_p50_ms'] / few['details_p50_ms']:.2f}); found by "
            f"staff {searches}; {expiry['orders']} due orders ended in {expiry['seconds']:g} s with "
            f"{expiry['statements']:g} statements each; audit {audit['seconds']:.1f} s"
        )


def _catalogue(row: dict[str, Any]) -> tuple[str, int]:
    return row["engine"], row["size"]


def _of(rows: list[dict[str, Any]], catalogue: tuple[str, int]) -> list[dict[str, Any]]:
    return [row for row in rows if _catalogue(row) == catalogue]


def _queries(row: dict[str, Any]) -> str:
    made = ""
    if "rendered_with" in row:
        made = f" ({row['rendered_with']} and {row['rendered_ms']:.0f} ms to make it)"
    return f"{row['queries']:g}{made}"


def _rate(row: dict[str, Any]) -> str:
    return f"{row['per_second']:.0f}"


def _latencies(row: dict[str, Any], number: int) -> list[str]:
    return [f"{row[name]:.2f}" for name in ("p50_ms", "p95_ms", "p99_ms")[:number]]


def _busy(row: dict[str, Any]) -> str:
    return f" ({row['busy']:g} asked to try again)" if row.get("busy") else ""


def _cost(row: dict[str, Any]) -> str:
    """Write the processor time of a request: of the server, and of PostgreSQL where it is known."""
    if row.get("server_ms") is None:
        return ""
    database = "" if row.get("database_ms") is None else f" + {row['database_ms']:.1f}"
    return f"{row['server_ms']:.1f}{database}"
