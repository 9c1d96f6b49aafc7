"""Outlines of what grows: ovals, leaves, and both turned."""

from collections.abc import Sequence
from math import cos, pi, sin

from tools.demo_pictures.canvas import SIDE, WHITE, Colour, Picture, Point, mix, polygon, stroke

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


def moved(points: Sequence[Point], x: float, y: float, sign: int = 1) -> list[Point]:
    """Return points that are given from (x, y); `sign`: -1 turns left and right round."""
    return [(x + sign * right, down + y) for right, down in points]


def symmetric(half: Sequence[Point], middle: float = SIDE / 2) -> list[Point]:
    """Return an outline that is the same on both sides of its middle.

    `half`: how far it is from the middle and from the top, from top to bottom.
    """
    return [*moved(half, middle, 0), *moved(half[::-1], middle, 0, -1)]


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


def spiral(middle: Point, wide: float, high: float, count: int) -> list[Point]:
    """Return points that lie evenly in an ellipse, from its middle outwards."""
    reaches = [(step / count) ** 0.5 for step in range(count)]
    return [
        (middle[0] + wide * sin(step * 2.4) * reach, middle[1] + high * cos(step * 2.4) * reach)
        for step, reach in enumerate(reaches)
    ]


def leaf(
    picture: Picture, foot: Point, long: float, wide: float, degrees: float, ink: Colour, curl: float = 0.05
) -> None:
    """Lay a leaf over a picture, from its foot in a direction."""
    middle = (foot[0], foot[1] - long / 2)
    outline = turned(ring(middle, wide / 2, long / 2, 72, curl, 11), foot, degrees)
    picture.solid(polygon(outline, 5), ink, soft=22)
    tip = turned([(foot[0], foot[1] - long * 0.86)], foot, degrees)[0]
    picture.paint(stroke([foot, tip], 5), mix(ink, WHITE, 0.45), 0.7)
