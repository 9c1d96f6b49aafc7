"""Finds parts of an address that contradict each other in the region data (docs/wire.md#addresses)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.regions import australian_post_codes, has_suburbs, read, suburb_post_codes, tree

PROVINCE, CITY, AREA, POST_CODE = "provinceName", "cityName", "areaName", "zipCode"
FORMATS = {
    "Australia": re.compile(r"[0-9]{4}"),
    "China": re.compile(r"[0-9]{6}"),
    "Malaysia": re.compile(r"[0-9]{5}"),
    "Taiwan": re.compile(r"[0-9]{3}([0-9]{2,3})?"),
}
# The council of Perth that has the same name as the city.
CITY_OF_PERTH = "Perth"
COUNCILS_STATE = "WA"
# Placeholders for a municipality's city in lists of Chinese regions.
NO_CITY = frozenset({"市辖区", "县"})


@dataclass(frozen=True)
class Parts:
    """The parts of an address as entered; empty if not entered."""

    country: str
    province: str
    city: str
    area: str
    post_code: str


def wrong_part(parts: Parts, *, is_confirmed: bool = False) -> str | None:
    """Return the wire name of the first part that contradicts the parts before it; None if there is none.

    Empty parts are accepted. Australian suburbs and Chinese districts that are not in the data may be new, so
    they are accepted too. Addresses in countries outside FORMATS are not checked.

    `is_confirmed`: the customer has confirmed the address, since the data may be out of date. A district
    or a post code of another place in the same state or province is accepted then. What freight depends on
    cannot be confirmed.
    """
    code = FORMATS.get(parts.country)
    if code is None:
        return None
    rule = {"Australia": _australia, "China": _china}.get(parts.country, _by_post_code)
    wrong = rule(parts, is_confirmed)
    return wrong or (POST_CODE if parts.post_code and not code.fullmatch(parts.post_code) else None)


def _australia(parts: Parts, is_confirmed: bool) -> str | None:
    state, code = parts.province.upper(), parts.post_code
    states = [state] if state else list(australian_post_codes())
    if state and state not in australian_post_codes():
        return PROVINCE
    if state == COUNCILS_STATE and not _is_council_of(parts.city, parts.area):
        return CITY
    if code and not any(_is_set_aside(code, each) for each in states):
        return POST_CODE
    if is_confirmed:
        return None
    own = [each for state in states for each in suburb_post_codes(state, parts.area)]
    # A post code without suburbs may belong to post boxes.
    if code and own and code not in own and any(has_suburbs(state, code) for state in states):
        return POST_CODE
    return None


def _is_set_aside(code: str, state: str) -> bool:
    ranges = (each.partition("-") for each in australian_post_codes()[state])
    return any(first <= code <= (last or first) for first, _, last in ranges)


def _is_council_of(city: str, suburb: str) -> bool:
    """Return True if `city` is no council of Perth, or if the suburb is in it or unknown."""
    councils = _councils()
    name, suburb = city.casefold(), suburb.casefold()
    if name not in councils or name == CITY_OF_PERTH.casefold():
        return True
    return suburb in councils[name] or not any(suburb in suburbs for suburbs in councils.values())


@cache
def _councils() -> dict[str, frozenset[str]]:
    return {
        council["label"].casefold(): frozenset(suburb["label"].casefold() for suburb in council["children"])
        for council in read("perth")
    }


def _china(parts: Parts, is_confirmed: bool) -> str | None:
    provinces = tree("China")
    if parts.province and parts.province not in provinces:
        return PROVINCE
    cities = [
        (name, districts, len(each) == 1)
        for province, each in provinces.items()
        for name, districts in each.items()
        if parts.province in ("", province)
    ]
    # A municipality is its own city, so some customers leave out the city.
    found = [
        districts
        for name, districts, is_municipality in cities
        if parts.city in ("", name) or (is_municipality and parts.city in NO_CITY)
    ]
    if not found:
        is_district = any(alone and parts.city in districts for _, districts, alone in cities)
        return None if is_district else CITY
    if parts.area and not is_confirmed and not any(parts.area in districts for districts in found):
        return AREA if _is_elsewhere(parts.area) else None
    return None


def _is_elsewhere(district: str) -> bool:
    return any(district in districts for cities in tree("China").values() for districts in cities.values())


def _by_post_code(parts: Parts, is_confirmed: bool) -> str | None:
    """Check an address in Malaysia or Taiwan, where post codes belong to towns or districts."""
    province, city = (_as_listed(part) for part in (parts.province, parts.city))
    found = [each for name, each in tree(parts.country).items() if province in ("", _as_listed(name))]
    if not found:
        return PROVINCE
    codes: list[Sequence[str]] = [
        each for cities in found for name, each in cities.items() if city in ("", _as_listed(name))
    ]
    if not codes:
        return CITY
    # In Taiwan the first three digits are the district; the rest is the street.
    code = parts.post_code[:3] if parts.country == "Taiwan" else parts.post_code
    if not code or any(code in each for each in codes):
        return None
    others = (
        each for cities in tree(parts.country).values() if cities not in found for each in cities.values()
    )
    return None if is_confirmed and not any(code in each for each in others) else POST_CODE


def _as_listed(name: str) -> str:
    return name.casefold().replace("台", "臺")
