"""Write the region data in static/regions from the packages and tables that static/regions/NOTICE.md names.

    write.py    replaces the folder, whose name is the hash of what is in it, and names it in current.json

The same versions of the packages give the same bytes.
"""

import csv
import hashlib
import json
import re
import shutil
import subprocess
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any

import phonenumbers
from babel import Locale
from pypinyin import lazy_pinyin

HERE = Path(__file__).parent
TARGET = HERE.parent.parent / "static" / "regions"

# ── Countries ─────────────────────────────────────────────────────────────────────────────────────────
# English and Chinese names that the shop has otherwise than CLDR.
OWN_NAMES = {
    "HK": ("Hong Kong", "香港"),
    "MO": ("Macau", "澳门"),
    "TW": ("Taiwan", "台湾"),
    "US": ("USA", "美国"),
}
FEATURED = ("AU", "CN", "HK", "JP", "MY", "NZ", "TW", "US")

# ── China ─────────────────────────────────────────────────────────────────────────────────────────────
# Taiwan, Hong Kong and Macau, which the shop lists as countries.
LISTED_AS_COUNTRIES = frozenset({"710000", "810000", "820000"})
# The package has its city districts and its counties as two cities, the second being 500200.
CHONGQING, CHONGQING_CITY, CHONGQING_COUNTIES = "500000", "500100", "500200"

# ── Malaysia ──────────────────────────────────────────────────────────────────────────────────────────
CHINESE_STATES = {
    "Johor": "柔佛",
    "Kedah": "吉打",
    "Kelantan": "吉兰丹",
    "Kuala Lumpur": "吉隆坡",
    "Labuan": "纳闽",
    "Melaka": "马六甲",
    "Negeri Sembilan": "森美兰",
    "Pahang": "彭亨",
    "Perak": "霹雳",
    "Perlis": "玻璃市",
    "Pulau Pinang": "槟城",
    "Putrajaya": "布城",
    "Sabah": "沙巴",
    "Sarawak": "砂拉越",
    "Selangor": "雪兰莪",
    "Terengganu": "登嘉楼",
}

# State, town and its other name, which has the same post codes.
OTHER_NAME = ("Pulau Pinang", "Pulau Pinang", "George Town")

# ── Australia ─────────────────────────────────────────────────────────────────────────────────────────
# The post codes that are set aside for each state, whether the list of suburbs has them or not.
POST_CODES = {
    "ACT": ((200, 299), (2600, 2618), (2900, 2920)),
    "NSW": ((1000, 2599), (2619, 2899), (2921, 2999)),
    "NT": ((800, 999),),
    "QLD": ((4000, 4999), (9000, 9999)),
    "SA": ((5000, 5999),),
    "TAS": ((7000, 7999),),
    "VIC": ((3000, 3999), (8000, 8999)),
    "WA": ((6000, 6999),),
}

Node = dict[str, Any]


def build() -> dict[str, bytes]:
    """Return the content of each file by its name; an AssertionError names the promise that does not hold."""
    node = subprocess.run(["node", HERE / "packages.mjs"], check=True, capture_output=True)  # noqa: S607
    packages = json.loads(node.stdout)
    suburbs = _suburbs(packages["australia"])
    perth = _perth(list(csv.DictReader((HERE / "perth.csv").read_text("utf-8").splitlines())))
    files = {
        "countries": _countries(),
        "china": _china(packages["china"]),
        "taiwan": _taiwan(**packages["taiwan"]),
        "malaysia": _malaysia(packages["malaysia"]),
        "perth": perth,
        "post-codes": _post_codes(suburbs),
        **_parts(suburbs, perth),
    }
    return {
        f"{name}.json": (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        for name, value in files.items()
    }


def folder_of(files: dict[str, bytes]) -> str:
    """Return the name of the folder that has these files."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:12]


def _node(value: str | int, label: str, children: list[Node] | None = None, **names: str | None) -> Node:
    node: Node = {"value": value, "label": label, **names}
    return node if children is None else node | {"children": children}


def _countries() -> list[dict[str, Any]]:
    english, chinese = Locale.parse("en").territories, Locale.parse("zh_Hans").territories
    rows = []
    for code in phonenumbers.SUPPORTED_REGIONS:
        en, zh = OWN_NAMES.get(code) or (english[code], chinese[code])
        syllables = lazy_pinyin("".join(sign for sign in zh if "\u4e00" <= sign <= "\u9fff"))
        rows.append(
            {
                "short": code,
                "name": zh,
                "en": en,
                "tel": str(phonenumbers.country_code_for_region(code)),
                "pinyin": "".join(syllables),
                "initials": "".join(syllable[0] for syllable in syllables),
                "featured": code in FEATURED,
            }
        )
    # Å and ô are sorted with A and o.
    rows.sort(key=lambda row: (not row["featured"], unicodedata.normalize("NFD", str(row["en"]))))
    assert tuple(row["short"] for row in rows[: len(FEATURED)]) == FEATURED
    return rows


def _china(areas: dict[str, dict[str, str]]) -> dict[str, Any]:
    districts: dict[str, list[Node]] = defaultdict(list)
    for code, name in areas["county_list"].items():
        assert re.fullmatch(r"\d{6}", code)
        assert not code.endswith("00")
        districts[f"{code[:4]}00"].append(_node(code, name))
    cities: dict[str, list[Node]] = defaultdict(list)
    for code, name in areas["city_list"].items():
        if code != CHONGQING_COUNTIES:
            merged = districts[CHONGQING_COUNTIES] if code == CHONGQING_CITY else []
            assert districts[code]
            cities[f"{code[:2]}0000"].append(_node(code, name, districts[code] + merged))
    provinces = [
        _node(code, name, cities[code])
        for code, name in areas["province_list"].items()
        if code not in LISTED_AS_COUNTRIES
    ]
    assert len(provinces) == 31
    assert all(province["children"] for province in provinces)
    assert len(cities[CHONGQING]) == 1
    return {"version": "", "data": provinces}


def _taiwan(zh: dict[str, Any], en: dict[str, Any]) -> list[Node]:
    counties = {county["id"]: county["name"] for county in en["counties"]}
    districts = {district["id"]: district["city"] for district in en["zipcodes"]}
    tree = [
        _node(
            number,
            county["name"],
            [
                _node(int(each["zipcode"]), each["city"], labelEn=districts[each["id"]])
                for each in zh["zipcodes"]
                if each["county"] == county["name"]
            ],
            labelEn=counties[county["id"]],
        )
        for number, county in enumerate(zh["counties"], 1)
    ]
    tree = [county for county in tree if county["children"]]
    assert len(tree) == 22
    assert all(100 <= district["value"] < 1000 for county in tree for district in county["children"])
    return tree


def _malaysia(states: list[dict[str, Any]]) -> list[Node]:
    towns = {state["name"].removeprefix("Wp "): state["city"] for state in states}
    assert towns.keys() == CHINESE_STATES.keys()
    state, official, other = OTHER_NAME
    [capital] = [town for town in towns[state] if town["name"] == official]
    # Last, so that the others keep their numbers.
    towns[state] = [*towns[state], {**capital, "name": other}]
    return [
        _node(
            number,
            name,
            sorted(
                (
                    # A number has no leading zero, so the label is what is shown and sent.
                    _node(number * 1000 + index, town["name"], [_node(int(c), c) for c in town["postcode"]])
                    for index, town in enumerate(towns[name], 1)
                ),
                key=itemgetter("label"),
            ),
            labelZh=CHINESE_STATES[name],
        )
        for number, name in enumerate(sorted(towns), 1)
    ]


def _suburbs(rows: Iterable[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Return state, name and post code of every suburb that mail is delivered in."""
    found = {
        f"{row['state']}|{_title(row['locality'])}|{row['postcode']}"
        for row in rows
        if row["type"] == "Delivery Area" and re.fullmatch(r"\d{4}", row["postcode"])
    }
    suburbs = [(state, name, code) for state, name, code in (key.split("|") for key in sorted(found))]
    assert {state for state, _, _ in suburbs} == POST_CODES.keys()
    return suburbs


def _title(name: str) -> str:
    name = re.sub(r"(^|[\s\-(.])([a-z])", lambda found: found[1] + found[2].upper(), name.lower())
    return re.sub(r"\b(Mc|O')([a-z])", lambda found: found[1] + found[2].upper(), name)


def _perth(rows: list[dict[str, str]]) -> list[Node]:
    councils: dict[str, Node] = {}
    for row in rows:
        council = councils.setdefault(row["lga_code"], _node(row["lga_code"], row["lga"], []))
        council["children"].append(_node(row["suburb_code"], row["suburb"], postcode=row["postcode"]))
    assert len(councils) == 31
    return list(councils.values())


def _post_codes(suburbs: list[tuple[str, str, str]]) -> dict[str, list[str]]:
    """Return each state's ranges, and the post codes beyond its border that reach into it."""
    codes: dict[str, list[str]] = {}
    for state, ranges in POST_CODES.items():
        codes[state] = [f"{first:04}-{last:04}" for first, last in ranges]
        known = {code for its_state, _, code in suburbs if its_state == state}
        codes[state] += sorted(
            code for code in known if not any(first <= int(code) <= last for first, last in ranges)
        )
    return codes


def _parts(suburbs: list[tuple[str, str, str]], perth: list[Node]) -> dict[str, Any]:
    """Return the suburbs in parts, by the first sign of each word of the name and of the post code."""
    councils: dict[tuple[str, str], str] = {}
    for node in perth:
        for suburb in node["children"]:
            councils.setdefault((suburb["label"], suburb["postcode"]), node["label"])
    parts: dict[str, dict[str, list[list[str]]]] = defaultdict(lambda: defaultdict(list))
    for state, name, code in suburbs:
        council = councils.get((name, code)) if state == "WA" else None
        for first in {code[0], *(word[0].lower() for word in name.split())}:
            parts[f"suburbs-{first}"][state].append([name, code, *([council] if council else [])])
    # Those that are found by their post code compress better in its order.
    for rows in (rows for name, part in parts.items() if name[-1].isdigit() for rows in part.values()):
        rows.sort(key=lambda row: row[1])
    # A word that begins otherwise, with "(" that is, is not looked for.
    return {name: parts[name] for name in sorted(parts) if name[-1].isalnum()}


def main() -> None:
    """Replace the folder by the files as they should be."""
    files = build()
    folder = folder_of(files)
    for old in TARGET.glob("[0-9a-f]" * len(folder)):
        shutil.rmtree(old)
    (TARGET / folder).mkdir()
    for name, content in files.items():
        (TARGET / folder / name).write_bytes(content)
    (TARGET / "current.json").write_text(json.dumps({"folder": folder}) + "\n")
    print(f"{len(files)} files in {(TARGET / folder).relative_to(TARGET.parent.parent)}")


if __name__ == "__main__":
    main()
