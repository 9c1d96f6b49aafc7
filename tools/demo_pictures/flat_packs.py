"""Packs with a front: boxes, cartons, bags, sacks, sachets, trays, wrapped bars."""

from collections.abc import Callable

from PIL import Image

from tools.demo_pictures import canvas
from tools.demo_pictures.canvas import SCALE, WHITE, Box, Colour, mix
from tools.demo_pictures.labels import Colours, Words, label

Motif = Image.Image | None
DARK: Colour = (24, 12, 30)


def _box(front: Box, depth: float, words: Words, colours: Colours, motif: Motif, style: int) -> Image.Image:
    """Draw a box seen a little from the right and above."""
    picture = canvas.blank()
    left, top, right, bottom = front
    rise = depth * 0.42
    paper = colours.main if style == 2 else colours.paper
    side = canvas.polygon(
        [(right, top), (right + depth, top - rise), (right + depth, bottom - rise), (right, bottom)]
    )
    lid = canvas.polygon([(left, top), (left + depth, top - rise), (right + depth, top - rise), (right, top)])
    canvas.paint(picture, side, mix(colours.main, DARK, 0.30))
    canvas.paint(picture, lid, mix(colours.main, WHITE, 0.28))
    face = canvas.block(front, 3)
    canvas.paint(picture, face, paper)
    canvas.put(picture, label(right - left, bottom - top, words, colours, motif, style), left, top, face)
    canvas.sheen(picture, face, front)
    edge = canvas.stroke([(left, top), (right, top), (right, bottom)], 2.5)
    canvas.paint(picture, edge, WHITE, 0.55)
    return picture


def draw_box(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of an upright box."""
    return _box((84, 60, 484, 634), 96, words, colours, motif, style)


def draw_flat_box(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a box that is wider than high."""
    return _box((12, 150, 560, 540), 70, words, colours, motif, style)


def draw_gift(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a gift box with a ribbon."""
    picture = _box((24, 160, 540, 614), 84, words, colours, motif, style)
    ribbon = colours.accent
    canvas.paint(picture, canvas.polygon([(286, 160), (370, 124), (410, 124), (326, 160)]), ribbon)
    for sign in (-1, 1):
        loop = canvas.polygon(
            [(348, 132), (348 + sign * 44, 66), (348 + sign * 110, 60), (348 + sign * 104, 116)], 16
        )
        canvas.solid(picture, loop, ribbon, soft=16)
    canvas.solid(picture, canvas.oval((326, 108, 370, 152)), ribbon, soft=10)
    return picture


def draw_carton(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a carton of a drink with a gable."""
    picture = canvas.blank()
    front = (136, 176, 436, 634)
    canvas.paint(
        picture,
        canvas.polygon([(436, 176), (520, 150), (520, 606), (436, 634)]),
        mix(colours.main, DARK, 0.28),
    )
    canvas.paint(picture, canvas.polygon([(436, 176), (520, 150), (478, 66)]), mix(colours.main, DARK, 0.40))
    canvas.paint(
        picture,
        canvas.polygon([(136, 176), (436, 176), (478, 66), (182, 66)]),
        mix(colours.main, WHITE, 0.15),
    )
    canvas.paint(picture, canvas.polygon([(182, 66), (478, 66), (478, 22), (182, 22)], 4), colours.main)
    canvas.paint(picture, canvas.block((182, 52, 478, 56)), DARK, 0.2)
    cap = canvas.oval((268, 88, 352, 150))
    canvas.solid(picture, cap, colours.accent, soft=16)
    face = canvas.block(front)
    canvas.put(picture, label(300, 458, words, colours, motif, style), 136, 176, face)
    canvas.sheen(picture, face, front)
    return picture


def _film(picture: Image.Image, mask: Image.Image, box: Box, ink: Colour) -> None:
    """Lay the light of a soft bag over a mask."""
    canvas.light_up(picture, mask, ink, deep=0.55, soft=26)
    canvas.sheen(picture, mask, box, 0.28)


def draw_pouch(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of an upright bag."""
    picture = canvas.blank()
    mask = canvas.polygon(
        [
            (114, 12),
            (526, 12),
            (520, 120),
            (546, 480),
            (540, 610),
            (500, 634),
            (140, 634),
            (100, 610),
            (94, 480),
            (120, 120),
        ],
        16,
    )
    canvas.paint(picture, mask, colours.main)
    sheet = label(392, 470, words, colours, motif, style)
    _around(picture, sheet, (82, 96, 558, 566), mask)
    seal = canvas.both(mask, canvas.block((0, 0, 640, 74)))
    canvas.paint(picture, seal, mix(colours.main, DARK, 0.10))
    for y in (30, 44, 58):
        canvas.paint(picture, canvas.both(mask, canvas.block((0, y, 640, y + 3))), WHITE, 0.28)
    fold = canvas.polygon([(94, 560), (320, 604), (546, 560), (546, 640), (94, 640)], 10)
    canvas.paint(picture, canvas.both(fold, mask), DARK, 0.13)
    _film(picture, mask, (94, 12, 546, 634), colours.main)
    return picture


def _around(picture: Image.Image, sheet: Image.Image, box: Box, mask: Image.Image) -> None:
    """Lay a print over a bag: its texts in the middle, its stripes to the edges."""
    left, top, right, bottom = box
    wide = sheet.crop((0, 0, 1, sheet.height)).resize(
        (round((right - left) * SCALE), round((bottom - top) * SCALE))
    )
    wide.paste(sheet, ((wide.width - sheet.width) // 2, 0))
    canvas.put(picture, wide, left, top, mask)


def draw_bag(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a bag full of air, with crimped ends."""
    picture = canvas.blank()
    teeth: list[tuple[float, float]] = []
    teeth += [(104 + step * 18, 8 + 10 * (step % 2)) for step in range(25)]
    right = [(530, 70), (556, 200), (560, 330), (552, 460), (530, 580)]
    lower = [(536 - step * 18, 632 - 10 * (step % 2)) for step in range(25)]
    left = [(110, 580), (88, 460), (80, 330), (84, 200), (110, 70)]
    mask = canvas.polygon([*teeth, *right, *lower, *left], 3)
    canvas.paint(picture, mask, colours.main)
    sheet = label(400, 486, words, colours, motif, style)
    _around(picture, sheet, (70, 78, 570, 564), mask)
    for top in (14, 570):
        for step in range(4):
            y = top + 10 + step * 12
            canvas.paint(picture, canvas.both(mask, canvas.block((0, y, 640, y + 3))), DARK, 0.16)
    _film(picture, mask, (80, 8, 560, 632), colours.main)
    return picture


def draw_sack(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a sack with a stitched top."""
    picture = canvas.blank()
    mask = canvas.polygon(
        [
            (120, 8),
            (520, 8),
            (528, 60),
            (566, 130),
            (580, 380),
            (560, 600),
            (520, 634),
            (120, 634),
            (80, 600),
            (60, 380),
            (74, 130),
            (112, 60),
        ],
        22,
    )
    canvas.paint(picture, mask, colours.paper if style != 2 else colours.main)
    _around(picture, label(430, 490, words, colours, motif, style), (50, 96, 590, 586), mask)
    canvas.paint(picture, canvas.both(mask, canvas.block((0, 0, 640, 66))), mix(colours.main, WHITE, 0.1))
    for x in range(126, 520, 22):
        canvas.paint(picture, canvas.stroke([(x, 44), (x + 11, 44)], 4), WHITE, 0.9)
    canvas.paint(picture, canvas.both(mask, canvas.block((0, 586, 640, 640))), mix(colours.main, DARK, 0.1))
    _film(picture, mask, (60, 8, 580, 634), mix(colours.paper, DARK, 0.2))
    return picture


def draw_noodles(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of several flat packs in one wrap."""
    picture = canvas.blank()
    for place in (2, 1):
        shift = place * 22
        behind = canvas.block((40 + shift, 120 - shift, 560 + shift, 560 - shift), 16)
        canvas.solid(picture, behind, mix(colours.main, DARK, 0.12 * place), deep=0.5, soft=14)
    front = (18, 130, 566, 600)
    teeth_left = [(18 + 8 * (step % 2), 130 + step * 12) for step in range(40)]
    teeth_right = [(566 - 8 * (step % 2), 598 - step * 12) for step in range(40)]
    mask = canvas.polygon([*teeth_left, *teeth_right], 3)
    canvas.paint(picture, mask, colours.main)
    sheet = label(476, 470, words, colours, motif, style)
    _around(picture, sheet, front, mask)
    for x in (32, 42, 540, 550):
        canvas.paint(picture, canvas.both(mask, canvas.block((x, 0, x + 3, 640))), DARK, 0.16)
    _film(picture, mask, front, colours.main)
    return picture


def draw_sachet(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a flat pack with sealed edges."""
    picture = canvas.blank()
    box = (104, 10, 536, 630)
    mask = canvas.block(box, 10)
    canvas.paint(picture, mask, mix(colours.main, WHITE, 0.25))
    inner = canvas.block((122, 30, 518, 610), 6)
    canvas.paint(picture, inner, colours.main)
    canvas.put(picture, label(396, 580, words, colours, motif, style), 122, 30, inner)
    canvas.light_up(picture, inner, colours.main, deep=0.4, soft=18)
    canvas.sheen(picture, mask, box, 0.3)
    return picture


def draw_wrap(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a soft pack with a handle: tissues, nappies."""
    picture = canvas.blank()
    strap = canvas.polygon(
        [(236, 96), (250, 22), (390, 22), (404, 96), (372, 96), (366, 54), (274, 54), (268, 96)], 10
    )
    canvas.solid(picture, strap, mix(colours.main, WHITE, 0.25), deep=0.5, soft=10)
    mask = canvas.polygon(
        [
            (60, 92),
            (580, 92),
            (606, 130),
            (612, 350),
            (600, 600),
            (560, 632),
            (80, 632),
            (40, 600),
            (28, 350),
            (34, 130),
        ],
        24,
    )
    canvas.paint(picture, mask, colours.main if style == 2 else colours.paper)
    _around(picture, label(500, 500, words, colours, motif, style), (20, 112, 620, 612), mask)
    canvas.light_up(picture, mask, colours.main, deep=0.55, soft=34)
    canvas.sheen(picture, mask, (30, 92, 610, 632), 0.25)
    return picture


def draw_bar(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a bar in its wrapper."""
    picture = canvas.blank()
    mask = canvas.block((14, 150, 626, 500), 10)
    canvas.paint(picture, mask, colours.main)
    _around(picture, label(540, 350, words, colours, motif, style), (14, 150, 626, 500), mask)
    canvas.light_up(picture, mask, colours.main, deep=0.6, soft=16)
    for x in (26, 36, 602, 612):
        canvas.paint(picture, canvas.block((x, 152, x + 3, 498)), DARK, 0.18)
    canvas.sheen(picture, mask, (14, 150, 626, 500), 0.3)
    return picture


def draw_spout(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a pouch with a spout."""
    picture = canvas.blank()
    canvas.solid(picture, canvas.block((286, 40, 354, 110), 6), WHITE, soft=10)
    canvas.solid(picture, canvas.block((266, 6, 374, 74), 14), colours.accent, soft=14)
    mask = canvas.polygon(
        [(170, 96), (470, 96), (500, 130), (508, 600), (480, 632), (160, 632), (132, 600), (140, 130)], 18
    )
    canvas.paint(picture, mask, colours.main)
    _around(picture, label(330, 460, words, colours, motif, style), (120, 126, 520, 586), mask)
    _film(picture, mask, (132, 96, 508, 632), colours.main)
    return picture


def draw_tray(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of food on a tray under film, with a label around it."""
    picture = canvas.blank()
    rim = canvas.block((8, 96, 632, 580), 54)
    canvas.solid(picture, rim, (236, 238, 240), deep=0.5, soft=14)
    well = canvas.block((34, 120, 606, 554), 40)
    canvas.paint(picture, well, (214, 218, 222))
    if motif is not None:
        side = round(216 * SCALE)
        food = motif.resize((side, side), Image.Resampling.LANCZOS)
        places = [(20, 118), (212, 112), (404, 118), (20, 330), (212, 336), (404, 330)]
        for x, y in places:
            canvas.put(picture, food, x, y, well)
    canvas.light_up(picture, well, (190, 194, 200), deep=0.35, soft=18)
    band = canvas.block((150, 84, 490, 592), 8)
    canvas.paint(picture, band, colours.paper)
    canvas.put(picture, label(340, 508, words, colours, None, style), 150, 84, band)
    canvas.sheen(picture, rim, (8, 96, 632, 580), 0.35)
    return picture


def draw_brik(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of a small carton with a straw."""
    picture = canvas.blank()
    canvas.solid(picture, canvas.stroke([(420, 90), (444, 14), (500, 8)], 14), WHITE, soft=6)
    picture.alpha_composite(_box((150, 84, 446, 634), 60, words, colours, motif, style))
    return picture


def draw_eggs(words: Words, colours: Colours, motif: Motif, content: Colour, style: int) -> Image.Image:
    """Return the picture of an open carton of eggs."""
    picture = canvas.blank()
    board: Colour = (198, 192, 182)
    canvas.solid(picture, canvas.block((30, 16, 610, 330), 26), mix(board, WHITE, 0.2), soft=20)
    paper = canvas.block((70, 34, 570, 312), 12)
    canvas.put(picture, label(500, 278, words, colours, None, style), 70, 34, paper)
    if motif is not None:
        side = round(176 * SCALE)
        egg = motif.resize((side, side), Image.Resampling.LANCZOS)
        whole = canvas.block((0, 0, 640, 640))
        for top, shift in ((310, 0), (376, 0)):
            for place in range(4):
                canvas.put(picture, egg, 20 + place * 141 + shift, top, whole)
            wall = canvas.block((14, top + 120, 626, top + 240), 24)
            canvas.solid(picture, wall, mix(board, DARK, 0.05), soft=20)
    return picture


def draw_multi(one: Callable[[], Image.Image], count: int) -> Image.Image:
    """Return several of the same pack next to each other, the first in front."""
    picture = canvas.blank()
    drawn = one()
    box = drawn.getbbox() or (0, 0, drawn.width, drawn.height)
    single = drawn.crop(box)
    step = single.width * 0.5 if count == 3 else single.width * 0.62
    total = single.width + step * (count - 1)
    scale = min(1.0, drawn.width * 0.98 / total)
    size = (round(single.width * scale), round(single.height * scale))
    small = single.resize(size, Image.Resampling.LANCZOS)
    left = (drawn.width - total * scale) / 2
    top = (drawn.height - small.height) // 2
    order = [place for place in range(count) if place != count // 2] + [count // 2]
    for place in order:
        front = place == count // 2
        part = small if front else small.resize((round(size[0] * 0.92), round(size[1] * 0.92)))
        x = round(left + place * step * scale + (small.width - part.width) / 2)
        picture.alpha_composite(part, (max(0, x), top + small.height - part.height))
    return picture


FLATS = {
    "box": draw_box,
    "flatbox": draw_flat_box,
    "gift": draw_gift,
    "carton": draw_carton,
    "pouch": draw_pouch,
    "bag": draw_bag,
    "sack": draw_sack,
    "noodles": draw_noodles,
    "sachet": draw_sachet,
    "wrap": draw_wrap,
    "bar": draw_bar,
    "spout": draw_spout,
    "tray": draw_tray,
    "brik": draw_brik,
    "eggs": draw_eggs,
}
