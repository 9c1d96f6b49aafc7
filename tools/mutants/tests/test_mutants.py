"""The faults of `make mutants` (docs/mutants.md): where they are put, and how the page is kept."""

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from tools.mutants.loading import load
from tools.mutants.making import NOTHING, Mutant, mutants_of
from tools.mutants.page import NO_REASON, figures_of, reasons_of, share_noticed, table, written
from tools.mutants.running import Verdict

SOURCE = '''"""A service."""

from django.db import transaction


@transaction.atomic
def take(units: int, *, at_most: int = 5) -> int:
    """Take units."""
    if units > at_most:
        raise ValueError("too many")
    log.info("taken: %s", units)
    note(units)
    return units + 1
'''
PAGE = "# Mutants\n\n<!-- figures -->\n<!-- /figures -->\n\n<!-- survivors -->\n<!-- /survivors -->\n"


def mutant_of(after: str) -> Mutant:
    (found,) = (mutant for mutant in mutants_of("shop/services.py", SOURCE) if mutant.after == after)
    return found


def test_decorated_functions_have_mutants_and_each_is_another_program() -> None:
    mutants = list(mutants_of("shop/services.py", SOURCE))
    afters = {mutant.after for mutant in mutants}
    assert afters >= {
        "if units >= at_most:",
        "return units - 1",
        "return units + 2",
        "pass",
        "note(None)",
        NOTHING,
        "def take(units: int, *, at_most: int = 6) -> int:",
    }
    assert len({mutant.source for mutant in mutants} | {SOURCE}) == len(mutants) + 1
    assert not [after for after in afters if "XXA service" in after or "XXtaken" in after]


def test_a_mutant_names_the_lines_that_reach_its_fault() -> None:
    assert mutant_of("return units - 1").lines == {13}
    assert mutant_of("if units >= at_most:").lines == {9}
    # These take effect as the file is loaded.
    assert not mutant_of(NOTHING).lines
    assert not mutant_of("def take(units: int, *, at_most: int = 6) -> int:").lines


def test_a_module_is_replaced_wherever_it_was_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = ModuleType("core.first"), ModuleType("core.second")
    first.__file__ = "first.py"
    for module in (first, second):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    load("core.first", "MOST = 1\ndef most(): return MOST")
    vars(second).update(most=vars(first)["most"], MOST=vars(first)["MOST"], other=1)
    load("core.first", "MOST = 2\ndef most(): return MOST * 10")
    assert vars(second)["most"]() == 20
    assert (vars(second)["MOST"], vars(second)["other"]) == (2, 1)


def test_the_page_keeps_reasons_and_names_new_survivors() -> None:
    known, new, noticed = (
        mutant_of("return units - 1"),
        mutant_of("return units + 2"),
        mutant_of("note(None)"),
    )
    page = written(PAGE, [Verdict(known, ""), Verdict(noticed, "test_take")])
    assert reasons_of(page) == {known.key: NO_REASON}
    page = page.replace("\n\n?\n", "\n\nIt is not counted.\n")
    verdicts = [Verdict(known, ""), Verdict(new, ""), Verdict(noticed, "test_take")]
    page = written(page, verdicts)
    assert reasons_of(page) == {known.key: "It is not counted.", new.key: NO_REASON}
    figures = figures_of(verdicts)
    assert "| all | 3 | 1 | 33.3% |" in table(figures)
    assert table(figures) in page
    assert share_noticed(figures) == pytest.approx(1 / 3)
    assert reasons_of(written(page, [Verdict(known, "test_take")])) == {}


def test_the_page_keeps_the_files_that_were_not_tried() -> None:
    survivor, other = mutant_of("return units - 1"), mutant_of("return units + 2")
    elsewhere = replace(other, path="shop/other.py")
    page = written(PAGE, [Verdict(survivor, ""), Verdict(other, "test_take")])
    page = page.replace("\n\n?\n", "\n\nIt is not counted.\n")
    page = written(page, [Verdict(elsewhere, "")])
    assert reasons_of(page) == {survivor.key: "It is not counted.", elsewhere.key: NO_REASON}
    assert "| `shop/services.py` | 2 | 1 | 50.0% |" in page
    assert "| all | 3 | 1 | 33.3% |" in page
