"""Compares the table of `freight_table.md`, which people can read and change, with what the shop charges.

See docs/freight.md#checked-by-hand.
"""

from collections import defaultdict
from datetime import date
from decimal import Decimal
from pathlib import Path

from commerce.delivery.freight import Region, quote
from commerce.delivery.models import FreightRule
from core.errors import Err, ShopError

FILE = Path(__file__).with_name("freight_table.md")
NOT_SENT = "no"


def read_tables() -> list[list[dict[str, str]]]:
    """Return the rows of each table of the file, by the heads of their columns."""
    tables = []
    for block in FILE.read_text("utf-8").split("\n\n"):
        if block.startswith("|"):
            lines = block.strip().split("\n")
            heads, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in lines)
            tables.append([dict(zip(heads, row, strict=True)) for row in rows])
    return tables


def rule_of(row: dict[str, str]) -> FreightRule:
    first, _, last = row["post codes"].partition("–")
    return FreightRule(
        country=row["country"],
        province=row["state"],
        zone=f"{row['Malaysia']}_malaysia" if row["Malaysia"] else "",
        council=row["council"],
        zip_from=first,
        zip_to=last,
        storage=row["storage"],
        first_grams=int(row["first grams"] or 1),
        first_price=Decimal(row["first price"] or 0),
        step_grams=int(row["step grams"] or 1),
        step_price=Decimal(row["step price"] or 0),
        surcharge=Decimal(row["surcharge"] or 0),
        free_from=Decimal(row["free from"]) if row["free from"] else None,
        excluded=row["sent"] == NOT_SENT,
    )


def weights_of(basket: str) -> dict[str, list[tuple[int, int]]]:
    """Read a basket such as `ambient 500 × 4, chilled 400 × 2`."""
    weights: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for part in basket.split(", "):
        storage, grams, _, units = part.split(" ")
        weights[storage].append((int(grams), int(units)))
    return weights


def charged(address: str, basket: str, amount: str, rules: list[FreightRule]) -> str:
    """Return what the shop charges, as the table has it."""
    weights, day = weights_of(basket), date(2026, 7, 1)
    try:
        quoted = quote(Region.from_wire(address), weights, rules, amount=Decimal(amount), day=day)
    except ShopError as refusal:
        return NOT_SENT if refusal.err is Err.address_error else refusal.err.name
    return f"{quoted.freight:.2f}"


def test_thirty_baskets_cost_to_twelve_destinations_what_the_table_shows() -> None:
    rules_table, destinations, prices = read_tables()
    rules = [rule_of(row) for row in rules_table]
    assert (len(prices), len(destinations)) == (30, 12)
    wrong = [
        f"{row['basket']} for {row['amount']} to {to['name']}: {row[to['name']]} is right, {found} charged"
        for row in prices
        for to in destinations
        if (found := charged(to["address"], row["basket"], row["amount"], rules)) != row[to["name"]]
    ]
    assert not wrong, "\n".join(wrong)
