"""Recognises PO boxes and parcel lockers, where products would not stay cold (docs/freight.md#po-boxes)."""

import re

# The names of Australia Post, and short forms of customers; islands/stores/po-box.ts has the same rule.
_BOX = re.compile(
    r"\b(?:g\.?\s*)?p\.?\s*o\.?\s*box\b|\bpost\s*office\s*box\b|\b(?:locked|private)\s*bag\b"
    r"|\bparcel\s*(?:locker|collect)\b|邮政信箱|郵政信箱|智能柜|快递柜",
    re.IGNORECASE,
)


def is_po_box(detail: str) -> bool:
    """Return True if the street line of an address names a PO box, a locked bag or a parcel locker."""
    return _BOX.search(detail) is not None
