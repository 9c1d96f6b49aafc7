"""The table of figures, which is printed after a run and written to build/chaos."""

from datetime import UTC, datetime

from tools.chaos.figures import Figure

HEAD = "| scenario | database | fault | load | held | figure | limit | made on |"
RULE = "|---|---|---|---|---|---|---|---|"


def line(scenario: str, engine: str, figure: Figure) -> str:
    """Return a figure as a line of the table."""
    held = "✓" if figure.is_held else "✗"
    found = " ".join(figure.found.split()).replace("|", "\\|")[:300]
    made_on = f"{datetime.now(UTC):%Y-%m-%d}"
    cells = (scenario, engine, figure.fault, figure.load, held, found, figure.wanted, made_on)
    return f"| {' | '.join(cells)} |"
