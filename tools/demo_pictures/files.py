"""The picture files of the demonstration: of products, of what is in packs, of categories."""

import io
from collections.abc import Sequence

from PIL import Image

from tools.demo_pictures.canvas import SCALE, SIDE, Picture, block
from tools.demo_pictures.looks import CATALOGUE, picture_of, rows
from tools.demo_pictures.motifs import motif

PICTURES = CATALOGUE / "pictures"
# Pixels of a side: larger pictures would be made in three sizes, and the first start take twice as long.
LENGTH = 256
# The middle of each of a category's three products, its size, in hundredths; the first is in front.
_PLACES = ((50, 60, 74), (24, 38, 58), (76, 38, 58))


def all_names() -> list[str]:
    """Return the names of all pictures that the tables name."""
    goods, categories = rows("goods"), rows("categories")
    galleries = {name for row in goods for name in row["gallery"].split("|") if name}
    # Those of categories come last: they show the others.
    return [*(row["picture"] for row in goods), *sorted(galleries), *(row["picture"] for row in categories)]


def write(name: str) -> bytes:
    """Return the file of a picture: `10101.avif` of a product, `category-1.avif`, or a motif's."""
    stem = name.removesuffix(".avif")
    if stem.isdecimal():
        return _encoded(picture_of(_goods()[stem]))
    if stem.startswith("category-"):
        return _encoded(category_picture(stem.removeprefix("category-")))
    return _encoded(motif(stem))


def products_shown(category_id: str) -> list[dict[str, str]]:
    """Return the three products that a category's picture shows, of different subcategories if it has any."""
    own = [row for row in rows("goods") if row["classify_id"] == category_id]
    if own:
        return own[:3]
    firsts: dict[str, dict[str, str]] = {}
    for row in rows("goods"):
        if row["first_classify_id"] == category_id:
            firsts.setdefault(row["classify_id"], row)
    return list(firsts.values())[:3]


def category_picture(category_id: str) -> Image.Image:
    """Return a category's picture: three of its products, one in front, from the files of their pictures."""
    shown: list[Image.Image] = []
    for product in products_shown(category_id):
        with Image.open(PICTURES / product["picture"]) as file:
            shown.append(file.convert("RGBA"))
    return _group(shown).finished()


def _group(shown: Sequence[Image.Image]) -> Picture:
    picture = Picture()
    whole = block((0, 0, SIDE, SIDE))
    for part, (x, y, size) in reversed(list(zip(shown, _PLACES, strict=False))):
        cut = part.crop(part.getbbox())
        scale = SIDE * SCALE * size / 100 / max(cut.size)
        small = cut.resize((round(cut.width * scale), round(cut.height * scale)), Image.Resampling.LANCZOS)
        left = SIDE * x / 100 - small.width / SCALE / 2
        top = SIDE * y / 100 - small.height / SCALE / 2
        picture.put(
            small,
            max(0.0, min(left, SIDE - small.width / SCALE)),
            max(0.0, min(top, SIDE - small.height / SCALE)),
            whole,
        )
    return picture


def _goods() -> dict[str, dict[str, str]]:
    return {row["goods_id"]: row for row in rows("goods")}


def _encoded(picture: Image.Image) -> bytes:
    small = picture.resize((LENGTH, LENGTH), Image.Resampling.LANCZOS)
    # White beneath what is transparent costs fewer bytes, and shows no dark edge.
    file = Image.new("RGB", small.size, "white")
    file.paste(small, mask=small.getchannel("A"))
    file.putalpha(small.getchannel("A"))
    data = io.BytesIO()
    file.save(data, "AVIF", quality=50, speed=6, max_threads=1)
    return data.getvalue()
