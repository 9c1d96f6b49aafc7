"""Reads and writes the cells of tables.

A written value is read back as the same value. Readers raise ValueError with a text for the file's owner.
"""

import datetime as dt
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.goods.gtin import gtin_fault
from catalog.goods.nutrition import Panel, nutrition_panel
from core.clock import shop_zone
from core.countries import is_country
from core.wire import MAX_ID

Shown = str | int | Decimal

_PRICE = re.compile(r"[0-9]{1,10}(\.[0-9]{1,2})?")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,50}")
_SHORTENED = re.compile(r"[+-]?[0-9](\.[0-9]+)?[eE]\+[0-9]{2,3}")
_DAYS = re.compile(r"[+-][0-9]{1,4}d")
_CENT = Decimal("0.01")
# The largest integer that both databases can store in a column.
_MAX = 2**31 - 1
# Separators in a cell with several values.
BAR, COLON = "|", ":"
MAX_PARTS = 30


class Cell(NamedTuple):
    """A kind of cell: how to read and show it."""

    read: Callable[[str], Any]
    show: Callable[[Any], Shown]


def _unchanged(value: Any) -> Shown:
    shown: Shown = "" if value is None else value
    return shown


def refuse_shortened(cell: str) -> None:
    """Refuse a text such as 9.31E+12: Excel has shortened a number to it, such as a barcode."""
    if _SHORTENED.fullmatch(cell):
        text = _(
            "“%(cell)s” is a number that Excel has shortened: format the cell as text and enter it again"
        )
        raise ValueError(text % {"cell": cell})


def text(maximum: int, *, blank: bool = False) -> Cell:
    """Return a cell for a text of at most `maximum` characters, with line breaks as \\n."""

    def read(cell: str) -> str:
        refuse_shortened(cell)
        if not cell and not blank:
            raise ValueError(_("must not be empty"))
        if len(cell) > maximum:
            raise ValueError(_("is longer than %(most)s characters") % {"most": maximum})
        return cell.replace("\r\n", "\n") if "\r" in cell else cell

    return Cell(read, _unchanged)


def number(minimum: int, maximum: int = _MAX) -> Cell:
    """Return a cell for a whole number between two limits."""

    def read(cell: str) -> int:
        if not (cell.isascii() and cell.isdigit() and len(cell) <= 19 and minimum <= int(cell) <= maximum):
            allowed = {"cell": cell, "least": minimum, "most": maximum}
            raise ValueError(_("“%(cell)s” must be a whole number from %(least)s to %(most)s") % allowed)
        return int(cell)

    return Cell(read, _unchanged)


identifier = number(1, MAX_ID)


def _read_parent(cell: str) -> int | None:
    return int(number(0, MAX_ID).read(cell)) or None


# The id of the parent category; 0 means none.
parent = Cell(_read_parent, lambda value: value or 0)


def _read_price(cell: str) -> Decimal:
    if not _PRICE.fullmatch(cell) or not Decimal(cell):
        raise ValueError(_("“%(cell)s” must be a price above 0, such as 4.49") % {"cell": cell})
    return Decimal(cell).quantize(_CENT)


# Dollars, above zero.
price = Cell(_read_price, _unchanged)


def one_of(meanings: dict[str, Any]) -> Cell:
    """Return a cell for one of several words with meanings; exports use the first word of a meaning."""
    words = {meaning: word for word, meaning in reversed(meanings.items())}

    def read(cell: str) -> Any:
        if cell not in meanings:
            allowed = {"cell": cell, "words": ", ".join(word for word in meanings if word)}
            raise ValueError(_("“%(cell)s” must be one of: %(words)s") % allowed)
        return meanings[cell]

    return Cell(read, words.__getitem__)


flag = one_of({"0": False, "1": True, "": False})


def _read_country(cell: str) -> str:
    if not is_country(cell):
        raise ValueError(_("“%(cell)s” is not a two-letter country code such as AU") % {"cell": cell})
    return cell


country = Cell(_read_country, _unchanged)


def _read_colour(cell: str) -> str:
    if not _COLOUR.fullmatch(cell):
        raise ValueError(_("“%(cell)s” must be a colour such as #E6F4E1") % {"cell": cell})
    return cell


colour = Cell(_read_colour, _unchanged)


def _read_code(cell: str) -> str:
    if cell and not _CODE.fullmatch(cell):
        raise ValueError(_("“%(cell)s” may hold letters, digits, - and _ only") % {"cell": cell})
    return cell


# ASCII letters, digits, - and _; may be empty.
code = Cell(_read_code, _unchanged)


def _read_date(cell: str) -> dt.date:
    try:
        if _DAYS.fullmatch(cell):
            return timezone.localdate(timezone=shop_zone()) + dt.timedelta(days=int(cell[:-1]))
        return dt.date.fromisoformat(cell)
    except ValueError:
        raise ValueError(_("“%(cell)s” must be a date such as 2026-12-31") % {"cell": cell}) from None


# A date, or a number of days from today: +90d, -60d.
date = Cell(_read_date, lambda value: value.isoformat() if value else "")


def or_default(cell: Cell, default: Any) -> Cell:
    """Return a cell that reads an empty text as the default."""
    return Cell(lambda text: cell.read(text) if text else default, cell.show)


def codes(allowed: Sequence[str]) -> Cell:
    """Return a cell for several of the allowed codes, read as a list in their order: `wheat|soy`."""

    def read(cell: str) -> list[str]:
        found = _parts(cell)
        for part in found:
            if part not in allowed:
                values = {"cell": part, "words": ", ".join(allowed)}
                raise ValueError(_("“%(cell)s” must be one of: %(words)s") % values)
        return [each for each in allowed if each in found]

    return Cell(read, BAR.join)


def _read_names(cell: str) -> tuple[str, ...]:
    return tuple(_parts(cell))


# Several texts: a.webp|b.webp.
names = Cell(_read_names, BAR.join)


def pattern(allowed: str, example: str) -> Cell:
    """Return a cell for a text of a form, a regular expression; may be empty."""

    def read(cell: str) -> str:
        if cell and not re.fullmatch(allowed, cell):
            raise ValueError(
                _("“%(cell)s” must be of the form %(example)s") % {"cell": cell, "example": example}
            )
        return cell

    return Cell(read, _unchanged)


def _read_gtin(cell: str) -> str:
    refuse_shortened(cell)
    if fault := gtin_fault(cell):
        raise ValueError(f"“{cell}”: {fault}")
    return cell


# A barcode number with its check digit; may be empty.
gtin = Cell(_read_gtin, _unchanged)


def _read_nutrition(cell: str) -> Panel | None:
    values: dict[str, str] = {}
    for part in _parts(cell):
        name, colon, text = part.partition(COLON)
        if not colon or name in values:
            raise ValueError(_("“%(cell)s” must be a name and a number such as energy:1540") % {"cell": part})
        values[name] = text
    return nutrition_panel(values)


def _show_nutrition(panel: Panel | None) -> str:
    return BAR.join(f"{name}{COLON}{text}" for name, text in (panel or {}).items())


# A nutrition panel: `measure:g|serving:30|servings:10|energy:1540|…`; may be empty.
nutrition = Cell(_read_nutrition, _show_nutrition)


def prices_by(key: Cell) -> Cell:
    """Return a cell for prices by number, as pairs sorted by number: `10:3.90|50:3.50`."""

    def read(cell: str) -> tuple[tuple[int, Decimal], ...]:
        found: dict[int, Decimal] = {}
        for part in _parts(cell):
            number, colon, amount = part.partition(COLON)
            if not colon:
                text = _("“%(cell)s” must be an amount and a price such as 10:3.90")
                raise ValueError(text % {"cell": part})
            if key.read(number) in found:
                raise ValueError(_("“%(cell)s” appears twice") % {"cell": number})
            found[key.read(number)] = price.read(amount)
        return tuple(sorted(found.items()))

    return Cell(read, lambda pairs: BAR.join(f"{number}{COLON}{amount}" for number, amount in pairs))


def _parts(cell: str) -> list[str]:
    found = [part.strip() for part in cell.split(BAR)] if cell else []
    if len(found) > MAX_PARTS:
        raise ValueError(_("has more than %(most)s parts") % {"most": MAX_PARTS})
    if "" in found:
        raise ValueError(_("has an empty part next to a |"))
    if len(set(found)) < len(found):
        raise ValueError(_("names something twice"))
    return found
