"""The figures as Markdown."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from config.bench.targets import Results

_HEADING = """\
| | queries | 1 connection: per second | p50 ms | p95 ms | 16: per second | p50 ms | p95 ms | of the floor |
|---|---|---|---|---|---|---|---|---|"""


def table(results: Results) -> str:
    """Return the targets, then a table for each database and size."""
    return "\n".join([*_targets(results), *_figures(results)]) + "\n"


def summary(results: Results) -> str:
    """Return the targets alone, and what they were measured on."""
    return "\n".join([_machine(results), "", *_targets(results)]) + "\n"


def _machine(results: Results) -> str:
    setting = results["setting"]
    return (
        f"Measured on {results['made_at'][:10]} at commit {results['commit']}: {setting['cores']} cores that "
        f"server, database and client share, Python {setting['python']}, {setting['workers']} workers of "
        f"{setting['threads']} threads; on PostgreSQL with 100,000 products and 16 connections, unless a "
        "target says otherwise."
    )


def _targets(results: Results) -> Iterator[str]:
    yield "| target | wanted | found | |"
    yield "|---|---|---|---|"
    for row in results["targets"]:
        found = "not measured" if row["found"] is None else f"{row['found']:g}"
        mark = {True: "✓", False: "✗", None: ""}[row["reached"]]
        yield f"| {row['target']} | {row['wanted']} | {found} | {mark} |"


def _figures(results: Results) -> Iterator[str]:
    def catalogue(row: dict[str, Any]) -> tuple[str, int]:
        return row["engine"], row["size"]

    memory = {catalogue(row): row["worker_mb"] for row in results["memory"]}
    imports = {catalogue(row): row for row in results["imports"]}
    for (engine, size), rows in groupby(results["figures"], key=catalogue):
        yield f"\n### {engine}, {size:,} products\n"
        if loaded := imports.get((engine, size)):
            yield f"Import: {loaded['seconds']:.0f} s, {loaded['peak_mb']:.0f} MB at most."
        if memory.get((engine, size)):
            yield f"A worker has {memory[engine, size]:.0f} MB after the load."
        yield "\n" + _HEADING
        by_subject = groupby(rows, key=lambda row: row["subject"])
        many: dict[str, float] = {}
        for subject, pair in by_subject:
            one, sixteen = sorted(pair, key=lambda row: row["connections"])
            many[subject] = sixteen["per_second"]
            share = f"{many[subject] / many[one['floor']]:.2f}" if one["floor"] else ""
            yield f"| {subject} | {_queries(one)} | {_cells(one)} | {_cells(sixteen)} | {share} |"


def _queries(row: dict[str, Any]) -> str:
    made = f" ({row['rendered_with']} to render it)" if "rendered_with" in row else ""
    return f"{row['queries']:g}{made}"


def _cells(row: dict[str, Any]) -> str:
    return f"{row['per_second']:.0f} | {row['p50_ms']:.2f} | {row['p95_ms']:.2f}"
