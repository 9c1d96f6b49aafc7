"""Packs with a front: boxes, cartons, bags, sacks, sachets, trays, wrapped bars."""

from collections.abc import Callable

from PIL import Image

from tools.demo_pictures.canvas import (
    SCALE,
    WHITE,
    Box,
    Colour,
    Picture,
    block,
    both,
    mix,
    oval,
    polygon,
    stroke,
)
from tools.demo_pictures.labels import Print
from tools.demo_pictures.outlines import symmetric

DARK: Colour = (24, 12, 30)


def _box(front: Box, depth: float, pack: Print) -> Picture:
    """Draw a box seen a little from the right and above."""
    picture = Picture()
    left, top, right, bottom = front
    rise = depth * 0.42
    paper = pack.main if pack.style == 2 else pack.paper
    side = polygon(
        [(right, top), (right + depth, top - rise), (right + depth, bottom - rise), (right, bottom)]
    )
    lid = polygon([(left, top), (left + depth, top - rise), (right + depth, top - rise), (right, top)])
    picture.paint(side, mix(pack.main, DARK, 0.30))
    picture.paint(lid, mix(pack.main, WHITE, 0.28))
    face = block(front, 3)
    picture.paint(face, paper)
    picture.put(pack.label(right - left, bottom - top), left, top, face)
    picture.sheen(face, front)
    edge = stroke([(left, top), (right, top), (right, bottom)], 2.5)
    picture.paint(edge, WHITE, 0.55)
    return picture


def draw_box(pack: Print) -> Picture:
    """Return the picture of an upright box."""
    return _box((84, 60, 484, 634), 96, pack)


def draw_flatbox(pack: Print) -> Picture:
    """Return the picture of a box that is wider than high."""
    return _box((12, 150, 560, 540), 70, pack)


def draw_gift(pack: Print) -> Picture:
    """Return the picture of a gift box with a ribbon."""
    picture = _box((24, 160, 540, 614), 84, pack)
    ribbon = pack.accent
    picture.paint(polygon([(286, 160), (370, 124), (410, 124), (326, 160)]), ribbon)
    for sign in (-1, 1):
        loop = polygon(
            [(348, 132), (348 + sign * 44, 66), (348 + sign * 110, 60), (348 + sign * 104, 116)], 16
        )
        picture.solid(loop, ribbon, soft=16)
    picture.solid(oval((326, 108, 370, 152)), ribbon, soft=10)
    return picture


def draw_carton(pack: Print) -> Picture:
    """Return the picture of a carton of a drink with a gable."""
    picture = Picture()
    front = (136, 176, 436, 634)
    picture.paint(polygon([(436, 176), (520, 150), (520, 606), (436, 634)]), mix(pack.main, DARK, 0.28))
    picture.paint(polygon([(436, 176), (520, 150), (478, 66)]), mix(pack.main, DARK, 0.40))
    picture.paint(polygon([(136, 176), (436, 176), (478, 66), (182, 66)]), mix(pack.main, WHITE, 0.15))
    picture.paint(polygon([(182, 66), (478, 66), (478, 22), (182, 22)], 4), pack.main)
    picture.paint(block((182, 52, 478, 56)), DARK, 0.2)
    cap = oval((268, 88, 352, 150))
    picture.solid(cap, pack.accent, soft=16)
    face = block(front)
    picture.put(pack.label(300, 458), 136, 176, face)
    picture.sheen(face, front)
    return picture


def _film(picture: Picture, mask: Image.Image, box: Box, ink: Colour) -> None:
    """Lay the light of a soft bag over a mask."""
    picture.light_up(mask, ink, deep=0.55, soft=26)
    picture.sheen(mask, box, 0.28)


def draw_pouch(pack: Print) -> Picture:
    """Return the picture of an upright bag."""
    picture = Picture()
    mask = polygon(symmetric([(206, 12), (200, 120), (226, 480), (220, 610), (180, 634)]), 16)
    picture.paint(mask, pack.main)
    sheet = pack.label(392, 470)
    _around(picture, sheet, (82, 96, 558, 566), mask)
    seal = both(mask, block((0, 0, 640, 74)))
    picture.paint(seal, mix(pack.main, DARK, 0.10))
    for y in (30, 44, 58):
        picture.paint(both(mask, block((0, y, 640, y + 3))), WHITE, 0.28)
    fold = polygon([(94, 560), (320, 604), (546, 560), (546, 640), (94, 640)], 10)
    picture.paint(both(fold, mask), DARK, 0.13)
    _film(picture, mask, (94, 12, 546, 634), pack.main)
    return picture


def _around(picture: Picture, sheet: Image.Image, box: Box, mask: Image.Image) -> None:
    """Lay a print over a bag: its texts in the middle, its stripes to the edges."""
    left, top, right, bottom = box
    wide = sheet.crop((0, 0, 1, sheet.height)).resize(
        (round((right - left) * SCALE), round((bottom - top) * SCALE))
    )
    wide.paste(sheet, ((wide.width - sheet.width) // 2, 0))
    picture.put(wide, left, top, mask)


def draw_bag(pack: Print) -> Picture:
    """Return the picture of a bag full of air, with crimped ends."""
    picture = Picture()
    teeth: list[tuple[float, float]] = []
    teeth += [(104 + step * 18, 8 + 10 * (step % 2)) for step in range(25)]
    right = [(530, 70), (556, 200), (560, 330), (552, 460), (530, 580)]
    lower = [(536 - step * 18, 632 - 10 * (step % 2)) for step in range(25)]
    left = [(110, 580), (88, 460), (80, 330), (84, 200), (110, 70)]
    mask = polygon([*teeth, *right, *lower, *left], 3)
    picture.paint(mask, pack.main)
    sheet = pack.label(400, 486)
    _around(picture, sheet, (70, 78, 570, 564), mask)
    for top in (14, 570):
        for step in range(4):
            y = top + 10 + step * 12
            picture.paint(both(mask, block((0, y, 640, y + 3))), DARK, 0.16)
    _film(picture, mask, (80, 8, 560, 632), pack.main)
    return picture


def draw_sack(pack: Print) -> Picture:
    """Return the picture of a sack with a stitched top."""
    picture = Picture()
    mask = polygon(symmetric([(200, 8), (208, 60), (246, 130), (260, 380), (240, 600), (200, 634)]), 22)
    picture.paint(mask, pack.paper if pack.style != 2 else pack.main)
    _around(picture, pack.label(430, 490), (50, 96, 590, 586), mask)
    picture.paint(both(mask, block((0, 0, 640, 66))), mix(pack.main, WHITE, 0.1))
    for x in range(126, 520, 22):
        picture.paint(stroke([(x, 44), (x + 11, 44)], 4), WHITE, 0.9)
    picture.paint(both(mask, block((0, 586, 640, 640))), mix(pack.main, DARK, 0.1))
    _film(picture, mask, (60, 8, 580, 634), mix(pack.paper, DARK, 0.2))
    return picture


def draw_noodles(pack: Print) -> Picture:
    """Return the picture of several flat packs in one wrap."""
    picture = Picture()
    for place in (2, 1):
        shift = place * 22
        behind = block((40 + shift, 120 - shift, 560 + shift, 560 - shift), 16)
        picture.solid(behind, mix(pack.main, DARK, 0.12 * place), deep=0.5, soft=14)
    front = (18, 130, 566, 600)
    teeth_left = [(18 + 8 * (step % 2), 130 + step * 12) for step in range(40)]
    teeth_right = [(566 - 8 * (step % 2), 598 - step * 12) for step in range(40)]
    mask = polygon([*teeth_left, *teeth_right], 3)
    picture.paint(mask, pack.main)
    sheet = pack.label(476, 470)
    _around(picture, sheet, front, mask)
    for x in (32, 42, 540, 550):
        picture.paint(both(mask, block((x, 0, x + 3, 640))), DARK, 0.16)
    _film(picture, mask, front, pack.main)
    return picture


def draw_sachet(pack: Print) -> Picture:
    """Return the picture of a flat pack with sealed edges."""
    picture = Picture()
    box = (104, 10, 536, 630)
    mask = block(box, 10)
    picture.paint(mask, mix(pack.main, WHITE, 0.25))
    inner = block((122, 30, 518, 610), 6)
    picture.paint(inner, pack.main)
    picture.put(pack.label(396, 580), 122, 30, inner)
    picture.light_up(inner, pack.main, deep=0.4, soft=18)
    picture.sheen(mask, box, 0.3)
    return picture


def draw_wrap(pack: Print) -> Picture:
    """Return the picture of a soft pack with a handle: tissues, nappies."""
    picture = Picture()
    strap = polygon(
        [(236, 96), (250, 22), (390, 22), (404, 96), (372, 96), (366, 54), (274, 54), (268, 96)], 10
    )
    picture.solid(strap, mix(pack.main, WHITE, 0.25), deep=0.5, soft=10)
    mask = polygon(symmetric([(260, 92), (286, 130), (292, 350), (280, 600), (240, 632)]), 24)
    picture.paint(mask, pack.main if pack.style == 2 else pack.paper)
    _around(picture, pack.label(500, 500), (20, 112, 620, 612), mask)
    picture.light_up(mask, pack.main, deep=0.55, soft=34)
    picture.sheen(mask, (30, 92, 610, 632), 0.25)
    return picture


def draw_bar(pack: Print) -> Picture:
    """Return the picture of a bar in its wrapper."""
    picture = Picture()
    mask = block((14, 150, 626, 500), 10)
    picture.paint(mask, pack.main)
    _around(picture, pack.label(540, 350), (14, 150, 626, 500), mask)
    picture.light_up(mask, pack.main, deep=0.6, soft=16)
    for x in (26, 36, 602, 612):
        picture.paint(block((x, 152, x + 3, 498)), DARK, 0.18)
    picture.sheen(mask, (14, 150, 626, 500), 0.3)
    return picture


def draw_spout(pack: Print) -> Picture:
    """Return the picture of a pouch with a spout."""
    picture = Picture()
    picture.solid(block((286, 40, 354, 110), 6), WHITE, soft=10)
    picture.solid(block((266, 6, 374, 74), 14), pack.accent, soft=14)
    mask = polygon(
        [(170, 96), (470, 96), (500, 130), (508, 600), (480, 632), (160, 632), (132, 600), (140, 130)], 18
    )
    picture.paint(mask, pack.main)
    _around(picture, pack.label(330, 460), (120, 126, 520, 586), mask)
    _film(picture, mask, (132, 96, 508, 632), pack.main)
    return picture


def draw_tray(pack: Print) -> Picture:
    """Return the picture of food on a tray under film, with a label around it."""
    picture = Picture()
    rim = block((8, 96, 632, 580), 54)
    picture.solid(rim, (236, 238, 240), deep=0.5, soft=14)
    well = block((34, 120, 606, 554), 40)
    picture.paint(well, (214, 218, 222))
    side = round(216 * SCALE)
    food = pack.motif.resize((side, side), Image.Resampling.LANCZOS)
    for x, y in ((20, 118), (212, 112), (404, 118), (20, 330), (212, 336), (404, 330)):
        picture.put(food, x, y, well)
    picture.light_up(well, (190, 194, 200), deep=0.35, soft=18)
    band = block((150, 84, 490, 592), 8)
    picture.paint(band, pack.paper)
    picture.put(pack.label(340, 508, has_motif=False), 150, 84, band)
    picture.sheen(rim, (8, 96, 632, 580), 0.35)
    return picture


def draw_brik(pack: Print) -> Picture:
    """Return the picture of a small carton with a straw."""
    picture = Picture()
    picture.solid(stroke([(420, 90), (444, 14), (500, 8)], 14), WHITE, soft=6)
    picture.lay(_box((150, 84, 446, 634), 60, pack))
    return picture


def draw_eggs(pack: Print) -> Picture:
    """Return the picture of an open carton of eggs."""
    picture = Picture()
    board: Colour = (198, 192, 182)
    picture.solid(block((30, 16, 610, 330), 26), mix(board, WHITE, 0.2), soft=20)
    paper = block((70, 34, 570, 312), 12)
    picture.put(pack.label(500, 278, has_motif=False), 70, 34, paper)
    side = round(176 * SCALE)
    egg = pack.motif.resize((side, side), Image.Resampling.LANCZOS)
    whole = block((0, 0, 640, 640))
    for top, shift in ((310, 0), (376, 0)):
        for place in range(4):
            picture.put(egg, 20 + place * 141 + shift, top, whole)
        wall = block((14, top + 120, 626, top + 240), 24)
        picture.solid(wall, mix(board, DARK, 0.05), soft=20)
    return picture


def several(one: Callable[[], Picture], count: int) -> Picture:
    """Return several of the same pack next to each other, the first in front."""
    picture = Picture()
    drawn = one().image
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
        picture.image.alpha_composite(part, (max(0, x), top + small.height - part.height))
    return picture


# By the names that looks.csv has.
FLATS: dict[str, Callable[[Print], Picture]] = {
    name.removeprefix("draw_"): function for name, function in vars().items() if name.startswith("draw_")
}
