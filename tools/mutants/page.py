"""The page of the mutants that no test notices, each with the reason why that is right (docs/mutants.md)."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from tools.mutants.running import Verdict

Key = tuple[str, str, str, str]

_FIGURES = re.compile(r"(<!-- figures -->\n).*(<!-- /figures -->)", re.DOTALL)
_FIGURE = re.compile(r"^\| `(\S+)` \| (\d+) \| (\d+) \| \S+ \| (\S+) \|$", re.MULTILINE)
_SURVIVORS = re.compile(r"(<!-- survivors -->\n).*(<!-- /survivors -->)", re.DOTALL)
_HEADING = re.compile(r"^### (\S+)(?:, (\S+))?$")
_ROW = re.compile(r"```diff\n- (.*)\n\+ (.*)\n```\n\n(.*)")
NO_REASON = "?"


class Figure(NamedTuple):
    """How many mutants a file has, how many of them were noticed, and on which day they were tried."""

    mutants: int
    noticed: int
    tried_on: str


def reasons_of(text: str) -> dict[Key, str]:
    """Return why no test notices a mutant, by its key, for all that the page names."""
    found: dict[Key, str] = {}
    section = _SURVIVORS.search(text)
    for block in section[0].split("\n### ")[1:] if section else ():
        heading = _HEADING.match("### " + block.split("\n", 1)[0])
        if heading:
            for before, after, reason in _ROW.findall(block):
                found[heading[1], heading[2] or "", before, after] = reason.strip()
    return found


def figures_of(verdicts: Sequence[Verdict]) -> dict[str, Figure]:
    """Return the figures of a run, by the file's path."""
    figures = {}
    for path in {verdict.mutant.path for verdict in verdicts}:
        noticed = [bool(verdict.noticed_by) for verdict in verdicts if verdict.mutant.path == path]
        figures[path] = Figure(len(noticed), sum(noticed), f"{datetime.now(UTC):%Y-%m-%d}")
    return figures


def written(text: str, verdicts: Sequence[Verdict]) -> str:
    """Return the page with the figures and survivors of the files that were tried; known reasons stay."""
    figures, known = figures_of(verdicts), reasons_of(text)
    survivors = {key: reason for key, reason in known.items() if key[0] not in figures}
    for key in (verdict.mutant.key for verdict in verdicts if not verdict.noticed_by):
        survivors[key] = known.get(key, NO_REASON)
    section = _FIGURES.search(text)
    before = {
        path: Figure(int(mutants), int(noticed), tried_on)
        for path, mutants, noticed, tried_on in _FIGURE.findall(section[0] if section else "")
    }
    text = _FIGURES.sub(lambda found: found[1] + table(before | figures) + "\n" + found[2], text)
    return _SURVIVORS.sub(lambda found: found[1] + _rows(survivors) + found[2], text)


def table(figures: Mapping[str, Figure]) -> str:
    """Return the figures of each file and of all."""
    lines = ["| file | mutants | noticed | share | tried on |", "|---|---|---|---|---|"]
    lines += [_line(f"`{path}`", figure) for path, figure in sorted(figures.items())]
    mutants, noticed, days = zip(*figures.values(), strict=True) if figures else ((), (), ("",))
    return "\n".join([*lines, _line("all", Figure(sum(mutants), sum(noticed), min(days)))])


def share_noticed(figures: Mapping[str, Figure]) -> float:
    """Return the part of all mutants that was noticed; all of none."""
    mutants = sum(figure.mutants for figure in figures.values())
    return sum(figure.noticed for figure in figures.values()) / mutants if mutants else 1.0


def _line(title: str, figure: Figure) -> str:
    share = share_noticed({title: figure})
    return f"| {title} | {figure.mutants} | {figure.noticed} | {share:.1%} | {figure.tried_on} |"


def _rows(survivors: Mapping[Key, str]) -> str:
    text, place = "", ("", "")
    for path, function, before, after in sorted(survivors, key=lambda key: key[:2]):
        if (path, function) != place:
            place = path, function
            text += f"### {', '.join(filter(None, place))}\n\n"
        text += f"```diff\n- {before}\n+ {after}\n```\n\n{survivors[path, function, before, after]}\n\n"
    return text
