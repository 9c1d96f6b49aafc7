"""Texts that a spreadsheet would take for formulas: guarded in what is exported, as they were when imported.

A guard is one apostrophe in front; what begins with apostrophes of its own gets one more, so that taking one
away always gives back the text.
"""

import re

from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

# Full-width signs begin formulas in East Asian spreadsheets; a tab or line break hides the sign behind it.
_SIGNS = "=+\\-@|%\t\r\n＝＋－＠"
# defusedcsv writes \| for | in the cells that it guards itself, also for one at the beginning.
_GUARDED = re.compile(rf"'+(?:[{_SIGNS}]|\\\|)")
_FORMULA = re.compile(f"[{_SIGNS}]")
_BARE = re.compile("[\t\r\n＝＋－＠]")


def guard_quotes(text: str) -> str:
    """Guard a text that looks as if it was guarded; enough where cells have types."""
    return f"'{text}" if _GUARDED.match(text) else text


def guard(text: str) -> str:
    """Guard a text for CSV, besides what `defusedcsv` guards when it writes it."""
    return f"'{text}" if _GUARDED.match(text) or _BARE.match(text) else text


def without_formula(text: str) -> str:
    """Write a text for any spreadsheet, never to be read again: no formula, no control character."""
    plain = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text)
    return f"'{plain}" if _FORMULA.match(plain) else plain


def unguard(text: str) -> str:
    """Take away what `guard`, `guard_quotes` or `defusedcsv` have put in front."""
    if not text.startswith("'") or not _GUARDED.match(text):
        return text
    return text[1:].replace("\\|", "|") if text[1] in "=+-@|%\\" else text[1:]
