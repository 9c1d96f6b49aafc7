"""The URLs of the two languages: English at `/…`, Chinese at `/zh-hans/…`.

See docs/architecture.md#languages.
"""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import get_language, override

CHINESE = "zh-hans"
ENGLISH = "en"
# Their names in the `lang` and `hreflang` attributes.
HTML_LANGUAGE = {ENGLISH: "en-AU", CHINESE: "zh-Hans"}
# Their names in the API (docs/wire.md#headers).
WIRE_LANGUAGE = {ENGLISH: "en", CHINESE: "zh"}
# Their names in the Open Graph protocol.
OPEN_GRAPH_LOCALE = {ENGLISH: "en_AU", CHINESE: "zh_CN"}
# A path of this shop; a path with two leading slashes would be on another host.
SHOP_PATH = r"^/(?!/)[^\s\\]*$"
_PREFIX = f"/{CHINESE}"


def language_name(code: str) -> str:
    """Return the name of a language in that language; for an unknown language its code."""
    return str(dict(settings.LANGUAGES).get(code, code))


def reader_language() -> str:
    """Return the code of the reader's language."""
    return CHINESE if (get_language() or "").startswith("zh") else ENGLISH


def in_language(path: str, code: str) -> str:
    """Return a path, with or without a query, in a language."""
    is_chinese = path == _PREFIX or path.startswith((f"{_PREFIX}/", f"{_PREFIX}?"))
    rest = path.removeprefix(_PREFIX) if is_chinese else path
    if code == CHINESE:
        return f"{_PREFIX}{rest}"
    # A path with two leading slashes would be on another host.
    return f"/{rest.lstrip('/')}"


def localised(path: str) -> str:
    """Return a path in the reader's language."""
    return in_language(path, reader_language())


def other_html_language() -> str:
    """Return the `lang` attribute of the language that the reader did not choose."""
    return HTML_LANGUAGE[ENGLISH if reader_language() == CHINESE else CHINESE]


class TwoTexts(NamedTuple):
    """The same text in Chinese and English."""

    zh: str
    en: str


def in_both_languages(text: Callable[[], str]) -> TwoTexts:
    """Return a function's text in both languages, independent of the reader's language."""
    with override(CHINESE):
        zh = text()
    with override(ENGLISH):
        return TwoTexts(zh, text())
