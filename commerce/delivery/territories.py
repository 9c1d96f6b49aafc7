"""Australia's external territories, outside the indirect tax zone (docs/freight.md#external-territories).

Jervis Bay (2540) and Lord Howe Island (2898) are inside, and so is Macquarie Island, a part of Tasmania.
"""

from collections.abc import Sequence
from typing import NamedTuple

HOME_COUNTRY = "Australia"
# Post of the Antarctic stations and of the islands nearby.
_ANTARCTIC = "7151"


class Territory(NamedTuple):
    """An external territory: its name as a country, and the state and post code of its Australian addresses.

    `places`: the ends of the names of suburbs in it.
    """

    name: str
    state: str
    post_code: str
    places: tuple[str, ...]


TERRITORIES = (
    Territory("Norfolk Island", "NSW", "2899", ("Norfolk Island",)),
    Territory("Christmas Island", "WA", "6798", ("Christmas Island",)),
    Territory("Cocos (Keeling) Islands", "WA", "6799", ("Cocos (Keeling) Islands",)),
    Territory("Australian Antarctic Territory", "TAS", _ANTARCTIC, ("Casey", "Davis", "Mawson")),
    Territory("Heard Island and McDonald Islands", "TAS", _ANTARCTIC, ("Heard Island", "McDonald Islands")),
)


def territory_of(country: str, parts: Sequence[str], post_code: str) -> Territory | None:
    """Return the external territory of an address, however it is entered; None for any other address.

    It may be a country, or an Australian post code or place. `parts`: state, city and suburb as entered. The
    post code decides; without one, the place does.
    """
    if country != HOME_COUNTRY:
        return next((each for each in TERRITORIES if each.name == country), None)
    return next((each for each in TERRITORIES if _is_in(each, parts, post_code)), None)


def _is_in(territory: Territory, parts: Sequence[str], post_code: str) -> bool:
    places = tuple(place.casefold() for place in territory.places)
    is_named = any(part.casefold().endswith(places) for part in parts)
    if territory.post_code == _ANTARCTIC:
        # Places elsewhere have the same names, and Macquarie Island has the same post code.
        return is_named and post_code == _ANTARCTIC
    return post_code == territory.post_code or (is_named and not post_code)
