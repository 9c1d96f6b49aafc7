"""What a scenario reports: one figure for each promise, and whether it was held."""

from dataclasses import dataclass
from datetime import UTC, datetime

HEAD = """\
| scenario | database | fault | load | held | figure | limit | made on |
|---|---|---|---|---|---|---|---|"""


class ScenarioError(Exception):
    """Raised for a scenario that cannot be made; the text is the reason."""


@dataclass(frozen=True)
class Figure:
    """One line of the table: what failed, under which load, what was measured, and what it had to be."""

    fault: str
    load: str
    found: str
    wanted: str
    is_held: bool

    def line(self, scenario: str, engine: str) -> str:
        """Return the figure as a line of the table."""
        held = "✓" if self.is_held else "✗"
        found = " ".join(self.found.split()).replace("|", "\\|")[:300]
        made_on = f"{datetime.now(UTC):%Y-%m-%d}"
        cells = (scenario, engine, self.fault, self.load, held, found, self.wanted, made_on)
        return f"| {' | '.join(cells)} |"


def share(values: list[float], part: float) -> float:
    """Return the value below which a part of all values lies: 0.95 for the 95th percentile."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0
