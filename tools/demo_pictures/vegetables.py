"""Vegetables and mushrooms that no ready picture shows honestly."""

from collections.abc import Callable
from functools import partial
from math import cos, pi, sin

from tools.demo_pictures.canvas import (
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
from tools.demo_pictures.outlines import DARK, LEAF, leaf, ring, symmetric, turned


def _bunch(
    green: Colour,
    stem: Colour,
    *,
    wide: float,
    long: float,
    thick: float,
    curl: float = 0.06,
    flowers: bool = False,
) -> Picture:
    """Return greens tied to a bunch; sizes are of a leaf and of a stem."""
    picture = Picture()
    for degrees in (-30, 30, -20, 20, -10, 10, 0):
        foot: Point = (320, 610)
        shift = degrees * 1.5
        top = turned([(320 + shift * 0.4, 610 - (590 - long))], foot, degrees * 0.86)[0]
        picture.solid(stroke([(320 + shift, 612), (320 + shift * 0.7, 430), top], thick), stem, soft=8)
        leaf(
            picture,
            (top[0], top[1] + long * 0.22),
            long,
            wide,
            degrees,
            mix(green, DARK, 0.12 if degrees % 2 else 0),
            curl,
        )
        if flowers and abs(degrees) in (10, 0):
            tip = turned([(top[0], top[1] - long * 0.72)], (top[0], top[1]), degrees)[0]
            for angle in range(0, 360, 72):
                x, y = tip[0] + 11 * cos(angle * pi / 180), tip[1] + 11 * sin(angle * pi / 180)
                picture.solid(dot(x, y, 10), (250, 205, 50), soft=5)
    tie = block((262, 486, 378, 514), 12)
    picture.solid(tie, (204, 62, 58), soft=10)
    return picture


def bok_choy() -> Picture:
    picture = Picture()
    for degrees, side in ((-30, -1), (30, 1), (-14, -1), (14, 1), (0, 0)):
        foot: Point = (320 + side * 12, 600)
        leaf(picture, (foot[0] + degrees * 3.4, 350), 320, 190, degrees, LEAF, 0.04)
        stem = turned(symmetric([(34, 330), (66, 560), (34, 616)], foot[0]), foot, degrees)
        picture.solid(polygon(stem, 20), (236, 246, 226), soft=26)
    return picture


def wombok() -> Picture:
    picture = Picture()
    for middle, wide, high, ink in (
        ((244, 300), 150, 280, (150, 196, 92)),
        ((396, 300), 150, 280, (150, 196, 92)),
        ((320, 300), 160, 290, (186, 216, 120)),
        ((280, 340), 120, 270, (214, 232, 158)),
        ((362, 350), 116, 262, (226, 238, 176)),
    ):
        picture.solid(polygon(ring(middle, wide, high, 80, 0.03, 13), 5), ink, soft=30)
    for x, lean in ((250, -30), (320, 0), (392, 30)):
        rib = polygon([(x - 16 + lean, 180), (x + 16 + lean, 180), (x + 38, 610), (x - 38, 610)], 14)
        picture.solid(rib, (250, 251, 240), soft=18)
    return picture


def daikon() -> Picture:
    picture = Picture()
    for degrees in (-34, 30, 0):
        leaf(picture, (396, 196), 200, 74, 38 + degrees, LEAF, 0.1)
    root = turned(symmetric([(76, 90), (92, 200), (72, 420), (20, 600), (0, 640)]), (320, 330), 38)
    picture.solid(polygon(root, 34), (250, 249, 242), soft=48)
    return picture


def lotus_root() -> Picture:
    picture = Picture()
    picture.solid(polygon(turned(ring((350, 220), 260, 120), (350, 220), -14), 6), (226, 196, 156), soft=44)
    for x, y, size in ((190, 420, 180), (452, 470, 150)):
        disc = dot(x, y, size, size * 0.94)
        picture.solid(disc, (224, 192, 150), soft=20)
        face = dot(x, y, size * 0.92, size * 0.86)
        picture.solid(face, (252, 243, 226), deep=0.35, soft=26)
        for step in range(8):
            angle = step * pi / 4 + 0.3
            cx, cy = x + size * 0.56 * cos(angle), y + size * 0.52 * sin(angle)
            picture.solid(dot(cx, cy, size * 0.17, size * 0.15), (150, 104, 74), deep=0.8, soft=8)
        picture.paint(dot(x, y, size * 0.1, size * 0.09), (166, 120, 88))
    return picture


def taro() -> Picture:
    picture = Picture()
    for middle, wide, high, degrees in (((240, 250), 150, 210, -24), ((400, 380), 160, 220, 22)):
        body = polygon(turned(ring(middle, wide, high), middle, degrees), 4)
        picture.solid(body, (134, 94, 66), soft=48)
        for step in range(-4, 5):
            arc = [
                (middle[0] + x, middle[1] + step * 44 + 22 * (1 - (x / wide) ** 2))
                for x in range(-170, 171, 17)
            ]
            picture.paint(both(body, stroke(turned(arc, middle, degrees), 5)), (78, 48, 34), 0.45)
    face = oval((330, 470, 520, 610))
    picture.solid(face, (246, 238, 240), deep=0.3, soft=14)
    for step in range(26):
        x, y = 425 + 78 * sin(step * 2.4) * (step / 26), 540 + 54 * cos(step * 2.4) * (step / 26)
        picture.paint(dot(x, y, 4), (150, 96, 160), 0.75)
    return picture


def yam() -> Picture:
    picture = Picture()
    for shift, ink in ((-110, (206, 170, 126)), (0, (218, 184, 140)), (110, (200, 162, 118))):
        path = [(86 + shift * 0.4 + t * 46, 500 - t * 36 + shift + 12 * sin(t * 1.3)) for t in range(11)]
        body = stroke(path, 84)
        picture.solid(body, ink, soft=26)
        for t in range(1, 30):
            x, y = 86 + shift * 0.4 + t * 16, 500 - t * 12.5 + shift + 30 * sin(t * 2.7)
            picture.paint(both(body, stroke([(x, y), (x + 9, y + 5)], 3)), DARK, 0.4)
    return picture


def winter_melon() -> Picture:
    picture = Picture()
    body = polygon([(40, 200), (470, 120), (600, 250), (600, 420), (470, 560), (60, 500)], 60)
    picture.solid(body, (64, 124, 72), soft=56)
    face = oval((14, 150, 330, 550))
    picture.solid(face, (88, 150, 84), soft=14)
    picture.solid(oval((34, 172, 312, 530)), (244, 250, 236), deep=0.4, soft=30)
    picture.solid(oval((108, 260, 240, 440)), (228, 240, 212), deep=0.5, soft=20)
    for step in range(10):
        x, y = 174 + 44 * cos(step * 0.63), 350 + 66 * sin(step * 0.63)
        picture.solid(dot(x, y, 9, 13), (250, 240, 204), soft=5)
    return picture


def bitter_melon() -> Picture:
    picture = Picture()
    for middle, degrees in (((230, 330), 24), ((410, 340), 40)):
        body = polygon(
            turned(
                [
                    (middle[0] + 88 * sin(pi * t / 30) * (1 + 0.10 * (t % 3 == 0)), middle[1] - 280 + t * 19)
                    for t in range(31)
                ]
                + [
                    (middle[0] - 88 * sin(pi * t / 30) * (1 + 0.10 * (t % 3 == 0)), middle[1] - 280 + t * 19)
                    for t in range(30, -1, -1)
                ],
                middle,
                degrees,
            ),
            7,
        )
        picture.solid(body, (112, 182, 72), soft=40)
        for row in range(3, 28, 2):
            half = 74 * sin(pi * row / 30)
            for place in (-0.66, -0.22, 0.22, 0.66):
                x, y = turned(
                    [(middle[0] + half * place + (row % 4) * 3, middle[1] - 280 + row * 19)], middle, degrees
                )[0]
                picture.solid(both(body, dot(x, y, 13, 17)), (132, 200, 88), deep=0.9, soft=9)
    return picture


def loofah() -> Picture:
    picture = Picture()
    for shift, ink in ((-74, (92, 148, 64)), (74, (104, 160, 70))):
        path = [(150 + shift + t * 36, 536 + shift * 0.5 - t * 44 - 22 * sin(t * 0.3)) for t in range(11)]
        body = stroke(path, 118)
        picture.solid(body, ink, soft=34)
        for off in (-34, -10, 14, 38):
            line = [(x + off, y + off) for x, y in path]
            picture.paint(both(body, stroke(line, 7)), (48, 96, 40), 0.5)
    return picture


def kent_pumpkin() -> Picture:
    picture = Picture()
    picture.solid(oval((10, 84, 630, 606)), (96, 122, 84), soft=40)
    picture.solid(oval((36, 110, 604, 590)), (238, 150, 50), deep=0.5, soft=34)
    picture.solid(oval((150, 220, 490, 520)), (222, 122, 36), deep=0.8, soft=26)
    for step in range(18):
        x, y = (
            320 + 116 * sin(step * 2.4) * (0.35 + step / 28),
            372 + 90 * cos(step * 2.4) * (0.35 + step / 28),
        )
        picture.solid(polygon(turned(ring((x, y), 12, 20), (x, y), step * 40), 2), (252, 236, 196), soft=7)
    picture.solid(block((292, 50, 348, 108), 14), (150, 132, 84), soft=14)
    return picture


def _mushroom(
    picture: Picture, cap: tuple[Point, float, float], stem: tuple[float, float], ink: Colour, pale: Colour
) -> None:
    (x, y), wide, high = cap
    width, end = stem
    picture.solid(
        polygon([(x - width * 0.8, y), (x + width * 0.8, y), (x + width, end), (x - width, end)], 14),
        pale,
        soft=20,
    )
    dome = both(dot(x, y, wide, high), block((0, 0, 640, y + high * 0.28)))
    picture.solid(rounded(dome, 8), ink, soft=26)


def king_oyster() -> Picture:
    picture = Picture()
    for x, y, wide in ((180, 190, 92), (460, 200, 92), (320, 130, 110)):
        _mushroom(picture, ((x, y), wide, 70), (wide * 0.72, 600), (176, 138, 104), (250, 244, 232))
    return picture


def shiitake() -> Picture:
    picture = Picture()
    for x, y, wide, end in ((430, 200, 150, 330), (190, 250, 160, 400), (370, 430, 200, 610)):
        _mushroom(picture, ((x, y), wide, wide * 0.72), (wide * 0.24, end), (142, 94, 60), (244, 228, 204))
        for dx, dy in ((-0.4, -0.3), (0.1, -0.5), (0.45, -0.2), (-0.05, -0.12)):
            cx, cy = x + wide * dx, y + wide * 0.72 * dy
            picture.paint(stroke([(cx - 14, cy), (cx, cy - 10), (cx + 16, cy + 2)], 6), (232, 208, 172), 0.75)
    return picture


def _cluster(cap: Colour, stem: Colour, *, wide: float, thin: float, count: int) -> Picture:
    picture = Picture()
    for row in range(3):
        for place in range(count):
            share = (place + 0.5 * (row % 2)) / (count - 0.5) - 0.5
            x, y = 320 + share * 470, 130 + row * 62 + 150 * share * share
            picture.solid(
                stroke([(x, y), (320 + share * 170, 600)], thin), mix(stem, DARK, 0.05 * (2 - row)), soft=8
            )
            dome = oval((x - wide, y - wide * 0.8, x + wide, y + wide * 0.7))
            picture.solid(dome, cap, soft=12)
    picture.solid(block((220, 560, 420, 626), 24), mix(stem, DARK, 0.1), soft=22)
    return picture


def spring_onion() -> Picture:
    picture = Picture()
    for place in range(-3, 4):
        top = (320 + place * 66, 20 + abs(place) * 22)
        picture.solid(stroke([(320 + place * 26, 420), top], 24), (84, 160, 66), soft=10)
        picture.solid(
            stroke([(320 + place * 24, 596), (320 + place * 26, 420)], 30), (232, 244, 216), soft=12
        )
        picture.solid(
            oval((320 + place * 24 - 22, 572, 320 + place * 24 + 22, 622)), (250, 250, 240), soft=10
        )
    picture.solid(block((214, 396, 426, 424), 12), (204, 62, 58), soft=10)
    return picture


VEGETABLES: dict[str, Callable[[], Picture]] = {
    "choy_sum": partial(_bunch, LEAF, (164, 206, 116), wide=120, long=240, thick=26, curl=0.03, flowers=True),
    "gai_lan": partial(_bunch, (44, 122, 70), (120, 176, 92), wide=150, long=250, thick=36, curl=0.04),
    "kang_kong": partial(_bunch, (66, 148, 60), (150, 196, 104), wide=66, long=250, thick=18, curl=0),
    "chrysanthemum": partial(_bunch, (72, 150, 78), (140, 190, 110), wide=130, long=230, thick=18, curl=0.2),
    "pea_shoots": partial(_bunch, (104, 184, 72), (160, 212, 120), wide=120, long=150, thick=12, curl=0),
    "a_choy": partial(_bunch, (130, 190, 76), (206, 228, 164), wide=120, long=380, thick=34, curl=0.03),
    "coriander": partial(_bunch, (62, 148, 66), (130, 186, 100), wide=120, long=150, thick=12, curl=0.08),
    "enoki": partial(_cluster, (254, 246, 222), (250, 246, 232), wide=22, thin=13, count=11),
    "shimeji": partial(_cluster, (248, 242, 230), (244, 238, 224), wide=46, thin=34, count=6),
}
