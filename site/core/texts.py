"""Finds all translatable texts in templates and Python files."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation.template import templatize

FILE = settings.BASE_DIR / "site" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
ROOTS = ("catalog", "commerce", "site", "templates")
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}


class Text(NamedTuple):
    """One text to translate, with its context and plural, if it has them."""

    context: str | None
    singular: str
    plural: str | None
    file: str


def _sources() -> Iterator[tuple[Path, str]]:
    base = settings.BASE_DIR
    for root in ROOTS:
        for file in sorted((base / root).rglob("*")):
            inside = file.relative_to(base).parts
            if "tests" in inside or "migrations" in inside:
                continue
            if file.suffix == ".py":
                yield file, file.read_text("utf-8")
            elif file.suffix in {".html", ".txt"} and "templates" in inside:
                code = templatize(file.read_text("utf-8"), origin=str(file))
                # Python's tokenizer rejects the indentation of HTML.
                yield file, re.sub(r"^[ \t]+", "", code, flags=re.MULTILINE)


def texts() -> Iterator[Text]:
    """Yield all texts of the project that are marked for translation, file by file."""
    for file, code in _sources():
        stream = io.BytesIO(code.encode())
        for _line, message, _comments, context in extract("python", stream, keywords=KEYWORDS):
            singular, plural = message if isinstance(message, tuple) else (message, None)
            if singular:
                yield Text(context, singular, plural, str(file.relative_to(settings.BASE_DIR)))


def catalogue() -> Catalog:
    """Return the Chinese catalogue; an empty one if there is no file."""
    if not FILE.exists():
        return Catalog(locale="zh_Hans")
    with FILE.open("rb") as file:
        return read_po(file, locale="zh_Hans")


def translations(message: Message | None) -> list[str]:
    """Return a message's Chinese texts, one per plural form; an empty text for a missing one."""
    if message is None:
        return [""]
    if isinstance(message.string, list | tuple):
        return list(message.string)
    return [message.string or ""]
