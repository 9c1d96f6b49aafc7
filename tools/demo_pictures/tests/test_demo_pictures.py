"""The demonstration's pictures: each product's own, each label with all of its words."""

import io
from functools import cache
from itertools import chain

import pytest
from PIL import Image

from tests.combinations import choose
from tools.demo_pictures import labels
from tools.demo_pictures.files import LENGTH, PICTURES, all_names, products_shown, write
from tools.demo_pictures.flat_packs import FLATS
from tools.demo_pictures.looks import CONTENTS, PALETTE, PILES, looks, rows, words_of
from tools.demo_pictures.motifs import DRAWN, FOLDER, RECOLOURED
from tools.demo_pictures.round_packs import ROUNDS

# How units are packed; a product of any other unit may have any pack.
PACKS_OF_UNIT = {
    "tin": {"tin", "canister"},
    "can": {"can", "flatcan", "drinkcan", "canister"},
    "jar": {"jar", "pot", "spice"},
    "tube": {"tube", "sachet"},
    "cup": {"cup"},
    "bowl": {"bowl"},
    "bottle": {"bottle", "oil", "drink", "pump", "squeeze", "cosmetic", "pills"},
}
MAX_BYTES = 16 * 1024
MAX_ALL_BYTES = 3_200_000


@cache
def _products() -> dict[str, dict[str, str]]:
    return {row["goods_id"]: row for row in rows("goods")}


def test_every_product_has_a_picture_of_its_own_kind() -> None:
    assert list(looks()) == list(_products())
    fresh = {"still", "pile"}
    for pk, look in looks().items():
        product = _products()[pk]
        assert product["picture"] == f"{pk}.avif"
        assert look.shape in ROUNDS.keys() | FLATS.keys() | fresh | {"tube"}, pk
        known = (FOLDER / f"{look.motif}.webp").is_file() or look.motif in DRAWN or look.motif in RECOLOURED
        assert known or look.motif == "kangaroo_tote", pk
        assert look.content in CONTENTS, pk
        assert not look.colour or look.colour in PALETTE, pk
        assert look.shape != "pile" or look.count in PILES, pk
        allowed = PACKS_OF_UNIT.get(product["unit_en"])
        assert allowed is None or look.shape in allowed, (pk, look.shape, product["unit_en"])
        # Brands have packs with their names; only what grows, swims or is worn is shown as it is.
        if look.shape in fresh:
            tops = {"1", "2", "5", "9", "11", "14", "15", "20"}
            assert product["first_classify_id"] in tops, pk


def test_every_picture_that_the_tables_name_is_there_and_small() -> None:
    names = set(all_names())
    assert {path.name for path in PICTURES.iterdir()} == names
    sizes = {path.name: path.stat().st_size for path in PICTURES.iterdir()}
    assert max(sizes.values()) <= MAX_BYTES
    assert sum(sizes.values()) <= MAX_ALL_BYTES


def test_motifs_that_nothing_shows_go_away() -> None:
    shown = {look.motif for look in looks().values()} | {RECOLOURED[name][0] for name in RECOLOURED}
    galleries = {name for row in rows("goods") for name in row["gallery"].split("|")}
    shown |= {name.removesuffix(".avif") for name in galleries} | {"kangaroo"}
    assert {path.stem for path in FOLDER.iterdir()} <= shown


def test_drawing_again_gives_the_same_picture() -> None:
    assert write("40402.avif") == write("40402.avif")


@pytest.mark.parametrize("name", ["40402.avif", "category-403.avif"])
def test_a_picture_shows_what_the_tables_show_now(name: str) -> None:
    drawn, kept = (Image.open(io.BytesIO(data)) for data in (write(name), (PICTURES / name).read_bytes()))
    assert kept.size == drawn.size
    assert max(kept.size) <= LENGTH
    pairs = zip(_small(kept), _small(drawn), strict=True)
    # Other versions of the encoder give other bytes, not another picture.
    assert max(abs(one - other) for one, other in pairs) < 40


def _small(picture: Image.Image) -> bytes:
    return picture.convert("RGBA").resize((32, 32)).tobytes()


def test_a_category_shows_products_of_its_own() -> None:
    for category in rows("categories"):
        shown = products_shown(category["classify_id"])
        assert shown, category["name_en"]
        for product in shown:
            assert category["classify_id"] in (product["classify_id"], product["first_classify_id"])


def test_a_label_names_the_brand_once_and_keeps_both_names() -> None:
    words = words_of(_products()["40402"])
    assert words == labels.Words("Lee Kum Kee 李锦记", "潮州辣椒油", "Chiu Chow Chilli Oil", "170 mL")
    assert words_of(_products()["60103"]).chinese == "好丽友派"


@pytest.mark.parametrize(
    "text", ["新" * 100, "Follow-on " * 20, "Incomprehensibilities" * 9, "a2至初 白金较大婴儿奶粉2段"]
)
def test_a_name_that_is_too_long_still_fits_its_label(text: str) -> None:
    for bold in (True, False):
        setting = labels.fit(text, 180, 90, largest=60, bold=bold)
        assert setting.height <= 90
        assert all(labels.width_of(line, setting.size, bold=bold) <= 180 for line in setting.lines)
        assert setting.size >= labels.MIN_SIZE


def test_all_words_of_every_label_fit_without_being_cut() -> None:
    products = list(_products().values())
    # A quarter of the products, or all with ALL_COMBINATIONS.
    for product in chain(*choose("labels", [products[place::4] for place in range(4)])):
        words = words_of(product)
        for text, height in ((words.chinese, 110), (words.english, 100), (words.brand, 70)):
            lines = labels.fit(text, 190, height, largest=60, bold=True).lines
            assert not lines[-1].endswith("…"), text


def test_a_card_shows_each_picture_in_at_most_twelve_kilobytes() -> None:
    heaviest = sorted(PICTURES.iterdir(), key=lambda path: path.stat().st_size)[-20:]
    for path in (each for each in heaviest if each.stem.isdecimal()):
        with Image.open(path) as file:
            card = file.convert("RGBA").resize((256, 256), Image.Resampling.LANCZOS)
        made = io.BytesIO()
        # As Wagtail makes what browsers choose first.
        card.save(made, "AVIF", quality=61)
        assert len(made.getvalue()) <= 12 * 1024, path.name
