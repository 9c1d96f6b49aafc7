"""What is neither food nor packed: kitchenware, clothes, souvenirs."""

from collections.abc import Callable
from functools import partial
from math import cos, pi, sin

from PIL import Image

from tools.demo_pictures.canvas import (
    WHITE,
    Colour,
    Picture,
    Point,
    block,
    both,
    dot,
    mix,
    oval,
    polygon,
    rounded,
    stroke,
)
from tools.demo_pictures.outlines import moved, ring, symmetric, turned

STEEL: Colour = (176, 182, 192)
WOOD: Colour = (196, 144, 88)
WOOL: Colour = (252, 246, 232)


def wok() -> Picture:
    picture = Picture()
    picture.solid(stroke([(470, 330), (628, 210)], 40), WOOD, soft=16)
    picture.solid(
        polygon([(14, 300), (560, 300), (500, 460), (380, 540), (200, 540), (74, 460)], 50),
        (56, 60, 68),
        soft=46,
    )
    picture.solid(oval((10, 210, 564, 400)), (92, 98, 108), soft=10)
    picture.solid(oval((30, 226, 544, 388)), (48, 52, 60), deep=0.8, soft=34)
    return picture


def steamer() -> Picture:
    picture = Picture()
    for top, ink in ((440, (206, 158, 96)), (290, (216, 170, 108))):
        body = block((40, top, 600, top + 164), 26)
        picture.solid(body, ink, soft=20)
        for y in (top + 16, top + 128):
            picture.solid(block((34, y, 606, y + 26), 12), (186, 132, 74), soft=8)
        picture.turn(body, 40, 600, gloss=0.2)
    lid = both(oval((30, 96, 610, 480)), block((0, 0, 640, 296)))
    picture.solid(lid, (224, 182, 120), soft=34)
    for step in range(-6, 7):
        for sign in (1, -1):
            weave = stroke([(320 + step * 56, 60), (320 + step * 56 + sign * 160, 320)], 5)
            picture.paint(both(lid, weave), (170, 116, 62), 0.5)
    picture.solid(block((286, 72, 354, 116), 18), (186, 132, 74), soft=14)
    return picture


def cleaver() -> Picture:
    picture = Picture()
    blade = turned([(40, 210), (440, 200), (440, 400), (70, 420), (40, 380)], (320, 320), -24)
    picture.solid(polygon(blade, 10), (204, 210, 218), soft=20)
    edge = turned([(60, 404), (436, 384)], (320, 320), -24)
    picture.paint(stroke(edge, 12), WHITE, 0.7)
    picture.solid(stroke(turned([(470, 268), (640, 268)], (320, 320), -24), 66), (92, 58, 40), soft=22)
    picture.solid(stroke(turned([(446, 268), (462, 268)], (320, 320), -24), 56), STEEL, soft=10)
    return picture


def rice_cooker() -> Picture:
    picture = Picture()
    picture.solid(
        polygon([(60, 230), (580, 230), (600, 430), (560, 600), (80, 600), (40, 430)], 60),
        (246, 246, 248),
        soft=54,
    )
    picture.solid(both(oval((56, 60, 584, 440)), block((0, 0, 640, 250))), (226, 230, 236), soft=40)
    picture.solid(block((44, 232, 596, 262), 14), STEEL, soft=10)
    picture.solid(block((226, 50, 414, 96), 22), (70, 74, 84), soft=16)
    picture.solid(block((220, 330, 420, 520), 24), (58, 64, 76), deep=0.6, soft=14)
    picture.paint(block((244, 354, 396, 420), 10), (168, 220, 206))
    for x in (272, 320, 368):
        picture.solid(oval((x - 16, 446, x + 16, 478)), (240, 120, 80) if x == 320 else STEEL, soft=6)
    return picture


def bowls() -> Picture:
    picture = Picture()
    for x, top in ((320, 60), (180, 300), (460, 300)):
        body = polygon(symmetric([(160, top + 70), (120, top + 220), (60, top + 270)], x), 36)
        picture.solid(body, (250, 251, 253), soft=36)
        for place in range(-3, 4):
            cx = x + place * 44
            picture.paint(both(body, stroke(ring((cx, top + 160), 17, 22), 6)), (38, 78, 170), 0.85)
        picture.solid(oval((x - 164, top + 20, x + 164, top + 120)), (250, 251, 253), soft=10)
        picture.paint(stroke(ring((x, top + 70), 156, 46), 8), (38, 78, 170), 0.9)
        picture.solid(oval((x - 140, top + 34, x + 140, top + 108)), (232, 236, 244), deep=0.6, soft=16)
    return picture


def hotpot() -> Picture:
    picture = Picture()
    for x in (10, 570):
        picture.solid(block((x, 280, x + 60, 360), 24), STEEL, soft=12)
    picture.solid(oval((40, 40, 600, 600)), (190, 44, 52), soft=30)
    picture.solid(oval((70, 70, 570, 570)), (226, 230, 236), deep=0.8, soft=14)
    inside = oval((86, 86, 554, 554))
    picture.paint(inside, (206, 58, 32))
    curve = [(320 + 80 * sin((y - 320) / 234 * pi), y) for y in range(80, 561, 12)]
    white = polygon([*curve, (640, 560), (640, 80)])
    picture.paint(both(inside, white), (250, 240, 214))
    picture.light_up(inside, (180, 90, 60), deep=0.5, soft=30)
    picture.solid(both(inside, stroke(curve, 22)), STEEL, soft=8)
    for step in range(9):
        dot_x, dot_y = 190 + 70 * sin(step * 2.4) * (step / 9), 320 + 150 * cos(step * 2.4) * (step / 9)
        picture.solid(dot(dot_x, dot_y, 14), (240, 130, 60), soft=6)
    return picture


def mop() -> Picture:
    picture = Picture()
    picture.solid(stroke([(470, 20), (400, 420)], 20), (228, 230, 236), soft=8)
    bucket = polygon([(60, 330), (500, 330), (456, 620), (104, 620)], 24)
    for step in range(-5, 6):
        strand = stroke([(400, 400), (400 + step * 22, 500), (396 + step * 26, 560)], 20)
        picture.solid(strand, (120, 190, 220) if step % 2 else (240, 244, 248), soft=8)
    picture.solid(bucket, (58, 140, 190), soft=36)
    picture.solid(block((44, 306, 516, 350), 20), (40, 110, 160), soft=12)
    picture.solid(stroke([(440, 200), (414, 330)], 40), (40, 110, 160), soft=14)
    return picture


def sponges() -> Picture:
    picture = Picture()
    for x, y, ink in ((60, 360, (250, 206, 70)), (180, 220, (120, 200, 120)), (70, 80, (240, 130, 150))):
        picture.solid(block((x, y + 60, x + 400, y + 180), 26), ink, soft=20)
        picture.solid(block((x, y + 30, x + 400, y + 84), 18), mix(ink, (30, 80, 50), 0.5), soft=12)
        for step in range(14):
            cx, cy = x + 30 + step * 26, y + 112 + 34 * sin(step * 2.2)
            picture.paint(dot(cx, cy, 8, 6), mix(ink, (90, 60, 0), 0.3), 0.7)
    return picture


def _boot(ink: Colour, top: float) -> Picture:
    picture = Picture()
    for shift, shade in ((96, 0.12), (0, 0.0)):
        x = 40 + shift * 1.2
        y = -shift * 0.32
        leg, foot = [(120, top), (320, top), (324, 400)], [(420, 450), (470, 540), (466, 600), (120, 600)]
        body = polygon(moved([*leg, *foot, (104, 500)], x, y), 40)
        picture.solid(body, mix(ink, (20, 10, 10), shade), soft=44)
        picture.solid(block((x + 98, 586 + y, x + 476, 628 + y), 18), (246, 236, 214), soft=10)
        seam = stroke([(x + 220, top + 40 + y), (x + 222, 400 + y), (x + 250, 586 + y)], 5)
        picture.paint(both(body, seam), mix(ink, (20, 10, 10), 0.45), 0.7)
        for step in range(7):
            cx = x + 122 + step * 33
            picture.solid(oval((cx - 30, top - 30 + y, cx + 30, top + 34 + y)), WOOL, soft=12)
    return picture


def slippers() -> Picture:
    picture = Picture()
    for x, y in ((150, 20), (350, 60)):
        picture.solid(polygon(ring((x + 70, y + 280), 118, 270), 8), (240, 232, 214), soft=18)
        picture.solid(polygon(ring((x + 70, y + 276), 96, 240), 8), WOOL, deep=0.6, soft=24)
        upper = both(oval((x - 52, y - 6, x + 192, y + 540)), block((0, 0, 640, y + 250)))
        picture.solid(rounded(upper, 10), (138, 140, 150), soft=40)
        for step in range(7):
            cx = x - 40 + step * 37
            picture.solid(oval((cx - 24, y + 230, cx + 24, y + 276)), WOOL, soft=10)
    return picture


def top() -> Picture:
    picture = Picture()
    ink: Colour = (96, 104, 122)
    for sign in (-1, 1):
        arm = moved([(130, 80), (220, 130), (310, 520), (220, 540), (150, 280)], 320, 0, sign)
        picture.solid(polygon(arm, 16), mix(ink, (20, 20, 40), 0.08), soft=28)
    picture.solid(
        polygon([(230, 50), (410, 50), (470, 90), (490, 610), (150, 610), (170, 90)], 16), ink, soft=44
    )
    picture.solid(
        both(oval((230, 10, 410, 120)), block((0, 46, 640, 640))),
        mix(ink, (20, 20, 40), 0.4),
        deep=0.5,
        soft=12,
    )
    for y in range(580, 612, 8):
        picture.paint(stroke([(156, y), (484, y)], 2), (0, 0, 0), 0.15)
    return picture


def wondersuit() -> Picture:
    picture = Picture()
    ink: Colour = (150, 206, 214)
    for sign in (-1, 1):
        arm = moved([(110, 90), (200, 130), (270, 330), (200, 370), (120, 250)], 320, 0, sign)
        leg = moved([(0, 350), (150, 350), (170, 560), (180, 626), (60, 626), (50, 480)], 320, 0, sign)
        for part in (arm, leg):
            picture.solid(polygon(part, 24), mix(ink, (20, 40, 60), 0.06), soft=28)
    picture.solid(
        polygon(symmetric([(80, 50), (130, 90), (154, 400), (80, 470), (0, 430)]), 24), ink, soft=44
    )
    picture.solid(
        both(oval((240, 10, 400, 120)), block((0, 46, 640, 640))),
        mix(ink, (20, 40, 60), 0.3),
        deep=0.5,
        soft=12,
    )
    picture.paint(stroke([(320, 120), (320, 300), (400, 600)], 6), WHITE, 0.8)
    return picture


def trunks() -> Picture:
    picture = Picture()
    for shift, ink in ((60, (60, 70, 96)), (0, (44, 92, 150))):
        y = 40 + shift * 2.4 - 20
        body = moved(symmetric([(230, 90), (250, 400), (30, 420), (0, 330)]), 0, y - 60)
        picture.solid(polygon(body, 18), ink, soft=36)
        picture.solid(block((84, y + 20, 556, y + 70), 12), (236, 238, 244), soft=10)
    return picture


def briefs() -> Picture:
    picture = Picture()
    for y, ink in ((180, (236, 150, 170)), (60, (120, 110, 150))):
        body = moved(symmetric([(240, 70), (252, 180), (80, 280), (40, 360)]), 0, y)
        picture.solid(polygon(body, 20), ink, soft=34)
        picture.solid(block((74, 56 + y, 566, 96 + y), 12), mix(ink, WHITE, 0.6), soft=10)
    return picture


def _folded(ink: Colour, *, layers: int, quilted: bool) -> Picture:
    picture = Picture()
    high = 420 / layers
    for place in range(layers):
        y = 540 - place * high
        body = block((30, y - high * 0.5, 610, y + high * 0.62), high * 0.5)
        picture.solid(body, mix(ink, WHITE, 0.05 * place), soft=high * 0.24)
        if quilted:
            for x in range(70, 600, 74):
                picture.paint(
                    both(body, stroke([(x, y - high * 0.5), (x + 10, y + high * 0.6)], 5)),
                    mix(ink, (80, 80, 110), 0.5),
                    0.5,
                )
    if not quilted:
        for x in range(44, 612, 20):
            picture.solid(stroke([(x, 560), (x - 4, 622)], 9), mix(ink, WHITE, 0.2), soft=4)
    return picture


def _bag(ink: Colour, handle: Colour) -> Picture:
    picture = Picture()
    for shift in (18, 0):
        arch = moved([(210, 260), (214, 120), (260, 50), (380, 50), (426, 120), (430, 260)], shift, 0)
        picture.solid(stroke(arch, 26), mix(handle, (0, 0, 0), shift / 90), soft=9)
    picture.solid(polygon([(70, 220), (570, 220), (590, 620), (50, 620)], 16), ink, soft=40)
    return picture


def cooler_bag() -> Picture:
    picture = _bag((64, 150, 178), (40, 70, 90))
    picture.solid(block((56, 214, 584, 270), 18), (206, 214, 222), soft=14)
    picture.paint(stroke([(70, 242), (570, 242)], 6), (70, 80, 96))
    snow = (320, 440)
    for step in range(6):
        end = (snow[0] + 96 * cos(step * pi / 3), snow[1] + 96 * sin(step * pi / 3))
        picture.paint(stroke([snow, end], 14), WHITE, 0.95)
        for sign in (-1, 1):
            near = (snow[0] + 60 * cos(step * pi / 3), snow[1] + 60 * sin(step * pi / 3))
            twig = (
                near[0] + 34 * cos(step * pi / 3 + sign * 0.9),
                near[1] + 34 * sin(step * pi / 3 + sign * 0.9),
            )
            picture.paint(stroke([near, twig], 11), WHITE, 0.95)
    return picture


def magnets() -> Picture:
    picture = Picture()
    sail = ((-60, 40), (-10, -40), (10, 40), (20, -20), (50, 40))
    boomerang = ((-70, 30), (-10, -50), (60, 10), (40, 30), (-6, -14), (-50, 44))
    shell = ((-64, 20), (0, -60), (64, 20), (30, 60), (-30, 60))
    # Middle, colour and slope of each tile, what it shows, and its colour.
    tiles: tuple[tuple[Point, Colour, float, Callable[[float, float], Image.Image], Colour], ...] = (
        ((110, 170), (70, 150, 200), -6, lambda x, y: polygon(moved(sail, x, y), 4), WHITE),
        ((320, 150), (240, 150, 60), 4, _rock, (190, 70, 40)),
        ((530, 170), (90, 170, 110), 7, lambda x, y: polygon(ring((x, y), 56, 56, 60, 0.12, 7), 4), WHITE),
        ((110, 440), (220, 90, 90), 5, lambda x, y: polygon(moved(boomerang, x, y), 8), (250, 214, 120)),
        ((320, 460), (150, 110, 190), -4, lambda x, y: polygon(moved(shell, x, y), 10), WHITE),
        ((530, 440), (236, 196, 80), -8, lambda x, y: dot(x, y, 46), (240, 130, 40)),
    )
    for place, ((x, y), ink, degrees, mark, tone) in enumerate(tiles):
        square = turned(moved([(-92, -116), (92, -116), (92, 116), (-92, 116)], x, y), (x, y), degrees)
        picture.solid(polygon(square, 16), ink, soft=16)
        picture.solid(mark(x, y), tone, soft=(8, 14, 10, 10, 10, 14)[place])
    return picture


def _rock(x: float, y: float) -> Image.Image:
    return both(oval((x - 66, y - 40, x + 66, y + 90)), block((0, 0, 640, y + 30)))


THINGS: dict[str, Callable[[], Picture]] = {
    "tote": partial(_bag, (244, 234, 212), (206, 180, 136)),
    "boots_mini": partial(_boot, (168, 104, 58), 250),
    "boots_tall": partial(_boot, (50, 48, 54), 90),
    "boots_kids": partial(_boot, (240, 160, 182), 250),
    "throw": partial(_folded, (214, 188, 156), layers=3, quilted=False),
    "quilt": partial(_folded, (246, 246, 250), layers=2, quilted=True),
}
