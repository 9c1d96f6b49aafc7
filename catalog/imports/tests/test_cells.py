import io
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from defusedcsv import csv
from hypothesis import given
from hypothesis import strategies as st

from catalog.imports import cells
from catalog.imports.formulas import escape_formula, escape_quotes, unescape_formula

VALUES: list[tuple[cells.Cell, str, Any]] = [
    (cells.parent, "0", None),
    (cells.parent, "7", 7),
    (cells.flag, "1", True),
    (cells.flag, "0", False),
    (cells.price, "4.49", Decimal("4.49")),
    (cells.or_default(cells.price, None), "", None),
    (cells.date, "2026-12-31", date(2026, 12, 31)),
    (cells.codes(["wheat", "soy"]), "wheat|soy", ["wheat", "soy"]),
    (cells.codes(["wheat", "soy"]), "", []),
    (cells.names, "b.webp|a.webp", ("b.webp", "a.webp")),
    (cells.prices_by(cells.number(2)), "10:3.90|50:3.50", ((10, Decimal("3.90")), (50, Decimal("3.50")))),
    (cells.prices_by(cells.number(2)), "", ()),
]


def test_a_cell_that_is_read_is_written_back_the_same(subtests: pytest.Subtests) -> None:
    for cell, text, value in VALUES:
        with subtests.test(text=text):
            assert cell.read(text) == value
            assert str(cell.show(value)) == text


FAULTS: list[tuple[cells.Cell, str, str]] = [
    (cells.date, "31/12/2026", "must be a date"),
    (cells.date, "2026-02-30", "must be a date"),
    (cells.date, "90d", "must be a date"),
    (cells.codes(["wheat"]), "wheat|oats", "“oats” must be one of"),
    (cells.codes(["wheat"]), "wheat|wheat", "twice"),
    (cells.names, "a||b", "empty part"),
    (cells.names, "|".join(map(str, range(31))), "more than 30"),
    (cells.prices_by(cells.number(2)), "10", "must be an amount and a price"),
    (cells.prices_by(cells.number(2)), "1:3.00", "must be a whole number from 2"),
    (cells.prices_by(cells.number(2)), "2:0", "must be a price"),
    (cells.prices_by(cells.number(2)), "2:1|02:3", "appears twice"),
]


def test_the_fault_of_a_cell_is_named(subtests: pytest.Subtests) -> None:
    for cell, text, expected in FAULTS:
        with subtests.test(text=text), pytest.raises(ValueError, match=expected):
            cell.read(text)


@time_machine.travel("2026-03-01T20:00:00Z")
def test_relative_days_count_from_today_in_the_shops_time_zone() -> None:
    assert cells.date.read("+90d") == date(2026, 5, 31)
    assert cells.date.read("-1d") == date(2026, 3, 1)


TRICKY = st.text(alphabet="'=+-@|%\\\t\r\n＝＋a1 ", max_size=8)


@given(TRICKY)
def test_an_escaped_formula_is_unescaped(text: str) -> None:
    assert unescape_formula(escape_quotes(text)) == text
    file = io.StringIO(newline="")
    csv.writer(file).writerow([escape_formula(text), "end"])
    file.seek(0)
    assert unescape_formula(next(csv.reader(file))[0]) == text


def test_signs_of_formulas_are_escaped() -> None:
    for text in ("\t=1", "\r=1", "＝1", "＋1", "'=1"):
        assert escape_formula(text) == f"'{text}"
    assert escape_formula("'til late") == "'til late"
