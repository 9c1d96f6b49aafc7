"""Names of countries in both languages, from the region data that the browser also uses."""

from functools import cache

from core.languages import CHINESE, reader_language
from core.regions import read


@cache
def _names() -> dict[str, tuple[str, str]]:
    return {row["short"]: (row["name"], row["en"]) for row in read("countries")}


@cache
def country_codes() -> dict[str, str]:
    """Return English name → two-letter code of each country."""
    return {en: code for code, (_, en) in _names().items()}


def country_names(code: str) -> tuple[str, str]:
    """Return a country's Chinese and English name; an unknown code is returned unchanged."""
    return _names().get(code, (code, code))


def is_country(code: str) -> bool:
    """Return True if two letters are the code of a country in the region data."""
    return code in _names()


def country_name(code: str) -> str:
    """Return a country's name in the reader's language; an unknown code is returned unchanged."""
    zh, en = country_names(code)
    return zh if reader_language() == CHINESE else en
