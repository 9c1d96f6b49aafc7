"""The page of the mutants that no test notices, each with the reason why that is right (docs/mutants.md)."""

import re
from collections.abc import Iterable, Mapping, Sequence

from tests.mutants.making import Mutant
from tests.mutants.running import Verdict

Key = tuple[str, str, str, str]

_FIGURES = re.compile(r"(<!-- figures -->\n).*(<!-- /figures -->)", re.DOTALL)
_SURVIVORS = re.compile(r"(<!-- survivors -->\n).*(<!-- /survivors -->)", re.DOTALL)
_HEADING = re.compile(r"^### (\S+)(?:, (\S+))?$")
_ROW = re.compile(r"```diff\n- (.*)\n\+ (.*)\n```\n\n(.*)")
NO_REASON = "?"


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


def written(text: str, verdicts: Sequence[Verdict]) -> str:
    """Return the page with the figures of a run and its survivors; known reasons stay."""
    reasons = reasons_of(text)
    survivors = [verdict.mutant for verdict in verdicts if not verdict.noticed_by]
    text = _FIGURES.sub(lambda found: found[1] + table(verdicts) + "\n" + found[2], text)
    return _SURVIVORS.sub(lambda found: found[1] + _rows(survivors, reasons) + found[2], text)


def table(verdicts: Sequence[Verdict]) -> str:
    """Return how many mutants each file has, and how many of them were noticed."""
    lines = ["| file | mutants | noticed | share |", "|---|---|---|---|"]
    paths = sorted({verdict.mutant.path for verdict in verdicts})
    for path in paths:
        lines.append(_line(f"`{path}`", [each for each in verdicts if each.mutant.path == path]))
    return "\n".join([*lines, _line("all", verdicts)])


def share_noticed(verdicts: Sequence[Verdict]) -> float:
    """Return the part of all mutants that was noticed; all of none."""
    return sum(bool(each.noticed_by) for each in verdicts) / len(verdicts) if verdicts else 1.0


def _line(title: str, verdicts: Sequence[Verdict]) -> str:
    noticed = sum(bool(each.noticed_by) for each in verdicts)
    return f"| {title} | {len(verdicts)} | {noticed} | {share_noticed(verdicts):.1%} |"


def _rows(survivors: Iterable[Mutant], reasons: Mapping[Key, str]) -> str:
    text, place = "", ("", "")
    for mutant in sorted(survivors, key=lambda each: each.key[:2]):
        if (mutant.path, mutant.function) != place:
            place = mutant.path, mutant.function
            text += f"### {', '.join(filter(None, place))}\n\n"
        reason = reasons.get(mutant.key, NO_REASON)
        text += f"```diff\n- {mutant.before}\n+ {mutant.after}\n```\n\n{reason}\n\n"
    return text
