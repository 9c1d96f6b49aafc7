"""Masks, colours and light: what every picture is drawn with.

Lengths are units of a picture's side of 640; everything is drawn twice as large and made smaller at the end.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, exp

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter

SIDE = 640
SCALE = 2
_PIXELS = SIDE * SCALE

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
Point = tuple[float, float]

WHITE: Colour = (255, 255, 255)
INK: Colour = (38, 30, 34)


def colour(text: str) -> Colour:
    """Return the colour of a text such as `#C8102E`."""
    red, green, blue = ImageColor.getrgb(text)[:3]
    return red, green, blue


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two; `share`: how much of the other, 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def is_light(one: Colour) -> bool:
    """Return True if dark letters are read better on a colour than white ones."""
    return 0.299 * one[0] + 0.587 * one[1] + 0.114 * one[2] > 165


def polygon(points: Sequence[Point], rounding: float = 0) -> Image.Image:
    """Return the mask of a polygon, its corners rounded."""
    mask = _empty()
    ImageDraw.Draw(mask).polygon([(x * SCALE, y * SCALE) for x, y in points], fill=255)
    return rounded(mask, rounding) if rounding else mask


def rounded(mask: Image.Image, rounding: float) -> Image.Image:
    """Return a mask with its corners rounded."""
    box = mask.getbbox()
    if box is None:
        return mask
    margin = ceil(rounding * SCALE * 2)
    around = (box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin)
    soft = mask.crop(around).filter(ImageFilter.GaussianBlur(rounding * SCALE * 0.7))
    whole = Image.new("L", mask.size)
    whole.paste(soft.point([max(0, min(255, (v - 128) * 24 + 128)) for v in range(256)]), around[:2])
    return whole


def block(box: Box, radius: float = 0) -> Image.Image:
    """Return the mask of a rectangle with round corners."""
    mask = _empty()
    ImageDraw.Draw(mask).rounded_rectangle([v * SCALE for v in box], radius * SCALE, fill=255)
    return mask


def oval(box: Box) -> Image.Image:
    """Return the mask of an ellipse."""
    mask = _empty()
    ImageDraw.Draw(mask).ellipse([v * SCALE for v in box], fill=255)
    return mask


def dot(x: float, y: float, wide: float, high: float | None = None) -> Image.Image:
    """Return the mask of an ellipse around (x, y); without `high` of a circle."""
    high = wide if high is None else high
    return oval((x - wide, y - high, x + wide, y + high))


def stroke(points: Sequence[Point], width: float) -> Image.Image:
    """Return the mask of a line with round joints and ends."""
    mask = _empty()
    draw = ImageDraw.Draw(mask)
    path = [(x * SCALE, y * SCALE) for x, y in points]
    draw.line(path, fill=255, width=round(width * SCALE), joint="curve")
    half = width * SCALE / 2
    for x, y in path:
        draw.ellipse((x - half, y - half, x + half, y + half), fill=255)
    return mask


def both(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return the mask of what two masks share."""
    return ImageChops.multiply(one, other)


class Picture:
    """A picture that is drawn part by part, empty at first."""

    def __init__(self) -> None:
        self.image = Image.new("RGBA", (_PIXELS, _PIXELS))

    def finished(self) -> Image.Image:
        """Return the picture at its own size."""
        return self.image.reduce(SCALE)

    def paint(self, mask: Image.Image, ink: Colour, strength: float = 1) -> None:
        """Lay a colour over what a mask shows."""
        box = mask.getbbox()
        if box is not None:
            self._lay(mask.crop(box), ink, strength, box[:2])

    def _lay(self, mask: Image.Image, ink: Colour, strength: float, corner: tuple[int, int]) -> None:
        layer = Image.new("RGBA", mask.size, ink)
        layer.putalpha(mask if strength == 1 else mask.point([round(v * strength) for v in range(256)]))
        self.image.alpha_composite(layer, corner)

    def put(self, part: Image.Image, left: float, top: float, mask: Image.Image) -> None:
        """Lay a part over a picture, as far as a mask shows it."""
        layer = Image.new("RGBA", self.image.size)
        layer.paste(part, (round(left * SCALE), round(top * SCALE)))
        layer.putalpha(both(layer.getchannel("A"), mask))
        self.image.alpha_composite(layer)

    def lay(self, other: "Picture") -> None:
        """Lay another picture over this one."""
        self.image.alpha_composite(other.image)

    def solid(self, mask: Image.Image, ink: Colour, *, deep: float = 1, soft: float = 34) -> None:
        """Lay a rounded body over a picture, lit from the upper left."""
        self.paint(mask, ink)
        self.light_up(mask, ink, deep=deep, soft=soft)

    def light_up(self, mask: Image.Image, ink: Colour, *, deep: float, soft: float) -> None:
        """Lay light and shade over a body; `deep`: how round it is, `soft`: how far the shade reaches."""
        box = mask.getbbox()
        if box is None:
            return
        left, top, right, bottom = box
        margin = ceil(soft * SCALE * 2)
        shape = mask.crop((left - margin, top - margin, right + margin, bottom + margin))
        inner = (margin, margin, margin + right - left, margin + bottom - top)
        blurred = shape.filter(ImageFilter.GaussianBlur(soft * SCALE * 0.6))
        shift = round(soft * SCALE * 0.45)
        for place, tone, strength in (
            (-shift, mix(ink, (40, 8, 40), 0.62), 0.72),
            (shift, mix(ink, WHITE, 0.75), 0.55),
        ):
            lit = both(ImageChops.invert(ImageChops.offset(blurred, place, place)), shape)
            self._lay(lit.crop(inner), tone, strength * deep, (left, top))

    def turn(self, mask: Image.Image, left: float, right: float, *, gloss: float = 0.5) -> None:
        """Lay the light of an upright cylinder over what a mask shows between two sides."""
        shade, light = _strips(round(left * SCALE), round(right * SCALE))
        self.paint(both(shade.resize(self.image.size), mask), (24, 12, 30), 0.55)
        self.paint(both(light.resize(self.image.size), mask), WHITE, gloss)

    def sheen(self, mask: Image.Image, box: Box, strength: float = 0.22) -> None:
        """Lay a soft diagonal gleam over a flat pack."""
        left, top, right, bottom = box
        width, high = right - left, bottom - top
        band = polygon(
            [
                (left + width * 0.04, top),
                (left + width * 0.30, top),
                (left + width * 0.10, top + high),
                (left - width * 0.16, top + high),
            ]
        ).filter(ImageFilter.GaussianBlur(18 * SCALE))
        self.paint(both(band, mask), WHITE, strength)


@lru_cache(64)
def _strips(left: int, right: int) -> tuple[Image.Image, Image.Image]:
    shade, light = Image.new("L", (_PIXELS, 1)), Image.new("L", (_PIXELS, 1))
    width = max(right - left, 1)
    for x in range(_PIXELS):
        place = 2 * (x - left) / width - 1
        edge = min(1.0, abs(place)) ** 3.4 * (1.0 if place > 0 else 0.75) + 0.10 * max(0.0, min(place, 1.0))
        gleam = exp(-(((place + 0.6) / 0.13) ** 2)) + 0.35 * exp(-(((place - 0.74) / 0.07) ** 2))
        shade.putpixel((x, 0), round(255 * min(1.0, edge)))
        light.putpixel((x, 0), round(255 * min(1.0, gleam)))
    return shade, light


def _empty() -> Image.Image:
    return Image.new("L", (_PIXELS, _PIXELS))
