"""Where a page lives in each language: English at `/…`, Chinese at `/zh-hans/…` (ARCHITECTURE 4)."""

from django.utils.translation import get_language

CHINESE = "zh-hans"
ENGLISH = "en"
# What the `lang` and `hreflang` attributes call them.
HTML_LANGUAGE = {ENGLISH: "en-AU", CHINESE: "zh-Hans"}
# The same in the Open Graph protocol, which knows languages by country.
OPEN_GRAPH_LOCALE = {ENGLISH: "en_AU", CHINESE: "zh_CN"}
# What an editor may write as a path of this shop; with two slashes at its head it would name another host.
SHOP_PATH = r"^/(?!/)[^\s\\]*$"
_PREFIX = f"/{CHINESE}"


def reader_language() -> str:
    """Return the code of the reader's language."""
    return CHINESE if (get_language() or "").startswith("zh") else ENGLISH


def in_language(path: str, code: str) -> str:
    """Move a path, with or without a query, to its place in a language."""
    is_chinese = path == _PREFIX or path.startswith((f"{_PREFIX}/", f"{_PREFIX}?"))
    rest = path.removeprefix(_PREFIX) if is_chinese else path
    if code == CHINESE:
        return f"{_PREFIX}{rest}"
    # With two slashes at its head a path would name another host.
    return f"/{rest.lstrip('/')}"


def localised(path: str) -> str:
    """Put a path under the reader's language."""
    return in_language(path, reader_language())


def other_html_language() -> str:
    """Return the lang attribute of a text in the language that the reader did not choose."""
    return HTML_LANGUAGE[ENGLISH if reader_language() == CHINESE else CHINESE]
