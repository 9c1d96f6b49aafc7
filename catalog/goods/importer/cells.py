"""How the cells of a table are read; each reader raises ValueError with a sentence for the file's owner."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from core.countries import is_country
from core.wire import MAX_ID

Reader = Callable[[str], Any]

_PRICE = re.compile(r"[0-9]{1,10}(\.[0-9]{1,2})?")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,50}")
# The largest number that a whole number's column holds on both databases.
_MOST = 2**31 - 1


def text(most: int, *, blank: bool = False) -> Reader:
    """Read a text of at most `most` characters."""

    def read(cell: str) -> str:
        if not cell and not blank:
            raise ValueError(_("must not be empty"))
        if len(cell) > most:
            raise ValueError(_("is longer than %(most)s characters") % {"most": most})
        return cell

    return read


def number(least: int, most: int = _MOST) -> Reader:
    """Read a whole number."""

    def read(cell: str) -> int:
        if not (cell.isascii() and cell.isdigit() and len(cell) <= 19 and least <= int(cell) <= most):
            allowed = {"cell": cell, "least": least, "most": most}
            raise ValueError(_("“%(cell)s” is no whole number from %(least)s to %(most)s") % allowed)
        return int(cell)

    return read


identifier = number(1, MAX_ID)


def parent(cell: str) -> int | None:
    """Read the id of the category above; 0 means none."""
    return int(number(0, MAX_ID)(cell)) or None


def price(cell: str) -> Decimal:
    """Read dollars above zero."""
    if not _PRICE.fullmatch(cell) or not Decimal(cell):
        raise ValueError(_("“%(cell)s” is no price above 0, such as 4.49") % {"cell": cell})
    return Decimal(cell).quantize(Decimal("0.01"))


def one_of(meanings: dict[str, Any]) -> Reader:
    """Read one of some words as what it means."""

    def read(cell: str) -> Any:
        if cell not in meanings:
            allowed = {"cell": cell, "words": ", ".join(word for word in meanings if word)}
            raise ValueError(_("“%(cell)s” is none of: %(words)s") % allowed)
        return meanings[cell]

    return read


flag = one_of({"0": False, "1": True, "": False})


def country(cell: str) -> str:
    """Read a country's two letters."""
    if not is_country(cell):
        raise ValueError(_("“%(cell)s” is no country's code of two letters, such as AU") % {"cell": cell})
    return cell


def colour(cell: str) -> str:
    """Read a colour such as #E6F4E1."""
    if not _COLOUR.fullmatch(cell):
        raise ValueError(_("“%(cell)s” is no colour such as #E6F4E1") % {"cell": cell})
    return cell


def code(cell: str) -> str:
    """Read a code of ASCII letters, digits, - and _; it may be empty."""
    if cell and not _CODE.fullmatch(cell):
        raise ValueError(_("“%(cell)s” may hold letters, digits, - and _ only") % {"cell": cell})
    return cell


def or_default(read: Reader, default: Any) -> Reader:
    """Read an empty cell as the default."""
    return lambda cell: read(cell) if cell else default
