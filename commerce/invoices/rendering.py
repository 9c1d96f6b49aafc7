"""Sets facts as a PDF, with fonts that the set-up brings (docs/guarantees/money.md#invoices)."""

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
# A compiler serves one thread at a time.
_one_at_a_time = Lock()


def invoice_pdf(facts: Mapping[str, Any], made_at: datetime) -> bytes:
    """Return the PDF of an invoice's texts, `invoice_facts` of the module `facts`."""
    return pdf_of(TEMPLATE, facts, made_at)


def pdf_of(template: Path, facts: Mapping[str, Any], made_at: datetime) -> bytes:
    """Return the PDF that a template makes of texts, which it reads as JSON in `sys.inputs.facts`.

    The texts are data: what looks like markup in them is printed as it is.
    """
    data = {"facts": json.dumps(facts, ensure_ascii=False)}
    with _one_at_a_time:
        pdf = _compiler(template).compile(format="pdf", sys_inputs=data, timestamp=made_at)
    assert isinstance(pdf, bytes)
    return pdf


@cache
def _compiler(template: Path) -> "typst.Compiler":
    """Make the process's compiler of a template, which reads fonts of 20 MB once."""
    # Web processes only show what was made.
    import typst

    return typst.Compiler(
        input=template, root=template.parent, font_paths=[settings.INVOICE_FONTS], ignore_system_fonts=True
    )
