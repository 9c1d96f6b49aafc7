"""The motifs of labels, or of unpacked products alone: ready pictures and rendered ones, by name."""

from collections.abc import Callable
from functools import lru_cache
from inspect import isfunction
from pathlib import Path

from PIL import Image

from tools.demo_pictures import fruit, larder, things, vegetables
from tools.demo_pictures.canvas import SCALE, SIDE, Picture, block

FOLDER = Path(__file__).parent / "motifs"
_MODULES = (vegetables, fruit, larder, things)
# Each public function of these modules draws a motif; their tables have those that differ by numbers only.
DRAWN: dict[str, Callable[[], Picture]] = {
    name: function
    for module in _MODULES
    for name, function in vars(module).items()
    if isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
} | {**vegetables.VEGETABLES, **larder.LARDER, **things.THINGS}
# A ready picture in another colour: its name, the hues that turn (of 256), by how much, and its saturation.
RECOLOURED = {
    "purple_sweet_potato": ("sweet_potato", (0, 255), 205, 0.62),
    "gold_kiwi": ("kiwi", (45, 120), -22, 1.05),
    "red_capsicum": ("pepper", (30, 160), 170, 1.1),
    "green_grapes": ("grapes", (140, 240), -130, 0.75),
    "camel_scarf": ("scarf", (0, 255), 30, 0.5),
    "sheepskin_gloves": ("gloves", (0, 255), 96, 0.45),
    "barramundi": ("fish", (0, 255), 190, 0.28),
    "red_grapes": ("grapes", (140, 240), 62, 1.0),
}


@lru_cache(48)
def motif(name: str) -> Image.Image:
    """Return a motif, cut out and square; raises KeyError for a name that there is none of."""
    if name in DRAWN:
        return _square(DRAWN[name]().image)
    if name == "kangaroo_tote":
        return _kangaroo_tote()
    if name in RECOLOURED:
        return _recoloured(*RECOLOURED[name])
    path = FOLDER / f"{name}.webp"
    if not path.is_file():
        raise KeyError(name)
    return _square(Image.open(path).convert("RGBA"))


def _square(picture: Image.Image) -> Image.Image:
    """Return what is not empty of a picture, in the middle of a square."""
    part = picture.crop(picture.getbbox())
    side = max(part.size)
    square = Image.new("RGBA", (side, side))
    square.paste(part, ((side - part.width) // 2, (side - part.height) // 2))
    return square


def _recoloured(name: str, hues: tuple[int, int], turn: int, saturation: float) -> Image.Image:
    source = motif(name)
    hue, strength, light = source.convert("RGB").convert("HSV").split()
    low, high = hues
    chosen = hue.point([255 if low <= value <= high else 0 for value in range(256)])
    other = Image.merge(
        "HSV",
        (
            hue.point([(value + turn) % 256 for value in range(256)]),
            strength.point([min(255, round(value * saturation)) for value in range(256)]),
            light,
        ),
    ).convert("RGB")
    picture = Image.composite(other, source.convert("RGB"), chosen)
    picture.putalpha(source.getchannel("A"))
    return picture


def _kangaroo_tote() -> Image.Image:
    picture = DRAWN["tote"]()
    side = 300 * SCALE
    printed = motif("kangaroo").resize((side, side), Image.Resampling.LANCZOS)
    picture.put(printed, 170, 284, block((0, 0, SIDE, SIDE)))
    return _square(picture.image)
