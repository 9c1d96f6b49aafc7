"""Outlines of what grows: ovals, leaves, and both turned."""

from collections.abc import Sequence
from math import cos, pi, sin

from PIL import Image

from tools.demo_pictures import canvas
from tools.demo_pictures.canvas import WHITE, Colour, Point, mix

Picture = Image.Image
DARK: Colour = (52, 24, 20)
LEAF: Colour = (74, 160, 62)


def turned(points: Sequence[Point], around: Point, degrees: float) -> list[Point]:
    """Return points turned clockwise around one."""
    angle = degrees * pi / 180
    return [
        (
            around[0] + (x - around[0]) * cos(angle) - (y - around[1]) * sin(angle),
            around[1] + (x - around[0]) * sin(angle) + (y - around[1]) * cos(angle),
        )
        for x, y in points
    ]


def ring(
    middle: Point, wide: float, high: float, count: int = 48, wave: float = 0, waves: int = 0
) -> list[Point]:
    """Return points around an ellipse, with waves if its edge is curly."""
    points: list[Point] = []
    for step in range(count):
        angle = 2 * pi * step / count
        reach = 1 + wave * cos(angle * waves)
        points.append((middle[0] + wide * reach * cos(angle), middle[1] + high * reach * sin(angle)))
    return points


def leaf(
    picture: Picture, foot: Point, long: float, wide: float, degrees: float, ink: Colour, curl: float = 0.05
) -> None:
    """Lay a leaf over a picture, from its foot in a direction."""
    middle = (foot[0], foot[1] - long / 2)
    outline = turned(ring(middle, wide / 2, long / 2, 72, curl, 11), foot, degrees)
    canvas.solid(picture, canvas.polygon(outline, 5), ink, soft=22)
    tip = turned([(foot[0], foot[1] - long * 0.86)], foot, degrees)[0]
    canvas.paint(picture, canvas.stroke([foot, tip], 5), mix(ink, WHITE, 0.45), 0.7)
