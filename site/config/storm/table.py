"""The table of storms: printed after a run, and published in docs/storms.md storm by storm."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from config.storm.figures import Figure
from config.storm.shops import ROOT

PAGE = ROOT / "docs" / "storms.md"
HEAD = "| storm | database | fault | load | held | figure | limit | made on |"
RULE = "|---|---|---|---|---|---|---|---|"
_BEGIN, _END = "<!-- storms -->\n", "<!-- /storms -->"


def line(storm: str, engine: str, figure: Figure) -> str:
    """Return a figure as a line of the table."""
    held = "✓" if figure.is_held else "✗"
    found = " ".join(figure.found.split()).replace("|", "\\|")[:300]
    made_on = f"{datetime.now(UTC):%Y-%m-%d}"
    cells = (storm, engine, figure.fault, figure.load, held, found, figure.wanted, made_on)
    return f"| {' | '.join(cells)} |"


def publish(storm: str, engine: str, lines: Sequence[str], page: Path = PAGE) -> None:
    """Write the lines of one storm on one database into the page, in place of its older ones."""
    before, _, rest = page.read_text("utf-8").partition(_BEGIN)
    published, _, after = rest.partition(_END)
    rows = [row for row in published.splitlines() if row.startswith("| ") and row != HEAD]
    rows = [row for row in rows if not row.startswith(f"| {storm} | {engine} |")]
    # A stable order: the lines of one storm stay as it made them.
    rows = sorted([*rows, *lines], key=lambda row: row.split(" | ")[:2])
    machine = f"On {os.cpu_count()} cores, with Python {platform.python_version()}."
    table = "\n".join([machine, "", HEAD, RULE, *rows, ""])
    page.write_text(f"{before}{_BEGIN}{table}{_END}{after}", "utf-8")
