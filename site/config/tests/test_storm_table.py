from pathlib import Path

from config.storm import table
from config.storm.figures import Figure


def held(found: str) -> Figure:
    return Figure("a fault", "a load", found, "a limit", is_held=True)


def test_a_published_storm_replaces_its_own_lines_on_one_database_and_no_others(tmp_path: Path) -> None:
    page = tmp_path / "storms.md"
    page.write_text("Before\n<!-- storms -->\n<!-- /storms -->\nAfter\n", "utf-8")

    def publish(storm: str, engine: str, *found: str) -> None:
        table.publish(storm, engine, [table.line(storm, engine, held(each)) for each in found], page)

    publish("wallets", "SQLite", "old", "older")
    publish("soak", "SQLite", "soaked")
    publish("wallets", "PostgreSQL", "other")
    publish("wallets", "SQLite", "second", "first")

    text = page.read_text("utf-8")
    rows = [row.split(" | ") for row in text.splitlines() if " | a fault | " in row]
    assert [(storm, engine, found) for storm, engine, _, _, _, found, _, _ in rows] == [
        ("| soak", "SQLite", "soaked"),
        ("| wallets", "PostgreSQL", "other"),
        ("| wallets", "SQLite", "second"),
        ("| wallets", "SQLite", "first"),
    ]
    assert text.count(table.HEAD) == 1
    assert text.startswith("Before\n")
    assert text.endswith("\nAfter\n")
