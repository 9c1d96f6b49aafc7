"""GTINs, the numbers of barcodes: EAN-8, UPC, EAN-13 and GTIN-14 (GS1 General Specifications)."""

import re

from django.utils.translation import gettext as _

_FORMAT = re.compile(r"[0-9]{8}|[0-9]{12,14}")


def gtin_fault(text: str) -> str:
    """Return why a text is no GTIN with a correct check digit, in the reader's language; empty if it is one.

    An empty text is no fault.
    """
    if text and not _FORMAT.fullmatch(text):
        return _("A barcode number has 8, 12, 13 or 14 digits.")
    if text and check_digit(text[:-1]) != text[-1]:
        return _("The last digit does not match the others: a digit is wrong.")
    return ""


def check_digit(digits: str) -> str:
    """Return the check digit that follows these digits."""
    total = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def is_global(gtin: str) -> bool:
    """Return True if a GTIN is valid outside the shop: not empty, and not of a range for use in stores."""
    return bool(gtin) and not gtin.zfill(14)[1:].startswith(("02", "04", "2"))
