"""Escapes texts that a spreadsheet would read as formulas, and unescapes them on import.

The escape is a leading apostrophe. A text that looks escaped already gets one more, so that removing one
apostrophe always returns the original text.
"""

import re

from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

# Full-width signs begin formulas in East Asian spreadsheets; a tab or line break may hide the sign after it.
_SIGNS = "=+\\-@|%\t\r\n＝＋－＠"
# defusedcsv writes \| for | in the cells that it escapes, also at their beginning.
_ESCAPED = re.compile(rf"'+(?:[{_SIGNS}]|\\\|)")
_FORMULA = re.compile(f"[{_SIGNS}]")
_BARE = re.compile("[\t\r\n＝＋－＠]")


def escape_quotes(text: str) -> str:
    """Escape a text that looks escaped already; sufficient for formats whose cells have types."""
    return f"'{text}" if _ESCAPED.match(text) else text


def escape_formula(text: str) -> str:
    """Escape a text for CSV, except for the signs that `defusedcsv` escapes when it writes the text."""
    return f"'{text}" if _ESCAPED.match(text) or _BARE.match(text) else text


def without_formula(text: str) -> str:
    """Return a text for spreadsheets that are not imported again, without formula and control characters."""
    plain = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", text)
    return f"'{plain}" if _FORMULA.match(plain) else plain


def unescape_formula(text: str) -> str:
    """Remove the escape of `escape_formula`, `escape_quotes` or `defusedcsv`."""
    if not text.startswith("'") or not _ESCAPED.match(text):
        return text
    return text[1:].replace("\\|", "|") if text[1] in "=+-@|%\\" else text[1:]
