"""How each product looks: its pack, motif and colours, from looks.csv."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from PIL import Image

from tools.demo_pictures.canvas import SCALE, SIDE, Picture, block, colour
from tools.demo_pictures.flat_packs import FLATS, several
from tools.demo_pictures.labels import Print, Words
from tools.demo_pictures.motifs import motif
from tools.demo_pictures.round_packs import ROUNDS, draw_pump, draw_round, draw_tube

CATALOGUE = Path(__file__).parents[2] / "catalog" / "goods" / "demo"
# A pack's colour, a second one, and its paper.
PALETTE = {
    "red": ("#C5162E", "#F4B630", "#FFF9EC"),
    "crimson": ("#8E1430", "#E8B04A", "#FFF6EE"),
    "orange": ("#E2631C", "#1F5C4A", "#FFF9F0"),
    "amber": ("#D98A10", "#7A2E12", "#FFFAEC"),
    "gold": ("#B98A1E", "#7C1D2B", "#FFFBEF"),
    "lime": ("#6FA522", "#F0C232", "#FAFDF0"),
    "green": ("#22803F", "#F0B93A", "#F6FCF4"),
    "jade": ("#0E7A68", "#F2A33C", "#F3FBF8"),
    "teal": ("#137C8F", "#F3C14B", "#F2FBFC"),
    "sky": ("#2E8FD0", "#F7C948", "#F4FAFF"),
    "blue": ("#1F53B4", "#EE8A2A", "#F6F9FF"),
    "navy": ("#1B2F6B", "#D9A441", "#F7F8FD"),
    "violet": ("#6740A8", "#F2B8D0", "#FAF7FF"),
    "plum": ("#8A2C70", "#F2B04A", "#FEF6FC"),
    "pink": ("#D9487D", "#7FC4B4", "#FFF6F9"),
    "brown": ("#6A3B23", "#E0A24B", "#FFF9F1"),
    "charcoal": ("#33353D", "#D9A441", "#F8F8F9"),
}
# What is seen through glass.
CONTENTS = {
    "": "#E9E4DA", "bbq": "#5A2414", "bluegel": "#3F8FE0", "canevinegar": "#EFE3B8", "chillioil": "#9C1F10",
    "chillipowder": "#B8371C", "clear": "#DDEFF6", "curry": "#B9741E", "fishsauce": "#B4642A",
    "fivespice": "#8A5A2E", "greentea": "#B9B44A", "hoisin": "#3C1A14", "honey": "#E39A1C",
    "juice": "#F59A1F", "kimchi": "#D2502A", "lighttea": "#D9A24A", "mayo": "#FBF0C9", "milk": "#F7F3E8",
    "oil": "#E9B93A", "olive": "#3E4420", "oyster": "#40201A", "paste": "#7A4420", "peach": "#F4A843",
    "redcurd": "#A8362C", "ricevinegar": "#EFE6BE", "sesame": "#8A5426", "sesamedressing": "#D8B382",
    "soy": "#33170F", "sweetchilli": "#E0401F", "tea": "#A4501C", "vinegar": "#2A120E",
    "whitecurd": "#F0DFA8",
}  # fmt: skip
# Where several of a motif lie in a pile: middle and size of each, those behind first, in hundredths.
PILES = {
    2: ((33, 40, 62), (66, 60, 64)),
    3: ((50, 29, 52), (28, 68, 54), (71, 68, 54)),
    5: ((32, 27, 40), (68, 27, 40), (21, 66, 41), (79, 66, 41), (50, 60, 46)),
    6: ((50, 20, 36), (33, 46, 36), (67, 46, 36), (18, 75, 37), (82, 75, 37), (50, 76, 39)),
}


@dataclass(frozen=True)
class Look:
    """The look of a product. `count`: how many lie in a pile or are shown together."""

    shape: str
    motif: str
    colour: str
    content: str
    count: int


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the demonstration's tables."""
    return _read(CATALOGUE / f"{name}.csv")


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@lru_cache(1)
def looks() -> dict[str, Look]:
    """Return the look of each product, by its id."""
    return {
        row["goods_id"]: Look(
            row["shape"], row["motif"], row["colour"], row["content"], int(row["count"] or 1)
        )
        for row in _read(Path(__file__).with_name("looks.csv"))
    }


@lru_cache(1)
def _brands() -> dict[str, dict[str, str]]:
    return {row["brand_id"]: row for row in rows("brands")}


def words_of(product: dict[str, str]) -> Words:
    """Return the texts of a product's label: its names without the brand's, which is above."""
    brand = _brands()[product["brand_id"]]
    names = [_without(product[column], brand[column]) for column in ("name_zh", "name_en")]
    english, chinese = brand["name_en"], brand["name_zh"]
    both = chinese if chinese.startswith(english.split()[0]) else f"{english} {chinese}"
    return Words(both, names[0], names[1], product["pack"])


def _without(name: str, brand: str) -> str:
    rest = name.removeprefix(brand).strip()
    # One character alone is unclear, such as the pie of 好丽友派.
    return rest if len(rest) > 1 else name


def picture_of(product: dict[str, str]) -> Image.Image:
    """Return a product's picture, a cut-out of 640 pixels; `product`: its row of goods.csv."""
    look = looks()[product["goods_id"]]
    shown = motif(look.motif)
    if look.shape == "still":
        return _pile(shown, ((50, 50, 98),)).finished()
    if look.shape == "pile":
        return _pile(shown, PILES[look.count]).finished()
    return _pack(product, look, shown).finished()


def _pack(product: dict[str, str], look: Look, shown: Image.Image) -> Picture:
    brand_id = int(product["brand_id"])
    # A label has the colours of the product, or those of its brand.
    names = PALETTE[look.colour or list(PALETTE)[brand_id * 7 % len(PALETTE)]]
    main, accent, paper, content = map(colour, (*names, CONTENTS[look.content]))
    printed = Print(words_of(product), main, accent, paper, content, shown, brand_id % 3)
    draw = partial(_drawer(look.shape), printed)
    return several(draw, look.count) if look.count > 1 else draw()


def _drawer(shape: str) -> Callable[[Print], Picture]:
    if shape in ROUNDS and shape != "pump":
        return partial(draw_round, ROUNDS[shape])
    return {"pump": draw_pump, "tube": draw_tube}.get(shape) or FLATS[shape]


def _pile(shown: Image.Image, places: tuple[tuple[int, int, int], ...]) -> Picture:
    picture = Picture()
    whole = block((0, 0, SIDE, SIDE))
    for x, y, size in places:
        side = SIDE * size / 100
        part = shown.resize((round(side * SCALE), round(side * SCALE)), Image.Resampling.LANCZOS)
        picture.put(part, SIDE * x / 100 - side / 2, SIDE * y / 100 - side / 2, whole)
    return picture
