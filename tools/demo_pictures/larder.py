"""What is in packs: meat, fish, soy, dried and frozen food."""

from collections.abc import Callable
from functools import partial
from math import cos, pi, sin

from tools.demo_pictures.canvas import WHITE, Colour, Picture, Point, both, dot, mix, oval, polygon, stroke
from tools.demo_pictures.outlines import moved, ring, spiral, turned


def _poultry(ink: Colour) -> Picture:
    picture = Picture()
    for sign in (-1, 1):
        leg = moved([(90, 330), (200, 360), (190, 500), (70, 520)], 320, 0, sign)
        picture.solid(polygon(leg, 50), mix(ink, (90, 50, 40), 0.06), soft=40)
        bone = stroke([(320 + sign * 110, 500), (320 + sign * 60, 604)], 34)
        picture.solid(bone, mix(ink, WHITE, 0.2), soft=14)
        wing = turned(ring((320 + sign * 226, 250), 46, 110), (320 + sign * 226, 250), sign * -16)
        picture.solid(polygon(wing, 12), mix(ink, (90, 50, 40), 0.05), soft=26)
    picture.solid(
        polygon(
            [(240, 60), (400, 60), (520, 200), (530, 400), (420, 540), (220, 540), (110, 400), (120, 200)], 90
        ),
        ink,
        soft=70,
    )
    picture.paint(stroke([(320, 130), (320, 440)], 6), mix(ink, (90, 50, 40), 0.5), 0.5)
    return picture


def _slabs(meat: Colour, fat: Colour, *, layers: bool) -> Picture:
    """Return cuts of meat, with layers of fat or marbled."""
    picture = Picture()
    for x, y, degrees in ((220, 240, -10), (410, 400, -10)):
        middle: Point = (x, y)
        outline = turned(
            [(x - 190, y - 120), (x + 170, y - 130), (x + 200, y + 90), (x - 160, y + 130)], middle, degrees
        )
        body = polygon(outline, 34)
        picture.solid(body, meat, soft=34)
        for step in range(-2, 3):
            if layers:
                line = [(x - 230 + t * 23, y + step * 56 + 10 * sin(t * 0.9 + step)) for t in range(21)]
                picture.paint(
                    both(body, stroke(turned(line, middle, degrees), 20 if step != -2 else 44)), fat, 0.92
                )
            else:
                line = [(x - 150 + t * 30, y + step * 46 + 16 * sin(t * 1.4 + step * 2)) for t in range(11)]
                picture.paint(both(body, stroke(turned(line, middle, degrees), 7)), fat, 0.75)
        picture.light_up(body, meat, deep=0.4, soft=34)
    return picture


def _mince(ink: Colour) -> Picture:
    """Return minced meat."""
    picture = Picture()
    for step, (x, y) in enumerate(spiral((320, 330), 230, 190, 46)):
        line = [(x - 50 + t * 14, y + 18 * sin(t * 0.9 + step)) for t in range(8)]
        tone = mix(ink, WHITE, 0.2 if step % 3 else 0.5)
        picture.solid(stroke(line, 26), tone, soft=10)
    return picture


def _fillet(ink: Colour, line_ink: Colour) -> Picture:
    """Return fillets of fish."""
    picture = Picture()
    for x, y in ((300, 210), (340, 430)):
        body = polygon(
            turned(
                moved([(-270, 0), (-150, -90), (80, -96), (270, -30), (250, 40), (60, 90), (-160, 84)], x, y),
                (x, y),
                -8,
            ),
            30,
        )
        picture.solid(body, ink, soft=34)
        for step in range(-5, 6):
            chevron = [(x + step * 46 - 20, y - 110), (x + step * 46 + 16, y), (x + step * 46 - 20, y + 110)]
            picture.paint(both(body, stroke(turned(chevron, (x, y), -8), 7)), line_ink, 0.75)
    return picture


def _blocks(ink: Colour) -> Picture:
    picture = Picture()
    for x, y in ((320, 160), (180, 330), (440, 340)):
        top = [(x - 130, y), (x, y - 66), (x + 130, y), (x, y + 66)]
        left = [(x - 130, y), (x, y + 66), (x, y + 220), (x - 130, y + 150)]
        right = [(x + 130, y), (x, y + 66), (x, y + 220), (x + 130, y + 150)]
        picture.paint(polygon(left, 6), mix(ink, (120, 80, 50), 0.16))
        picture.paint(polygon(right, 6), mix(ink, (120, 80, 50), 0.30))
        picture.paint(polygon(top, 6), mix(ink, WHITE, 0.3))
    return picture


def rock_sugar() -> Picture:
    picture = Picture()
    for step, (x, y) in enumerate(spiral((320, 340), 220, 190, 22)):
        picture.solid(
            polygon(
                turned(
                    [(x - 54, y - 40), (x + 30, y - 54), (x + 58, y + 20), (x - 10, y + 54)],
                    (x, y),
                    step * 47,
                ),
                4,
            ),
            (246, 236, 210),
            soft=18,
        )
    return picture


def papaw() -> Picture:
    """Return half a papaw."""
    picture = Picture()
    for reach, ink in ((1.0, (226, 168, 50)), (0.92, (248, 140, 60)), (0.5, (216, 96, 40))):
        outline = turned(ring((320, 320), 300 * reach, 190 * reach), (320, 320), -34)
        picture.solid(polygon(outline, 4), ink, deep=0.7, soft=24)
    for step in range(22):
        reach = ((step + 0.5) / 22) ** 0.5
        x, y = turned(
            [(320 + 116 * reach * sin(step * 2.4), 320 + 64 * reach * cos(step * 2.4))], (320, 320), -34
        )[0]
        picture.solid(dot(x, y, 15), (44, 34, 40), soft=7)
    return picture


def duck_egg() -> Picture:
    """Return a duck's egg."""
    picture = Picture()
    outline = [
        (320 + 200 * sin(t * pi / 30) * (1 + 0.14 * cos(t * pi / 30 + pi)), 320 - 280 * cos(t * pi / 30))
        for t in range(60)
    ]
    picture.solid(polygon(outline, 4), (196, 220, 216), soft=66)
    return picture


def _heap(ink: Colour, count: int, wide: float, high: float, *, wrinkles: bool = False) -> Picture:
    picture = Picture()
    order = sorted(range(count), key=lambda step: cos(step * 2.4) * (step / count) ** 0.5)
    for step in order:
        reach = ((step + 0.5) / count) ** 0.5
        x, y = 320 + (310 - wide) * reach * sin(step * 2.4), 340 + (280 - high) * reach * cos(step * 2.4)
        body = polygon(turned(ring((x, y), wide, high), (x, y), step * 67 % 180), 2)
        tone = mix(ink, WHITE if step % 2 else (30, 10, 10), 0.07)
        picture.solid(body, tone, soft=max(7.0, high * 0.45))
        if wrinkles:
            line = turned(
                [(x - wide * 0.6, y - high * 0.1), (x, y + high * 0.2), (x + wide * 0.6, y - high * 0.05)],
                (x, y),
                step * 67 % 180,
            )
            picture.paint(both(body, stroke(line, 5)), (40, 14, 10), 0.4)
    return picture


def star_anise() -> Picture:
    picture = Picture()
    for x, y, size in ((230, 230, 200), (420, 430, 180)):
        for step in range(8):
            petal = turned(ring((x, y - size * 0.58), size * 0.15, size * 0.44), (x, y), step * 45)
            picture.solid(polygon(petal, 4), (138, 72, 34), soft=14)
            seed = turned([(x, y - size * 0.62)], (x, y), step * 45)[0]
            picture.solid(dot(seed[0], seed[1], 14), (206, 138, 70), soft=7)
    return picture


def _fungus(ink: Colour) -> Picture:
    """Return dried fungus with curly edges."""
    picture = Picture()
    for x, y, size, waves in ((220, 250, 190, 7), (430, 240, 160, 6), (340, 440, 200, 8)):
        for share in (1.0, 0.72, 0.42):
            outline = ring((x, y + (1 - share) * 20), size * share, size * share * 0.86, 80, 0.09, waves)
            picture.solid(polygon(outline, 8), mix(ink, WHITE, 0.10 * (1 - share)), soft=24)
    return picture


def nori() -> Picture:
    picture = Picture()
    for shift in (60, 30, 0):
        x, y = 40 + shift, 120 - shift
        sheet = polygon([(x, y + 60), (x + 470, y), (x + 500, y + 400), (x + 30, y + 460)], 6)
        picture.solid(sheet, (34, 62, 46), deep=0.7, soft=14)
        for step in range(1, 7):
            picture.paint(
                both(sheet, stroke([(x + step * 72, y), (x + step * 72 + 30, y + 470)], 3)),
                (90, 130, 96),
                0.4,
            )
    return picture


def _sticks(ink: Colour, *, thin: float, count: int, tip: Colour | None = None) -> Picture:
    """Return a bundle of sticks: noodles, bean curd, chocolate sticks."""
    picture = Picture()
    for place in range(count):
        share = place / (count - 1) - 0.5
        low, high = (320 + share * 300, 606.0), (320 + share * 520, 40 + 60 * share * share * 4)
        picture.solid(stroke([low, high], thin), mix(ink, (60, 30, 10), 0.1 * (place % 3)), soft=thin * 0.5)
        if tip:
            part = (low[0] + (high[0] - low[0]) * 0.3, low[1] + (high[1] - low[1]) * 0.3)
            picture.solid(stroke([part, high], thin * 1.35), tip, soft=thin * 0.5)
    return picture


def _sheets(ink: Colour) -> Picture:
    """Return round flat sheets: pancakes, bean curd skin, rice paper."""
    picture = Picture()
    for y in (420, 370, 320):
        disc = oval((40, y - 180, 600, y + 180))
        picture.solid(disc, ink, soft=16)
        for x, v in spiral((320, y), 230, 140, 22):
            picture.paint(both(disc, dot(x, v, 22, 11)), mix(ink, (130, 70, 20), 0.4), 0.5)
    return picture


def _buns(ink: Colour, filling: Colour | None = None) -> Picture:
    """Return steamed buns, open at the top if their filling shows."""
    picture = Picture()
    for x, y in ((320, 210), (190, 400), (450, 400)):
        picture.solid(polygon(ring((x, y), 160, 124), 4), ink, soft=48)
        if filling:
            picture.solid(polygon(ring((x, y - 50), 62, 34, 40, 0.16, 5), 6), filling, soft=12)
        else:
            for degrees in range(0, 180, 36):
                fold = turned([(x - 50, y - 58), (x, y - 66), (x + 50, y - 58)], (x, y - 64), degrees)
                picture.paint(stroke(fold, 4), mix(ink, (120, 90, 60), 0.5), 0.5)
    return picture


def _sausages(ink: Colour) -> Picture:
    picture = Picture()
    for shift in (-130, 0, 130):
        path = [(80 + t * 48, 330 + shift + 70 * sin(pi * t / 10) - 34) for t in range(11)]
        body = stroke(path, 92)
        picture.solid(body, ink, soft=30)
        for t in range(22):
            x, y = 90 + t * 22, 330 + shift + 60 * sin(pi * t / 21) - 34 + 26 * sin(t * 2.9)
            picture.paint(both(body, dot(x, y, 9, 7)), (250, 214, 196), 0.65)
    return picture


def century_egg() -> Picture:
    picture = Picture()
    picture.solid(polygon(ring((230, 250), 170, 210), 4), (150, 170, 160), soft=50)
    picture.solid(polygon(turned(ring((410, 420), 210, 170), (410, 420), -10), 4), (74, 44, 30), soft=30)
    picture.solid(oval((310, 330, 500, 500)), (64, 84, 76), deep=0.7, soft=24)
    picture.solid(oval((360, 376, 450, 456)), (40, 54, 52), deep=0.7, soft=14)
    return picture


LARDER: dict[str, Callable[[], Picture]] = {
    "chicken_whole": partial(_poultry, (250, 216, 170)),
    "silkie": partial(_poultry, (84, 78, 92)),
    "duck_whole": partial(_poultry, (244, 204, 160)),
    "pork_belly": partial(_slabs, (226, 116, 112), (255, 240, 232), layers=True),
    "cured_pork": partial(_slabs, (142, 52, 40), (240, 204, 160), layers=True),
    "beef_cut": partial(_slabs, (176, 44, 48), (250, 220, 212), layers=False),
    "lamb_cut": partial(_slabs, (196, 70, 76), (252, 232, 226), layers=True),
    "pork_mince": partial(_mince, (232, 140, 130)),
    "salmon": partial(_fillet, (246, 128, 82), (255, 214, 190)),
    "white_fillet": partial(_fillet, (248, 236, 226), (230, 200, 186)),
    "wood_ear": partial(_fungus, (58, 44, 42)),
    "snow_fungus": partial(_fungus, (248, 240, 214)),
    "bean_curd": partial(_sticks, (232, 196, 120), thin=44, count=9),
    "wheat_noodles": partial(_sticks, (246, 226, 170), thin=14, count=26),
    "glass_noodles": partial(_sticks, (232, 236, 238), thin=12, count=28),
    "wide_noodles": partial(_sticks, (170, 130, 104), thin=38, count=11),
    "soba": partial(_sticks, (166, 138, 112), thin=14, count=26),
    "rice_cakes": partial(_sticks, (252, 248, 238), thin=62, count=7),
    "crab_sticks": partial(_sticks, (252, 246, 240), thin=56, count=7, tip=(236, 86, 64)),
    "choco_sticks": partial(_sticks, (228, 178, 104), thin=20, count=13, tip=(96, 50, 30)),
    "matcha_sticks": partial(_sticks, (228, 178, 104), thin=20, count=13, tip=(138, 166, 74)),
    "salad_sticks": partial(_sticks, (222, 164, 84), thin=20, count=13),
    "flatbread": partial(_sheets, (244, 216, 158)),
    "tofu_skin": partial(_sheets, (250, 236, 196)),
    "rice_paper": partial(_sheets, (246, 244, 236)),
    "pork_buns": partial(_buns, (254, 250, 242), (170, 58, 34)),
    "mantou": partial(_buns, (254, 250, 240)),
    "custard_buns": partial(_buns, (254, 248, 236), (246, 190, 50)),
    "siu_mai": partial(_buns, (246, 214, 110), (240, 130, 90)),
    "choco_pie": partial(_sheets, (92, 50, 32)),
    "liquorice": partial(_sticks, (44, 38, 44), thin=54, count=7),
    "sugar_cane": partial(_sticks, (160, 178, 84), thin=56, count=7),
    "mustard": partial(_mince, (128, 146, 50)),
    "wasabi": partial(_mince, (112, 172, 66)),
    "kelp": partial(_fungus, (58, 92, 58)),
    "grass_jelly": partial(_blocks, (60, 50, 56)),
    "mango_cubes": partial(_blocks, (250, 186, 48)),
    "mochi": partial(_buns, (250, 224, 226)),
    "mango_mochi": partial(_buns, (252, 220, 130)),
    "lap_cheong": partial(_sausages, (166, 40, 38)),
    "spicy_sausage": partial(_sausages, (128, 34, 26)),
    "puffs": partial(_heap, (222, 164, 72), 7, 112, 100),
    "dates": partial(_heap, (150, 36, 28), 9, 108, 74, wrinkles=True),
    "longan": partial(_heap, (122, 66, 32), 9, 92, 80, wrinkles=True),
    "goji": partial(_heap, (222, 62, 40), 24, 58, 28),
    "pearls": partial(_heap, (56, 30, 24), 30, 54, 54),
    "peppercorns": partial(_heap, (158, 56, 40), 26, 52, 50, wrinkles=True),
    "mung_beans": partial(_heap, (106, 142, 58), 34, 54, 40),
    "red_beans": partial(_heap, (142, 30, 34), 34, 54, 40),
    "black_beans": partial(_heap, (40, 30, 34), 34, 54, 42),
    "millet": partial(_heap, (240, 200, 80), 70, 30, 28),
    "macadamias": partial(_heap, (240, 216, 166), 9, 96, 94),
    "almonds": partial(_heap, (176, 108, 58), 14, 86, 46, wrinkles=True),
    "cashews": partial(_heap, (238, 206, 148), 14, 92, 44),
    "fish_balls": partial(_heap, (246, 240, 226), 8, 116, 112),
    "beef_balls": partial(_heap, (150, 108, 84), 8, 116, 112),
    "seafood_balls": partial(_heap, (244, 150, 112), 8, 116, 112),
    "rice_balls": partial(_heap, (254, 252, 246), 8, 112, 108),
    "dried_shrimp": partial(_heap, (242, 132, 84), 16, 86, 34, wrinkles=True),
    "scallops": partial(_heap, (238, 196, 120), 10, 84, 62, wrinkles=True),
    "soy_beans": partial(_heap, (240, 208, 132), 16, 82, 72),
    "tapioca": partial(_heap, (250, 250, 250), 40, 44, 44),
    "sesame": partial(_heap, (242, 222, 170), 60, 36, 20),
    "cranberry": partial(_heap, (190, 26, 52), 12, 88, 84),
    "lychee": partial(_heap, (250, 232, 228), 7, 118, 112),
    "abalone": partial(_heap, (202, 146, 86), 6, 130, 88, wrinkles=True),
    "tofu": partial(_blocks, (252, 246, 228)),
    "dried_tofu": partial(_blocks, (152, 96, 58)),
}
