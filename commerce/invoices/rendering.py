"""Renders invoices as PDFs, with fonts that the set-up installs (docs/guarantees/money.md#invoices)."""

import json
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
# Only one thread may use a compiler at a time.
_one_at_a_time = Lock()


def invoice_pdf(facts: Mapping[str, Any], made_at: datetime) -> bytes:
    """Return the PDF of an invoice; `facts`: as `invoice_facts` returns them."""
    return pdf_of(TEMPLATE, facts, made_at)


def pdf_of(template: Path, facts: Mapping[str, Any], made_at: datetime) -> bytes:
    """Return the PDF of a template, which reads its texts as JSON from `sys.inputs.facts`.

    The texts are data: markup in them is printed, not interpreted.
    """
    data = {"facts": json.dumps(facts, ensure_ascii=False)}
    with _one_at_a_time:
        pdf = _compiler(template).compile(format="pdf", sys_inputs=data, timestamp=made_at)
    assert isinstance(pdf, bytes)
    return pdf


@cache
def _compiler(template: Path) -> "typst.Compiler":
    """Create the process's compiler of a template; it reads 20 MB of fonts, only once."""
    # Imported here because web processes only show finished PDFs.
    import typst

    return typst.Compiler(
        input=template, root=template.parent, font_paths=[settings.INVOICE_FONTS], ignore_system_fonts=True
    )
