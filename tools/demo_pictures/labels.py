"""Labels: a product's brand, both names and quantity, set so that they fit."""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tools.demo_pictures.canvas import INK, SCALE, WHITE, Colour, is_light, mix

FONTS = Path(__file__).parents[2] / "build" / "fonts"
MIN_SIZE = 13
# A run of Latin letters and digits stays whole, each Chinese character is alone.
_PIECES = re.compile(r"[\w+'’&.%/-]+|\S", re.ASCII)


@dataclass(frozen=True)
class Words:
    """The texts of a label."""

    brand: str
    chinese: str
    english: str
    quantity: str


@dataclass(frozen=True)
class Setting:
    """A text as it is set: its lines, and the size of its letters in units."""

    lines: tuple[str, ...]
    size: int

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * 1.22


@lru_cache(256)
def font(size: float, *, bold: bool) -> ImageFont.FreeTypeFont:
    """Return the font of both languages in a size of units."""
    name = "NotoSansSC_700Bold.ttf" if bold else "NotoSansSC_400Regular.ttf"
    return ImageFont.truetype(FONTS / name, round(size * SCALE), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(1 << 15)
def width_of(text: str, size: float, *, bold: bool) -> float:
    """Return how wide a text is, in units."""
    return font(size, bold=bold).getlength(text) / SCALE


def fit(text: str, width: float, height: float, *, largest: int, bold: bool) -> Setting:
    """Return a text in the largest letters with which it fits; one that never does ends in dots."""
    for size in range(largest, MIN_SIZE - 1, -1):
        lines = _wrapped(text, width, size, bold=bold)
        setting = Setting(lines, size)
        if setting.height <= height and all(width_of(line, size, bold=bold) <= width for line in lines):
            return setting
    return _cut(text, width, height, bold=bold)


def _wrapped(text: str, width: float, size: int, *, bold: bool) -> tuple[str, ...]:
    """Break a text into as few lines as it needs, about equally long."""
    least = max(1, ceil(width_of(text, size, bold=bold) / width))
    for count in range(least, least + 3):
        goal = width_of(text, size, bold=bold) / count
        lines = _broken(text, min(width, goal * 1.12 + size * 0.4), size, bold=bold)
        if len(lines) <= count:
            return lines
    return _broken(text, width, size, bold=bold)


def _broken(text: str, width: float, size: int, *, bold: bool) -> tuple[str, ...]:
    lines: list[str] = []
    line = ""
    end = 0
    for found in _PIECES.finditer(text):
        gap = " " if line and found.start() > end else ""
        end = found.end()
        if line and width_of(line + gap + found[0], size, bold=bold) > width:
            lines.append(line)
            line = found[0]
        else:
            line += gap + found[0]
    return (*lines, line)


def _cut(text: str, width: float, height: float, *, bold: bool) -> Setting:
    room = max(1, int(height // (MIN_SIZE * 1.22)))
    lines: list[str] = []
    rest = text
    while rest and len(lines) < room:
        end = len(rest)
        while end > 1 and width_of(rest[:end], MIN_SIZE, bold=bold) > width:
            end -= 1
        lines.append(rest[:end].strip())
        rest = rest[end:]
    if rest:
        last = lines[-1]
        while last and width_of(last + "…", MIN_SIZE, bold=bold) > width:
            last = last[:-1]
        lines[-1] = last + "…"
    return Setting(tuple(lines), MIN_SIZE)


def _write(
    sheet: Image.Image, setting: Setting, middle: float, top: float, ink: Colour, *, bold: bool
) -> None:
    draw = ImageDraw.Draw(sheet)
    for place, line in enumerate(setting.lines):
        y = top + place * setting.size * 1.22 + setting.size * 0.61
        draw.text((middle * SCALE, y * SCALE), line, ink, font=font(setting.size, bold=bold), anchor="mm")


@dataclass(frozen=True)
class Print:
    """What is printed on a pack.

    `main`: the brand's colour, `accent`: a second one, `paper`: that of the label, `content`: of what is seen
    through glass. `style`: which of the three layouts of labels, which a brand keeps.
    """

    words: Words
    main: Colour
    accent: Colour
    paper: Colour
    content: Colour
    motif: Image.Image
    style: int

    def label(self, width: float, height: float, *, has_motif: bool = True) -> Image.Image:
        """Return a label; `has_motif`: whether it shows the motif."""
        sheet = Image.new("RGBA", (round(width * SCALE), round(height * SCALE)), self.paper)
        draw = ImageDraw.Draw(sheet)
        band = height * 0.17 if self.words.brand else height * 0.05
        names = self.main if not is_light(self.main) else mix(self.main, INK, 0.75)
        small = mix(names, INK, 0.5)
        if self.style == 2:
            draw.rectangle((0, 0, sheet.width, sheet.height), fill=self.main)
            names = INK if is_light(self.main) else WHITE
            small = names
        else:
            draw.rectangle((0, 0, sheet.width, band * SCALE), fill=self.main)
            foot = height * (0.045 if self.style == 0 else 0.14)
            draw.rectangle((0, (height - foot) * SCALE, sheet.width, sheet.height), fill=self.accent)
        if self.words.brand:
            ink = INK if is_light(self.main) else WHITE
            brand = fit(self.words.brand, width * 0.84, band * 0.92, largest=round(height * 0.13), bold=True)
            _write(sheet, brand, width / 2, (band - brand.height) / 2, ink, bold=True)
            if self.style == 2:
                line = round(width * 0.18 * SCALE), round(band * SCALE)
                draw.rectangle((line[0], line[1], sheet.width - line[0], line[1] + 4), fill=self.accent)
        self._fill_body(sheet, (width, height, band), names, small, self.motif if has_motif else None)
        return sheet

    def _fill_body(
        self,
        sheet: Image.Image,
        sizes: tuple[float, float, float],
        names: Colour,
        small: Colour,
        motif: Image.Image | None,
    ) -> None:
        width, height, band = sizes
        foot = height * (0.14 if self.style != 0 else 0.18)
        body = height - band - foot
        is_wide = width > height * 1.35
        room, middle = (width * 0.62, width * 0.36) if is_wide and motif else (width * 0.88, width / 2)
        art = 0.0 if is_wide or motif is None else body * 0.36
        largest = round(min(height * 0.3, width * 0.27))
        chinese = fit(self.words.chinese, room, (body - art) * 0.56, largest=largest, bold=True)
        left = max(MIN_SIZE * 1.3, body - art - chinese.height - body * 0.06)
        largest = max(MIN_SIZE, round(min(height * 0.12, width * 0.105)))
        english = fit(self.words.english, room, left, largest=largest, bold=False)
        gap = max(0.0, body - art - chinese.height - english.height)
        top = band + gap * 0.3
        _write(sheet, chinese, middle, top, names, bold=True)
        _write(sheet, english, middle, top + chinese.height + gap * 0.2, small, bold=False)
        if motif is not None:
            if is_wide:
                size, left = min(width * 0.3, body * 0.86), width * 0.68
                upper = band + (body - size) / 2
            else:
                size = art + gap * 0.3
                left, upper = (width - size) / 2, height - foot - size - body * 0.005
            _show(sheet, motif, left, upper, size, self.paper if self.style == 2 else None)
        quantity = fit(self.words.quantity, width * 0.8, foot * 0.8, largest=round(height * 0.085), bold=True)
        ink = small if self.style != 1 else (INK if is_light(self.accent) else WHITE)
        lower = height - foot + (foot - quantity.height) / 2 - (height * 0.02 if self.style == 0 else 0)
        _write(sheet, quantity, width / 2, lower, ink, bold=True)


def _show(
    sheet: Image.Image, motif: Image.Image, left: float, top: float, size: float, disc: Colour | None
) -> None:
    side = round(size * SCALE)
    if disc is not None:
        ImageDraw.Draw(sheet).ellipse(
            (left * SCALE, top * SCALE, left * SCALE + side, top * SCALE + side), fill=disc
        )
        side = round(side * 0.74)
        left, top = left + size * 0.13, top + size * 0.13
    shown = motif.resize((side, side), Image.Resampling.LANCZOS)
    sheet.alpha_composite(shown, (round(left * SCALE), round(top * SCALE)))
