"""What is in packs: meat, fish, soy, dried and frozen food."""

from collections.abc import Callable
from math import cos, pi, sin

from PIL import Image

from tools.demo_pictures import canvas
from tools.demo_pictures.canvas import WHITE, Colour, Point, mix
from tools.demo_pictures.outlines import ring, turned

Picture = Image.Image


def _poultry(ink: Colour) -> Picture:
    picture = canvas.blank()
    for sign in (-1, 1):
        leg = turned(
            [
                (320 + sign * 90, 330),
                (320 + sign * 200, 360),
                (320 + sign * 190, 500),
                (320 + sign * 70, 520),
            ],
            (320, 330),
            0,
        )
        canvas.solid(picture, canvas.polygon(leg, 50), mix(ink, (90, 50, 40), 0.06), soft=40)
        bone = canvas.stroke([(320 + sign * 110, 500), (320 + sign * 60, 604)], 34)
        canvas.solid(picture, bone, mix(ink, WHITE, 0.2), soft=14)
        wing = turned(ring((320 + sign * 226, 250), 46, 110), (320 + sign * 226, 250), sign * -16)
        canvas.solid(picture, canvas.polygon(wing, 12), mix(ink, (90, 50, 40), 0.05), soft=26)
    canvas.solid(
        picture,
        canvas.polygon(
            [(240, 60), (400, 60), (520, 200), (530, 400), (420, 540), (220, 540), (110, 400), (120, 200)], 90
        ),
        ink,
        soft=70,
    )
    canvas.paint(picture, canvas.stroke([(320, 130), (320, 440)], 6), mix(ink, (90, 50, 40), 0.5), 0.5)
    return picture


def slabs(meat: Colour, fat: Colour, *, layers: bool) -> Picture:
    """Return cuts of meat, with layers of fat or marbled."""
    picture = canvas.blank()
    for x, y, degrees in ((220, 240, -10), (410, 400, -10)):
        middle: Point = (x, y)
        outline = turned(
            [(x - 190, y - 120), (x + 170, y - 130), (x + 200, y + 90), (x - 160, y + 130)], middle, degrees
        )
        body = canvas.polygon(outline, 34)
        canvas.solid(picture, body, meat, soft=34)
        for step in range(-2, 3):
            if layers:
                line = [(x - 230 + t * 23, y + step * 56 + 10 * sin(t * 0.9 + step)) for t in range(21)]
                canvas.paint(
                    picture,
                    canvas.both(body, canvas.stroke(turned(line, middle, degrees), 20 if step != -2 else 44)),
                    fat,
                    0.92,
                )
            else:
                line = [(x - 150 + t * 30, y + step * 46 + 16 * sin(t * 1.4 + step * 2)) for t in range(11)]
                canvas.paint(
                    picture, canvas.both(body, canvas.stroke(turned(line, middle, degrees), 7)), fat, 0.75
                )
        canvas.light_up(picture, body, meat, deep=0.4, soft=34)
    return picture


def mince(ink: Colour) -> Picture:
    """Return minced meat."""
    picture = canvas.blank()
    for step in range(46):
        reach = (step / 46) ** 0.5
        x, y = 320 + 230 * reach * sin(step * 2.4), 330 + 190 * reach * cos(step * 2.4)
        line = [(x - 50 + t * 14, y + 18 * sin(t * 0.9 + step)) for t in range(8)]
        tone = mix(ink, WHITE, 0.2 if step % 3 else 0.5)
        canvas.solid(picture, canvas.stroke(line, 26), tone, soft=10)
    return picture


def fillet(ink: Colour, line_ink: Colour) -> Picture:
    """Return fillets of fish."""
    picture = canvas.blank()
    for x, y in ((300, 210), (340, 430)):
        body = canvas.polygon(
            turned(
                [
                    (x - 270, y),
                    (x - 150, y - 90),
                    (x + 80, y - 96),
                    (x + 270, y - 30),
                    (x + 250, y + 40),
                    (x + 60, y + 90),
                    (x - 160, y + 84),
                ],
                (x, y),
                -8,
            ),
            30,
        )
        canvas.solid(picture, body, ink, soft=34)
        for step in range(-5, 6):
            chevron = [(x + step * 46 - 20, y - 110), (x + step * 46 + 16, y), (x + step * 46 - 20, y + 110)]
            canvas.paint(
                picture, canvas.both(body, canvas.stroke(turned(chevron, (x, y), -8), 7)), line_ink, 0.75
            )
    return picture


def tofu() -> Picture:
    return _blocks((252, 246, 228), 0.0)


def dried_tofu() -> Picture:
    return _blocks((152, 96, 58), 0.0)


def _blocks(ink: Colour, shift: float) -> Picture:
    picture = canvas.blank()
    for x, y in ((320, 160), (180, 330), (440, 340)):
        top = [(x - 130, y), (x, y - 66), (x + 130, y), (x, y + 66)]
        left = [(x - 130, y), (x, y + 66), (x, y + 220), (x - 130, y + 150)]
        right = [(x + 130, y), (x, y + 66), (x, y + 220), (x + 130, y + 150)]
        canvas.paint(picture, canvas.polygon(left, 6), mix(ink, (120, 80, 50), 0.16))
        canvas.paint(picture, canvas.polygon(right, 6), mix(ink, (120, 80, 50), 0.30))
        canvas.paint(picture, canvas.polygon(top, 6), mix(ink, WHITE, 0.3))
    return picture


def puffs() -> Picture:
    return _heap((222, 164, 72), 7, 112, 100)


def dates() -> Picture:
    return _heap((150, 36, 28), 9, 108, 74, wrinkles=True)


def longan() -> Picture:
    return _heap((122, 66, 32), 9, 92, 80, wrinkles=True)


def goji() -> Picture:
    return _heap((222, 62, 40), 24, 58, 28)


def pearls() -> Picture:
    return _heap((56, 30, 24), 30, 54, 54)


def peppercorns() -> Picture:
    return _heap((158, 56, 40), 26, 52, 50, wrinkles=True)


def mung_beans() -> Picture:
    return _heap((106, 142, 58), 34, 54, 40)


def red_beans() -> Picture:
    return _heap((142, 30, 34), 34, 54, 40)


def black_beans() -> Picture:
    return _heap((40, 30, 34), 34, 54, 42)


def millet() -> Picture:
    return _heap((240, 200, 80), 70, 30, 28)


def macadamias() -> Picture:
    return _heap((240, 216, 166), 9, 96, 94)


def almonds() -> Picture:
    return _heap((176, 108, 58), 14, 86, 46, wrinkles=True)


def cashews() -> Picture:
    return _heap((238, 206, 148), 14, 92, 44)


def fish_balls() -> Picture:
    return _heap((246, 240, 226), 8, 116, 112)


def beef_balls() -> Picture:
    return _heap((150, 108, 84), 8, 116, 112)


def seafood_balls() -> Picture:
    return _heap((244, 150, 112), 8, 116, 112)


def rice_balls() -> Picture:
    return _heap((254, 252, 246), 8, 112, 108)


def dried_shrimp() -> Picture:
    return _heap((242, 132, 84), 16, 86, 34, wrinkles=True)


def scallops() -> Picture:
    return _heap((238, 196, 120), 10, 84, 62, wrinkles=True)


def rock_sugar() -> Picture:
    picture = canvas.blank()
    for step in range(22):
        reach = (step / 22) ** 0.5
        x, y = 320 + 220 * reach * sin(step * 2.4), 340 + 190 * reach * cos(step * 2.4)
        canvas.solid(
            picture,
            canvas.polygon(
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


def soy_beans() -> Picture:
    return _heap((240, 208, 132), 16, 82, 72)


def tapioca() -> Picture:
    return _heap((250, 250, 250), 40, 44, 44)


def sesame() -> Picture:
    return _heap((242, 222, 170), 60, 36, 20)


def cranberry() -> Picture:
    return _heap((190, 26, 52), 12, 88, 84)


def lychee() -> Picture:
    return _heap((250, 232, 228), 7, 118, 112)


def abalone() -> Picture:
    return _heap((202, 146, 86), 6, 130, 88, wrinkles=True)


def papaw() -> Picture:
    """Return half a papaw."""
    picture = canvas.blank()
    for reach, ink in ((1.0, (226, 168, 50)), (0.92, (248, 140, 60)), (0.5, (216, 96, 40))):
        outline = turned(ring((320, 320), 300 * reach, 190 * reach), (320, 320), -34)
        canvas.solid(picture, canvas.polygon(outline, 4), ink, deep=0.7, soft=24)
    for step in range(22):
        reach = ((step + 0.5) / 22) ** 0.5
        x, y = turned(
            [(320 + 116 * reach * sin(step * 2.4), 320 + 64 * reach * cos(step * 2.4))], (320, 320), -34
        )[0]
        canvas.solid(picture, canvas.oval((x - 15, y - 15, x + 15, y + 15)), (44, 34, 40), soft=7)
    return picture


def duck_egg() -> Picture:
    """Return a duck's egg."""
    picture = canvas.blank()
    outline = [
        (320 + 200 * sin(t * pi / 30) * (1 + 0.14 * cos(t * pi / 30 + pi)), 320 - 280 * cos(t * pi / 30))
        for t in range(60)
    ]
    canvas.solid(picture, canvas.polygon(outline, 4), (196, 220, 216), soft=66)
    return picture


def _heap(ink: Colour, count: int, wide: float, high: float, *, wrinkles: bool = False) -> Picture:
    picture = canvas.blank()
    order = sorted(range(count), key=lambda step: cos(step * 2.4) * (step / count) ** 0.5)
    for step in order:
        reach = ((step + 0.5) / count) ** 0.5
        x, y = 320 + (310 - wide) * reach * sin(step * 2.4), 340 + (280 - high) * reach * cos(step * 2.4)
        body = canvas.polygon(turned(ring((x, y), wide, high), (x, y), step * 67 % 180), 2)
        tone = mix(ink, WHITE if step % 2 else (30, 10, 10), 0.07)
        canvas.solid(picture, body, tone, soft=max(7.0, high * 0.45))
        if wrinkles:
            line = turned(
                [(x - wide * 0.6, y - high * 0.1), (x, y + high * 0.2), (x + wide * 0.6, y - high * 0.05)],
                (x, y),
                step * 67 % 180,
            )
            canvas.paint(picture, canvas.both(body, canvas.stroke(line, 5)), (40, 14, 10), 0.4)
    return picture


def star_anise() -> Picture:
    picture = canvas.blank()
    for x, y, size in ((230, 230, 200), (420, 430, 180)):
        for step in range(8):
            petal = turned(ring((x, y - size * 0.58), size * 0.15, size * 0.44), (x, y), step * 45)
            canvas.solid(picture, canvas.polygon(petal, 4), (138, 72, 34), soft=14)
            seed = turned([(x, y - size * 0.62)], (x, y), step * 45)[0]
            canvas.solid(
                picture,
                canvas.oval((seed[0] - 14, seed[1] - 14, seed[0] + 14, seed[1] + 14)),
                (206, 138, 70),
                soft=7,
            )
    return picture


def fungus(ink: Colour) -> Picture:
    """Return dried fungus with curly edges."""
    picture = canvas.blank()
    for x, y, size, waves in ((220, 250, 190, 7), (430, 240, 160, 6), (340, 440, 200, 8)):
        for share in (1.0, 0.72, 0.42):
            outline = ring((x, y + (1 - share) * 20), size * share, size * share * 0.86, 80, 0.09, waves)
            canvas.solid(picture, canvas.polygon(outline, 8), mix(ink, WHITE, 0.10 * (1 - share)), soft=24)
    return picture


def nori() -> Picture:
    picture = canvas.blank()
    for shift in (60, 30, 0):
        x, y = 40 + shift, 120 - shift
        sheet = canvas.polygon([(x, y + 60), (x + 470, y), (x + 500, y + 400), (x + 30, y + 460)], 6)
        canvas.solid(picture, sheet, (34, 62, 46), deep=0.7, soft=14)
        for step in range(1, 7):
            canvas.paint(
                picture,
                canvas.both(sheet, canvas.stroke([(x + step * 72, y), (x + step * 72 + 30, y + 470)], 3)),
                (90, 130, 96),
                0.4,
            )
    return picture


def sticks(ink: Colour, *, thin: float, count: int, tip: Colour | None = None) -> Picture:
    """Return a bundle of sticks: noodles, bean curd, chocolate sticks."""
    picture = canvas.blank()
    for place in range(count):
        share = place / (count - 1) - 0.5
        low, high = (320 + share * 300, 606.0), (320 + share * 520, 40 + 60 * share * share * 4)
        canvas.solid(
            picture,
            canvas.stroke([low, high], thin),
            mix(ink, (60, 30, 10), 0.1 * (place % 3)),
            soft=thin * 0.5,
        )
        if tip:
            part = (low[0] + (high[0] - low[0]) * 0.3, low[1] + (high[1] - low[1]) * 0.3)
            canvas.solid(picture, canvas.stroke([part, high], thin * 1.35), tip, soft=thin * 0.5)
    return picture


def sheets(ink: Colour) -> Picture:
    """Return round flat sheets: pancakes, bean curd skin, rice paper."""
    picture = canvas.blank()
    for y in (420, 370, 320):
        disc = canvas.oval((40, y - 180, 600, y + 180))
        canvas.solid(picture, disc, ink, soft=16)
        for step in range(22):
            x, v = (
                320 + 230 * sin(step * 2.4) * (step / 22) ** 0.5,
                y + 140 * cos(step * 2.4) * (step / 22) ** 0.5,
            )
            canvas.paint(
                picture,
                canvas.both(disc, canvas.oval((x - 22, v - 11, x + 22, v + 11))),
                mix(ink, (130, 70, 20), 0.4),
                0.5,
            )
    return picture


def buns(ink: Colour, filling: Colour | None = None) -> Picture:
    """Return steamed buns, open at the top if their filling shows."""
    picture = canvas.blank()
    for x, y in ((320, 210), (190, 400), (450, 400)):
        canvas.solid(picture, canvas.polygon(ring((x, y), 160, 124), 4), ink, soft=48)
        if filling:
            canvas.solid(picture, canvas.polygon(ring((x, y - 50), 62, 34, 40, 0.16, 5), 6), filling, soft=12)
        else:
            for degrees in range(0, 180, 36):
                fold = turned([(x - 50, y - 58), (x, y - 66), (x + 50, y - 58)], (x, y - 64), degrees)
                canvas.paint(picture, canvas.stroke(fold, 4), mix(ink, (120, 90, 60), 0.5), 0.5)
    return picture


def cubes(ink: Colour) -> Picture:
    """Return cubes of fruit."""
    return _blocks(ink, 0)


def sausages(ink: Colour) -> Picture:
    picture = canvas.blank()
    for shift in (-130, 0, 130):
        path = [(80 + t * 48, 330 + shift + 70 * sin(pi * t / 10) - 34) for t in range(11)]
        body = canvas.stroke(path, 92)
        canvas.solid(picture, body, ink, soft=30)
        for t in range(22):
            x, y = 90 + t * 22, 330 + shift + 60 * sin(pi * t / 21) - 34 + 26 * sin(t * 2.9)
            canvas.paint(
                picture, canvas.both(body, canvas.oval((x - 9, y - 7, x + 9, y + 7))), (250, 214, 196), 0.65
            )
    return picture


def century_egg() -> Picture:
    picture = canvas.blank()
    canvas.solid(picture, canvas.polygon(ring((230, 250), 170, 210), 4), (150, 170, 160), soft=50)
    canvas.solid(
        picture, canvas.polygon(turned(ring((410, 420), 210, 170), (410, 420), -10), 4), (74, 44, 30), soft=30
    )
    canvas.solid(picture, canvas.oval((310, 330, 500, 500)), (64, 84, 76), deep=0.7, soft=24)
    canvas.solid(picture, canvas.oval((360, 376, 450, 456)), (40, 54, 52), deep=0.7, soft=14)
    return picture


LARDER: dict[str, Callable[[], Picture]] = {
    "chicken_whole": lambda: _poultry((250, 216, 170)),
    "silkie": lambda: _poultry((84, 78, 92)),
    "duck_whole": lambda: _poultry((244, 204, 160)),
    "pork_belly": lambda: slabs((226, 116, 112), (255, 240, 232), layers=True),
    "cured_pork": lambda: slabs((142, 52, 40), (240, 204, 160), layers=True),
    "beef_cut": lambda: slabs((176, 44, 48), (250, 220, 212), layers=False),
    "lamb_cut": lambda: slabs((196, 70, 76), (252, 232, 226), layers=True),
    "pork_mince": lambda: mince((232, 140, 130)),
    "salmon": lambda: fillet((246, 128, 82), (255, 214, 190)),
    "white_fillet": lambda: fillet((248, 236, 226), (230, 200, 186)),
    "wood_ear": lambda: fungus((58, 44, 42)),
    "snow_fungus": lambda: fungus((248, 240, 214)),
    "bean_curd": lambda: sticks((232, 196, 120), thin=44, count=9),
    "wheat_noodles": lambda: sticks((246, 226, 170), thin=14, count=26),
    "glass_noodles": lambda: sticks((232, 236, 238), thin=12, count=28),
    "wide_noodles": lambda: sticks((170, 130, 104), thin=38, count=11),
    "soba": lambda: sticks((166, 138, 112), thin=14, count=26),
    "rice_cakes": lambda: sticks((252, 248, 238), thin=62, count=7),
    "crab_sticks": lambda: sticks((252, 246, 240), thin=56, count=7, tip=(236, 86, 64)),
    "choco_sticks": lambda: sticks((228, 178, 104), thin=20, count=13, tip=(96, 50, 30)),
    "matcha_sticks": lambda: sticks((228, 178, 104), thin=20, count=13, tip=(138, 166, 74)),
    "salad_sticks": lambda: sticks((222, 164, 84), thin=20, count=13),
    "flatbread": lambda: sheets((244, 216, 158)),
    "tofu_skin": lambda: sheets((250, 236, 196)),
    "rice_paper": lambda: sheets((246, 244, 236)),
    "pork_buns": lambda: buns((254, 250, 242), (170, 58, 34)),
    "mantou": lambda: buns((254, 250, 240)),
    "custard_buns": lambda: buns((254, 248, 236), (246, 190, 50)),
    "siu_mai": lambda: buns((246, 214, 110), (240, 130, 90)),
    "choco_pie": lambda: sheets((92, 50, 32)),
    "liquorice": lambda: sticks((44, 38, 44), thin=54, count=7),
    "sugar_cane": lambda: sticks((160, 178, 84), thin=56, count=7),
    "mustard": lambda: mince((128, 146, 50)),
    "wasabi": lambda: mince((112, 172, 66)),
    "kelp": lambda: fungus((58, 92, 58)),
    "grass_jelly": lambda: cubes((60, 50, 56)),
    "mango_cubes": lambda: cubes((250, 186, 48)),
    "mochi": lambda: buns((250, 224, 226)),
    "mango_mochi": lambda: buns((252, 220, 130)),
    "lap_cheong": lambda: sausages((166, 40, 38)),
    "spicy_sausage": lambda: sausages((128, 34, 26)),
} | {
    function.__name__: function
    for function in (
        tofu,
        dried_tofu,
        puffs,
        dates,
        longan,
        goji,
        pearls,
        peppercorns,
        mung_beans,
        red_beans,
        black_beans,
        millet,
        macadamias,
        almonds,
        cashews,
        fish_balls,
        beef_balls,
        seafood_balls,
        rice_balls,
        dried_shrimp,
        scallops,
        rock_sugar,
        star_anise,
        nori,
        century_egg,
        soy_beans,
        tapioca,
        sesame,
        cranberry,
        lychee,
        abalone,
        papaw,
        duck_egg,
    )
}
