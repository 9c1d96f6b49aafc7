"""Cleans texts that people type or paste, by one rule for all inputs (docs/wire.md#typed-texts).

`islands/typed-text.ts` is the same rule; `islands/typed-texts.json` has the cases that test both.
"""

import re
import unicodedata
from typing import Any

from django.http import QueryDict

# Scripts that write joiners between letters: Arabic, those of India and others; then emoji.
_JOINING = "\u0590-\u109f\u1780-\u1c4f\ua840-\uabdf\ufb1d-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff"
_EMOJI = "\u2190-\u2bff\ufe0f\U0001f000-\U0001faff"
# Joiners, soft hyphens, zero-width spaces, marks of direction, byte order marks.
_INVISIBLE = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
# Full-width letters and digits, wide spaces, and what PDFs have for characters: radicals and ligatures.
_VARIANTS = (
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u00a0\u2000-\u200a\u202f\u205f\u3000\u2f00-\u2fd5\ufb00-\ufb06"
)
# Not < > " and \, which would get a meaning in HTML and JSON.
_PUNCTUATION = "\uff01\uff03-\uff0f\uff1a\uff1b\uff1d\uff1f\uff20\uff3b\uff3d-\uff40\uff5b-\uff5e\u3002"
_MAY_CHANGE = re.compile(f"[{_INVISIBLE}{_VARIANTS}{_PUNCTUATION}]")
_INVISIBLE_BUT_JOINERS = re.compile(
    f"([{_JOINING}][\u200c\u200d]|[{_EMOJI}]\u200d(?=[{_EMOJI}]))|[{_INVISIBLE}]"
)
_VARIANT, _SIGN = re.compile(f"[{_VARIANTS}]"), re.compile(f"[{_PUNCTUATION}]")
_CHINESE = re.compile(
    "[\u2e80-\u2fff\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)


def clean_text(text: str) -> str:
    """Return a typed or pasted text without invisible characters and full-width letters, digits and spaces.

    Full-width punctuation stays in texts with Chinese, Japanese or Korean characters. Joiners stay in emoji
    and in scripts that need them. Spaces at the ends stay.
    """
    if text.isascii() or not _MAY_CHANGE.search(text):
        return text
    text = _VARIANT.sub(_compatible, _INVISIBLE_BUT_JOINERS.sub(r"\1", text))
    return text if _CHINESE.search(text) else _SIGN.sub(_compatible, text)


def is_password(name: str) -> bool:
    """Return True if an input with this name contains a password, which stays as typed."""
    return "password" in name.lower()


def clean_values(values: Any) -> Any:
    """Return the values of a request with all texts cleaned, except passwords; the names stay."""
    if isinstance(values, str):
        return clean_text(values)
    if isinstance(values, dict):
        return {name: each if is_password(name) else clean_values(each) for name, each in values.items()}
    return [clean_values(each) for each in values] if isinstance(values, list) else values


def clean_query(query: QueryDict) -> QueryDict:
    """Return a query or a form with all values cleaned, except passwords."""
    cleaned = QueryDict(mutable=True)
    for name, values in clean_values(dict(query.lists())).items():
        cleaned.setlist(name, values)
    return cleaned


def _compatible(found: re.Match[str]) -> str:
    return "." if found[0] == "\u3002" else unicodedata.normalize("NFKC", found[0])
