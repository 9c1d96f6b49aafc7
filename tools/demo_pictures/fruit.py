"""Fruit that no ready picture shows honestly."""

from math import cos, sin

from tools.demo_pictures.canvas import Colour, Picture, Point, block, both, dot, oval, polygon, stroke
from tools.demo_pictures.outlines import LEAF, leaf, ring, spiral, symmetric, turned


def _fruit(ink: Colour, middle: Point, wide: float, high: float, picture: Picture | None = None) -> Picture:
    picture = picture or Picture()
    box = (middle[0] - wide, middle[1] - high, middle[0] + wide, middle[1] + high)
    picture.solid(oval(box), ink, soft=56)
    return picture


def pomelo() -> Picture:
    picture = Picture()
    body = polygon(symmetric([(0, 30), (70, 70), (150, 190), (250, 340), (240, 520), (130, 620)]), 70)
    picture.solid(body, (222, 212, 88), soft=66)
    leaf(picture, (330, 70), 150, 70, 66, LEAF, 0.02)
    picture.solid(block((308, 26, 330, 72), 8), (120, 96, 48), soft=8)
    return picture


def dragon_fruit() -> Picture:
    picture = Picture()
    for degrees in (-60, -30, 0, 30, 60):
        leaf(picture, (230, 190), 170, 54, degrees - 8, (120, 176, 76), 0)
    _fruit((226, 44, 116), (230, 370), 190, 236, picture)
    for x, y, degrees in (
        (120, 330, -30),
        (210, 270, -8),
        (310, 300, 22),
        (150, 460, -24),
        (250, 420, 4),
        (340, 440, 26),
        (210, 560, -6),
    ):
        leaf(picture, (x, y), 92, 62, degrees, (236, 84, 130), 0)
        leaf(picture, (x + degrees * 0.6, y - 52), 50, 24, degrees, (150, 190, 80), 0)
    picture.solid(oval((330, 330, 630, 630)), (228, 48, 118), soft=16)
    face = oval((352, 350, 610, 610))
    picture.solid(face, (196, 26, 104), deep=0.45, soft=22)
    for seed in spiral((481, 480), 118, 118, 60):
        picture.paint(dot(*seed, 4, 5), (40, 8, 26))
    return picture


def durian_flesh() -> Picture:
    picture = Picture()
    for x, y, degrees in ((210, 220, -20), (430, 240, 18), (250, 450, 14), (460, 470, -16)):
        points = turned(ring((x, y), 150, 106, 60, 0.05, 3), (x, y), degrees)
        picture.solid(polygon(points, 10), (244, 204, 84), soft=40)
        picture.paint(
            stroke(turned([(x - 90, y - 10), (x, y + 14), (x + 90, y - 4)], (x, y), degrees), 8),
            (206, 156, 46),
            0.5,
        )
    return picture


def passionfruit() -> Picture:
    picture = _fruit((88, 40, 92), (220, 260), 200, 196)
    _fruit((102, 48, 104), (430, 420), 200, 192, picture)
    picture.solid(oval((254, 252, 606, 588)), (248, 232, 208), deep=0.4, soft=14)
    picture.solid(oval((286, 284, 574, 556)), (240, 176, 40), deep=0.7, soft=24)
    for step in range(20):
        x, y = (
            430 + 112 * sin(step * 2.4) * (0.2 + step / 25),
            420 + 104 * cos(step * 2.4) * (0.2 + step / 25),
        )
        picture.solid(polygon(turned(ring((x, y), 10, 16), (x, y), step * 50), 2), (46, 26, 30), soft=6)
    return picture


def persimmon() -> Picture:
    picture = _fruit((240, 126, 34), (320, 370), 290, 246)
    for degrees in (45, 135, 225, 315):
        leaf(picture, (320, 190), 150, 110, degrees + 45, (118, 150, 70), 0)
    picture.solid(oval((290, 160, 350, 216)), (96, 112, 56), soft=12)
    return picture


def nashi() -> Picture:
    picture = Picture()
    picture.solid(stroke([(320, 120), (336, 36)], 18), (110, 78, 44), soft=8)
    _fruit((214, 172, 92), (320, 366), 272, 254, picture)
    picture.solid(oval((272, 108, 372, 150)), (178, 134, 64), deep=0.8, soft=16)
    for x, y in spiral((320, 376), 236, 216, 90):
        picture.paint(dot(x, y, 4), (250, 230, 170), 0.6)
    return picture


def raspberry() -> Picture:
    picture = Picture()
    for row in range(7):
        half = 220 * (1 - (row / 8.2) ** 2.2)
        count = max(2, round(half / 42))
        for place in range(count):
            x, y = 320 + half * (2 * (place + 0.5) / count - 1), 180 + row * 66
            picture.solid(dot(x, y, 58, 54), (214, 40, 84), soft=24)
    for degrees in (-70, -35, 0, 35, 70):
        leaf(picture, (320, 170), 130, 60, degrees, (104, 168, 72), 0)
    return picture


def hami_melon() -> Picture:
    picture = Picture()
    body = polygon(turned(ring((320, 330), 300, 226), (320, 330), -16), 4)
    picture.solid(body, (222, 182, 82), soft=60)
    for step in range(-9, 10):
        for sign in (1, -1):
            line = [
                (320 + x, 330 + step * 62 + sign * x * 0.8 + 10 * sin(x / 26 + step))
                for x in range(-320, 321, 20)
            ]
            picture.paint(both(body, stroke(line, 4)), (252, 238, 200), 0.6)
    picture.light_up(body, (222, 182, 82), deep=0.5, soft=60)
    picture.solid(stroke([(586, 226), (622, 190)], 20), (130, 120, 60), soft=8)
    return picture


def coconut_young() -> Picture:
    picture = Picture()
    picture.solid(
        polygon(symmetric([(0, 20), (100, 150), (220, 220), (246, 560), (150, 624)]), 26),
        (244, 238, 216),
        soft=56,
    )
    for points in (
        [(320, 30), (250, 180), (110, 230)],
        [(320, 30), (392, 180), (532, 230)],
        [(250, 180), (392, 180)],
    ):
        picture.paint(stroke(points, 6), (206, 190, 150), 0.8)
    for x in range(130, 540, 44):
        picture.paint(stroke([(x, 290), (x + 8, 590)], 4), (214, 198, 158), 0.45)
    return picture
