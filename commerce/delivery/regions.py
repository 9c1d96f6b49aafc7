"""Finds the council of Perth or the part of Malaysia of an address, in the region data of the browser."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from core.regions import australian_post_codes, read, tree

# The council of a freight rule for every council of Perth.
ANY_COUNCIL = "*"
COUNCILS_COUNTRY, COUNCILS_PROVINCE = "Australia", "WA"
ZONES_COUNTRY = "Malaysia"
_EAST_MALAYSIA = frozenset({"Labuan", "Sabah", "Sarawak"})


class Zone(TextChoices):
    """A part of a country that is larger than a state."""

    east_malaysia = "east_malaysia", _("East Malaysia")
    west_malaysia = "west_malaysia", _("West Malaysia")


@cache
def provinces(country: str) -> frozenset[str]:
    """Return the states or provinces of a country, as in addresses; empty if there is no data.

    `country`: English name.
    """
    match country:
        case "Australia":
            return frozenset(australian_post_codes())
        case "China" | "Malaysia" | "Taiwan":
            return frozenset(tree(country))
    return frozenset()


@cache
def councils() -> tuple[str, ...]:
    """Return the councils of Perth, and Mandurah, by name."""
    return tuple(council["label"] for council in read("perth"))


def council_of(parts: Sequence[str], post_code: str) -> str:
    """Return the council of Perth that an Australian address is in; empty for none.

    `parts`: state, city and suburb as entered, in any letter case. The post code decides, then the suburb,
    then a council named in the parts. If the suburb is in two councils and none is named, the first in the
    region data wins. If the suburb is unknown and none is named, the one with most suburbs wins. A named
    council alone counts only in WA and without a post code, since customers may enter any name.
    """
    text = _folded(parts)
    if not post_code:
        is_there = text.startswith(f"-{COUNCILS_PROVINCE.casefold()}-")
        return max(councils(), key=lambda name: _place(name, text)) if is_there and _named(text) else ""
    suburbs = _suburbs().get(post_code)
    if not suburbs:
        return ""
    place = max(_place(suburb, text) for suburb, _council in suburbs)
    if place >= 0:
        found = [council for suburb, council in suburbs if _place(suburb, text) == place]
    else:
        found = [council for council, _count in Counter(council for _, council in suburbs).most_common()]
    named = _named(text)
    return next((council for council in found if council in named), found[0])


def zone_of(parts: Sequence[str], post_code: str) -> str:
    """Return the `Zone` of a Malaysian address by post code, else by state; empty if both are unknown."""
    text = _folded(parts)
    states = _malaysian_states()
    named = (state for state in provinces(ZONES_COUNTRY) if text.startswith(f"-{state.casefold()}-"))
    state = states.get(post_code) or next(named, "")
    if not state:
        return ""
    return (Zone.east_malaysia if state in _EAST_MALAYSIA else Zone.west_malaysia).value


def _folded(parts: Sequence[str]) -> str:
    # Names may contain hyphens, so they are searched in the joined parts.
    return f"-{'-'.join(filter(None, parts))}-".casefold()


def _place(name: str, text: str) -> int:
    return text.rfind(f"-{name.casefold()}-")


def _named(text: str) -> list[str]:
    return [name for name in councils() if _place(name, text) >= 0]


@cache
def _suburbs() -> dict[str, list[tuple[str, str]]]:
    """Return post code → pairs of suburb and council in Perth, in the order of the region data."""
    suburbs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for council in read("perth"):
        for suburb in council["children"]:
            suburbs[suburb["postcode"]].append((suburb["label"], council["label"]))
    return dict(suburbs)


@cache
def _malaysian_states() -> dict[str, str]:
    return {
        code: state
        for state, towns in tree(ZONES_COUNTRY).items()
        for codes in towns.values()
        for code in codes
    }
