"""The nutrition information panel of a label (Food Standards Code, Standard 1.2.8)."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MEASURES = ("g", "mL")
_NUMBER = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")
_HUNDRED = Decimal(100)


class Nutrient(NamedTuple):
    """A row of the panel; `part_of`: the row above, of which it is a part."""

    label: str | Promise
    unit: str
    part_of: str = ""


NUTRIENTS: dict[str, Nutrient] = {
    "energy": Nutrient(gettext_lazy("Energy"), "kJ"),
    "protein": Nutrient(gettext_lazy("Protein"), "g"),
    "fat": Nutrient(gettext_lazy("Fat, total"), "g"),
    "saturated": Nutrient(gettext_lazy("saturated"), "g", "fat"),
    "carbohydrate": Nutrient(gettext_lazy("Carbohydrate"), "g"),
    "sugars": Nutrient(gettext_lazy("sugars"), "g", "carbohydrate"),
    "sodium": Nutrient(gettext_lazy("Sodium"), "mg"),
}
# All values of a panel; only the servings in a pack may be missing.
NAMES = ("measure", "serving", "servings", *NUTRIENTS)
Panel = dict[str, str]


class PanelRow(NamedTuple):
    """A row of the panel as pages show it, with its unit."""

    label: str | Promise
    is_part: bool
    per_serving: str
    per_100: str


def nutrition_panel(values: Mapping[str, str]) -> Panel | None:
    """Return a panel from the texts of its values; None if all are empty.

    `values`: by the names of NAMES; nutrients per 100 g or mL. Raises ValueError with a text for its author.
    """
    given = {name: text.strip() for name, text in values.items() if text and text.strip()}
    if not given or given.keys() == {"measure"}:
        return None
    for name in given:
        if name not in NAMES:
            raise ValueError(_("“%(name)s” is not a value of the panel") % {"name": name})
    if missing := [name for name in NAMES if name not in given and name != "servings"]:
        raise ValueError(_("the panel lacks: %(names)s") % {"names": ", ".join(missing)})
    if given["measure"] not in MEASURES:
        raise ValueError(_("the measure must be g or mL"))
    numbers = {name: _number(name, text) for name, text in given.items() if name != "measure"}
    if not numbers["serving"] or not numbers.get("servings", 1):
        raise ValueError(_("a serving must be above 0"))
    for name, nutrient in NUTRIENTS.items():
        if nutrient.part_of and numbers[name] > numbers[nutrient.part_of]:
            raise ValueError(
                _("%(part)s must not be above %(whole)s") % {"part": name, "whole": nutrient.part_of}
            )
    if (
        given["measure"] == "g"
        and sum(numbers[name] for name in ("protein", "fat", "carbohydrate")) > _HUNDRED
    ):
        raise ValueError(_("100 g have more than 100 g of protein, fat and carbohydrate"))
    texts = {name: f"{number.normalize():f}" for name, number in numbers.items()}
    return {name: given[name] if name == "measure" else texts[name] for name in NAMES if name in given}


def panel_rows(panel: Panel) -> list[PanelRow]:
    """Return the rows of a panel, each per serving and per 100 g or mL."""
    share = Decimal(panel["serving"]) / _HUNDRED
    rows = []
    for name, nutrient in NUTRIENTS.items():
        amount = Decimal(panel[name])
        whole = nutrient.unit != "g"
        per_serving = f"{amount * share:,.0f}" if whole else f"{amount * share:,.1f}"
        per_100 = f"{amount:,f}"
        label, unit = nutrient.label, nutrient.unit
        rows.append(PanelRow(label, bool(nutrient.part_of), f"{per_serving} {unit}", f"{per_100} {unit}"))
    return rows


def _number(name: str, text: str) -> Decimal:
    if not _NUMBER.fullmatch(text):
        raise ValueError(
            _("“%(cell)s” must be a number such as 7.2 (%(name)s)") % {"cell": text, "name": name}
        )
    return Decimal(text)
