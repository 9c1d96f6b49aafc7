"""The region data in static/regions, which the browser also reads (docs/product.md#addresses)."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

FOLDER: Path = settings.BASE_DIR / "static" / "regions"
# Largest part of a country → next part → its districts, or its post codes.
Tree = Mapping[str, Mapping[str, tuple[str, ...]]]


def read(name: str) -> Any:
    """Return the content of a file in the region data."""
    return json.loads((_folder() / f"{name}.json").read_text("utf-8"))


@cache
def _folder() -> Path:
    name: str = json.loads((FOLDER / "current.json").read_text("utf-8"))["folder"]
    return FOLDER / name


@cache
def tree(country: str) -> Tree:
    """Return the areas of China, Malaysia or Taiwan, by the country's English name."""
    data = read(country.lower())
    nodes = data["data"] if country == "China" else data
    if country == "Taiwan":
        return {
            county["label"]: {district["label"]: (str(district["value"]),) for district in county["children"]}
            for county in nodes
        }
    return {
        first["label"]: {
            second["label"]: tuple(third["label"] for third in second["children"])
            for second in first["children"]
        }
        for first in nodes
    }


@cache
def australian_post_codes() -> dict[str, tuple[str, ...]]:
    """Return state of Australia → its post codes, as ranges (`6000-6999`) and single codes."""
    return {state: tuple(codes) for state, codes in read("post-codes").items()}


def suburb_post_codes(state: str, suburb: str) -> list[str]:
    """Return the post codes of an Australian suburb, regardless of case; empty for an unknown suburb."""
    name = suburb.casefold()
    # No suburb begins with another character, and each one would add an entry to the cache.
    if not (name[:1].isascii() and name[:1].isalnum()):
        return []
    # A dictionary of all suburbs would use ten times the memory without being faster.
    return [rest[:4] for rest in _suburbs(name[:1]).split(f"\n{state}|{name}|")[1:]]


def has_suburbs(state: str, post_code: str) -> bool:
    """Return True if an Australian state has a suburb with this post code."""
    return f"\n{state}|{post_code}\n" in _used_post_codes(post_code[:1])


@cache
def _suburbs(first: str) -> str:
    """Return one line with state, name and post code for each suburb whose name begins with `first`."""
    rows = (
        f"\n{state}|{suburb.casefold()}|{code}"
        for state, suburb, code in _part(first)
        if suburb.casefold().startswith(first)
    )
    return "".join(rows)


@cache
def _used_post_codes(first: str) -> str:
    codes = {f"{state}|{code}" for state, _, code in _part(first)}
    return "\n".join(["", *sorted(codes), ""])


def _part(first: str) -> list[tuple[str, str, str]]:
    if not (_folder() / f"suburbs-{first}.json").exists():
        return []
    part = read(f"suburbs-{first}")
    return [(state, name, code) for state, rows in part.items() for name, code, *_ in rows]
