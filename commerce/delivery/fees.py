"""The facts of the page about delivery fees and times, in the reader's language.

See docs/product.md#fees-and-times.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from catalog.goods.models import Storage, is_chinese
from commerce.delivery.freight import COLD
from commerce.delivery.models import DeliveryWindow, FreightRule
from commerce.delivery.models.freight import tariff_text
from commerce.delivery.regions import ANY_COUNCIL
from commerce.delivery.territories import HOME_COUNTRY
from core.money import aud_text


@dataclass(frozen=True)
class Fee:
    """What a parcel of a storage kind costs, and when it arrives; empty texts for what does not apply.

    `why`: why nothing is sent there; the other texts are then empty.
    """

    storage: str
    price: str = ""
    surcharge: str = ""
    free_from: str = ""
    arrives: str = ""
    why: str = ""


@dataclass(frozen=True)
class Area:
    """Places of a country that have the same fees; `name`: empty for the whole country."""

    name: str
    fees: Sequence[Fee]


@dataclass(frozen=True)
class Country:
    """A country with its areas, the narrowest first."""

    name: str
    areas: Sequence[Area]


def delivery_fees(rules: Iterable[FreightRule], day: date) -> list[Country]:
    """Return the fees of the rules that are valid on a day.

    The shop's country is first, then the others by name, then everywhere else.
    """
    valid = [rule for rule in rules if rule.is_valid_on(day)]
    by_country: dict[str, list[FreightRule]] = defaultdict(list)
    for rule in valid:
        by_country[rule.country].append(rule)
    names = {country: rules[0].country_name for country, rules in by_country.items()}
    in_order = sorted(by_country, key=lambda each: (each != HOME_COUNTRY, not each, names[each]))
    return [Country(names[each] or gettext("Everywhere else"), _areas(by_country[each])) for each in in_order]


def weekly_windows(rows: Iterable[DeliveryWindow]) -> list[tuple[str, str]]:
    """Return the van's windows in a week, equal days together: pairs of days and times."""
    times: dict[int, str] = {}
    for row in sorted(rows, key=lambda row: (row.weekday, row.starts)):
        period = f"{row.starts:%H:%M}–{row.ends:%H:%M}"
        times[row.weekday] = f"{times[row.weekday]}, {period}" if row.weekday in times else period
    # For consecutive weekdays, weekday minus list index is constant, so they form one group.
    runs = groupby(enumerate(times), key=lambda item: (item[1] - item[0], times[item[1]]))
    found = []
    for (_, period), run in runs:
        days = [str(WEEKDAYS[weekday]) for _, weekday in run]
        found.append((days[0] if len(days) == 1 else f"{days[0]}–{days[-1]}", period))
    return found


def _areas(rules: Sequence[FreightRule]) -> list[Area]:
    by_place: dict[str, list[FreightRule]] = defaultdict(list)
    for rule in sorted(rules, key=_width):
        by_place[rule.area_name].append(rule)
    places: dict[tuple[Fee, ...], list[str]] = defaultdict(list)
    for place, of_place in by_place.items():
        by_storage = {rule.storage: rule for rule in of_place}
        places[tuple(_fee(by_storage[kind]) for kind in Storage.values if kind in by_storage)].append(place)
    if not any(_width(rule) < _WHOLE for rule in rules):
        return [Area("", fees) for fees in places]
    return [Area(capfirst(gettext("; ").join(names)), fees) for fees, names in places.items()]


_WHOLE = (4, "")


def _width(rule: FreightRule) -> tuple[int, str]:
    """Return a sort key: councils, all councils, states and zones, post codes, the whole country."""
    if rule.council:
        return (1 if rule.council == ANY_COUNCIL else 0), rule.council
    if rule.province or rule.zone:
        return 2, rule.province or rule.zone
    code = rule.zip_prefix or rule.zip_from
    return (3, code) if code else _WHOLE


def _fee(rule: FreightRule) -> Fee:
    storage = rule.get_storage_display()
    if rule.excluded:
        return Fee(storage, why=rule.why_zh if is_chinese() else rule.why_en)
    return Fee(
        storage,
        price=tariff_text(rule),
        surcharge=aud_text(rule.surcharge) if rule.surcharge else "",
        free_from=aud_text(rule.free_from) if rule.free_from is not None else "",
        arrives=_arrives(rule),
    )


def _arrives(rule: FreightRule) -> str:
    if rule.council and rule.storage in COLD:
        return gettext("by our van, in a window of your choice")
    if rule.days_from is None or rule.days_to is None:
        return ""
    days: Mapping[str, int] = {"first": rule.days_from, "last": rule.days_to}
    if rule.days_from == rule.days_to:
        text = ngettext(
            "%(last)d working day after payment", "%(last)d working days after payment", rule.days_to
        )
        return text % days
    return gettext("%(first)d–%(last)d working days after payment") % days
