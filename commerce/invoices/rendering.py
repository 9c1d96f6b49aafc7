"""Renders invoices as PDFs, with fonts that the set-up installs (docs/guarantees/money.md#invoices)."""

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    import typst

TEMPLATE = Path(__file__).parent / "invoice.typ"
# Printed for a character that no font has.
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Characters that choose a form of the one before them, and are not printed themselves.
_SELECTORS = frozenset({*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)})
# Only one thread may use a compiler at a time.
_one_at_a_time = Lock()


def invoice_pdf(facts: Mapping[str, Any], made_at: datetime) -> bytes:
    """Return the PDF of an invoice; `facts`: as `invoice_facts` returns them."""
    return pdf_of(TEMPLATE, facts, made_at)


def pdf_of(template: Path, facts: Mapping[str, Any], made_at: datetime) -> bytes:
    """Return the PDF of a template, which reads its texts as JSON from `sys.inputs.facts`.

    The texts are data: markup in them is printed, not interpreted. Characters that no font has are replaced.
    """
    texts = json.dumps(facts, ensure_ascii=False)
    replaced = dict.fromkeys(map(ord, missing_characters(facts)), REPLACEMENT)
    data = {"facts": texts.translate(replaced)}
    with _one_at_a_time:
        pdf = _compiler(template).compile(format="pdf", sys_inputs=data, timestamp=made_at)
    assert isinstance(pdf, bytes)
    return pdf


def missing_characters(facts: Mapping[str, Any]) -> str:
    """Return the characters of an invoice's texts that no font has, sorted; empty if all can be printed."""
    codes = {ord(character) for character in json.dumps(facts, ensure_ascii=False)}
    missing = sorted(codes - _printable() - _SELECTORS)
    return "".join(chr(code) for code in missing if unicodedata.category(chr(code)) not in {"Cf", "Cc"})


@cache
def _printable() -> frozenset[int]:
    """Return the characters of all fonts."""
    from fontTools.ttLib import TTFont

    files = [file for file in settings.INVOICE_FONTS.iterdir() if file.suffix in {".ttf", ".otf"}]
    return frozenset().union(*(TTFont(file, lazy=True).getBestCmap() for file in files))


@cache
def _compiler(template: Path) -> "typst.Compiler":
    """Create the process's compiler of a template; it reads 40 MB of fonts, only once."""
    # Imported here because web processes only show finished PDFs.
    import typst

    return typst.Compiler(
        input=template, root=template.parent, font_paths=[settings.INVOICE_FONTS], ignore_system_fonts=True
    )
