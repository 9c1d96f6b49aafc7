"""Packs that are round from above: bottles, jars, cans, tins, cups, tubs, tubes."""

from dataclasses import dataclass
from typing import Literal

from tools.demo_pictures.canvas import SCALE, WHITE, Colour, Picture, Point, block, both, mix, polygon, stroke
from tools.demo_pictures.labels import Print
from tools.demo_pictures.outlines import symmetric

METAL: Colour = (206, 210, 218)
Skin = Literal["content", "main", "white", "metal"]


@dataclass(frozen=True)
class Round:
    """A round pack: half widths of its body from top to bottom, its lid, and where its label is.

    `skin`: what the body shows. A lid or rim is (top, bottom, half width).
    """

    body: tuple[Point, ...]
    label: tuple[float, float]
    skin: Skin = "content"
    lid: tuple[float, float, float] | None = None
    lid_skin: Literal["main", "accent", "white"] = "main"
    rims: tuple[tuple[float, float, float], ...] = ()
    rounding: float = 12
    filled_from: float | None = None


ROUNDS = {
    "bottle": Round(
        ((66, 38), (126, 40), (196, 132), (232, 152), (620, 152), (636, 138)),
        (258, 596),
        lid=(4, 74, 46),
        filled_from=112,
        rounding=16,
    ),
    "oil": Round(
        ((74, 44), (110, 46), (178, 150), (232, 176), (610, 176), (636, 158)),
        (260, 590),
        lid=(4, 82, 54),
        lid_skin="accent",
        filled_from=120,
        rounding=20,
    ),
    "drink": Round(
        (
            (60, 46),
            (88, 48),
            (144, 112),
            (186, 132),
            (290, 130),
            (540, 130),
            (570, 134),
            (616, 132),
            (638, 112),
        ),
        (204, 552),
        lid=(4, 66, 52),
        lid_skin="main",
        filled_from=106,
        rounding=18,
    ),
    "jar": Round(
        ((96, 138), (130, 156), (168, 176), (600, 176), (632, 156)),
        (214, 572),
        lid=(28, 108, 158),
        lid_skin="main",
        filled_from=140,
        rounding=24,
    ),
    "pills": Round(
        ((132, 112), (168, 128), (206, 166), (618, 166), (636, 152)),
        (232, 596),
        skin="main",
        lid=(20, 140, 124),
        lid_skin="white",
        rounding=20,
    ),
    "pump": Round(
        ((150, 66), (176, 90), (222, 164), (606, 164), (634, 146)),
        (244, 590),
        skin="white",
        lid=(112, 162, 72),
        lid_skin="main",
        rounding=26,
    ),
    "cosmetic": Round(
        ((150, 116), (172, 146), (612, 146), (634, 136)),
        (196, 592),
        skin="white",
        lid=(14, 158, 100),
        lid_skin="accent",
        rounding=18,
    ),
    "squeeze": Round(
        ((120, 54), (152, 84), (250, 148), (400, 140), (610, 150), (636, 132)),
        (250, 590),
        lid=(10, 128, 62),
        lid_skin="main",
        rounding=30,
        filled_from=130,
    ),
    "can": Round(
        ((92, 196), (572, 196)), (112, 552), skin="metal", rims=((72, 100, 204), (558, 588, 204)), rounding=8
    ),
    "flatcan": Round(
        ((200, 290), (500, 290)),
        (222, 478),
        skin="metal",
        rims=((178, 210, 300), (490, 522, 300)),
        rounding=8,
    ),
    "drinkcan": Round(
        ((30, 100), (62, 132), (590, 132), (628, 104)),
        (62, 590),
        skin="metal",
        rims=((14, 36, 106), (612, 634, 108)),
        rounding=8,
    ),
    "tin": Round(
        ((112, 204), (612, 204)),
        (124, 598),
        skin="metal",
        lid=(34, 118, 212),
        lid_skin="white",
        rims=((600, 630, 210),),
        rounding=8,
    ),
    "canister": Round(
        ((176, 150), (624, 150)),
        (196, 604),
        skin="main",
        lid=(24, 184, 155),
        lid_skin="main",
        rims=((612, 634, 155),),
        rounding=6,
    ),
    "spice": Round(
        ((140, 136), (166, 150), (620, 150), (636, 140)),
        (206, 602),
        lid=(26, 150, 146),
        lid_skin="accent",
        rounding=16,
        filled_from=160,
    ),
    "cup": Round(
        ((66, 220), (612, 158)), (80, 606), skin="main", lid=(40, 78, 234), lid_skin="white", rounding=8
    ),
    "bowl": Round(
        ((150, 306), (250, 296), (500, 216), (516, 212)),
        (176, 506),
        skin="main",
        lid=(118, 160, 316),
        lid_skin="white",
        rounding=10,
    ),
    "tub": Round(
        ((176, 240), (580, 208), (604, 196)),
        (196, 588),
        skin="main",
        lid=(100, 184, 254),
        lid_skin="main",
        rounding=14,
    ),
    "pot": Round(
        ((300, 236), (330, 244), (520, 232), (556, 204)),
        (318, 534),
        skin="white",
        lid=(130, 308, 250),
        lid_skin="accent",
        rounding=18,
    ),
    "icetub": Round(
        ((170, 260), (574, 214), (592, 206)),
        (190, 584),
        skin="main",
        lid=(104, 180, 272),
        lid_skin="white",
        rounding=10,
    ),
}


def draw_round(shape: Round, pack: Print) -> Picture:
    """Return the picture of a round pack."""
    picture = Picture()
    mask = polygon(symmetric([(half, y) for y, half in shape.body]), shape.rounding)
    skin = {
        "content": mix(pack.content, WHITE, 0.62) if shape.filled_from else pack.content,
        "main": pack.main,
        "white": (250, 249, 247),
        "metal": METAL,
    }[shape.skin]
    for top, bottom, half in shape.rims:
        _ring(picture, top, bottom, half, METAL)
    picture.paint(mask, skin)
    if shape.skin == "content" and shape.filled_from:
        level = block((0, shape.filled_from, 640, 640))
        picture.paint(both(mask, level), pack.content)
    widest = max(half for y, half in shape.body if y >= shape.label[0] - 80)
    top, bottom = shape.label
    sheet = pack.label(widest * 2, bottom - top)
    # The edges of a label turn away from the eye: its texts keep to its middle.
    inner = pack.label(widest * 1.72, bottom - top)
    around = sheet.resize((sheet.width, sheet.height))
    edge = inner.crop((0, 0, 1, inner.height)).resize((around.width, around.height))
    around.paste(edge)
    around.paste(inner, ((around.width - inner.width) // 2, 0))
    window = both(mask, block((0, top, 640, bottom)))
    picture.put(around, 320 - widest, top, window)
    picture.turn(mask, 320 - widest, 320 + widest)
    if shape.lid:
        inks = {"main": pack.main, "accent": pack.accent, "white": (246, 246, 244)}
        _ring(picture, *shape.lid, inks[shape.lid_skin], radius=14)
    for top, bottom, half in shape.rims:
        _ring(picture, top, bottom, half, METAL)
    return picture


def _ring(picture: Picture, top: float, bottom: float, half: float, ink: Colour, radius: float = 10) -> None:
    mask = block((320 - half, top, 320 + half, bottom), radius)
    picture.paint(mask, ink)
    line = block((320 - half, bottom - 5, 320 + half, bottom), 3)
    picture.paint(both(line, mask), (20, 10, 20), 0.16)
    picture.turn(mask, 320 - half, 320 + half, gloss=0.55)


def draw_pump(pack: Print) -> Picture:
    """Return the picture of a bottle with a pump."""
    spout = Picture()
    neck = block((306, 60, 334, 140), 6)
    head = polygon([(250, 26), (366, 26), (366, 66), (300, 66), (262, 62), (236, 84), (222, 70)], 8)
    for part in (neck, head):
        spout.solid(part, mix(pack.main, WHITE, 0.1), soft=14)
    spout.lay(draw_round(ROUNDS["pump"], pack))
    return spout


def draw_tube(pack: Print) -> Picture:
    """Return the picture of a tube that is on its cap."""
    picture = Picture()
    mask = polygon([(190, 8), (450, 8), (424, 540), (216, 540)], 8)
    paper = pack.paper if pack.style != 2 else pack.main
    picture.paint(mask, paper)
    sheet = pack.label(206, 440)
    wide = sheet.crop((0, 0, 1, sheet.height)).resize((270 * SCALE, sheet.height))
    wide.paste(sheet, (32 * SCALE, 0))
    picture.put(wide, 185, 80, mask)
    picture.turn(mask, 196, 444, gloss=0.4)
    crimp = both(mask, block((0, 0, 640, 46)))
    picture.paint(crimp, mix(pack.main, WHITE, 0.2), 0.8)
    for x in range(196, 446, 10):
        picture.paint(both(crimp, stroke([(x, 12), (x, 42)], 2)), WHITE, 0.35)
    cap = polygon([(212, 536), (428, 536), (420, 632), (220, 632)], 12)
    picture.paint(cap, pack.main)
    for x in range(226, 420, 12):
        picture.paint(both(cap, stroke([(x, 548), (x, 622)], 2)), (0, 0, 0), 0.12)
    picture.turn(cap, 212, 428)
    return picture
