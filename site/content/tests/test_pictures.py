"""Editors find pictures by what they show, and those that lack a description."""

import pytest
from django.test import Client

from catalog.goods.models import ProductPicture
from catalog.goods.tests.builders import make_brand, make_category, make_product
from core.tests.pages import html_of
from core.tests.pictures import make_picture

pytestmark = pytest.mark.django_db

LISTS = ("/admin/images/", "/admin/images/results/", "/admin/images/chooser/results/")


def test_a_picture_is_found_by_what_it_shows_in_both_languages(
    writer: Client, subtests: pytest.Subtests
) -> None:
    names = {"name_en": "Choy Sum", "name_zh": "菜心"}
    product = make_product(picture=make_picture(title="front"), **names)
    ProductPicture.objects.create(product=product, picture=make_picture(title="behind"))
    make_brand(picture=make_picture(title="logo"), **names)
    make_category(picture=make_picture(title="shelf"), **names)
    make_product(picture=make_picture(title="honey"))
    for path in LISTS:
        for word in ("choy", "菜心", "caixin"):
            with subtests.test(path=path, word=word):
                html = html_of(writer.get(path, {"q": word}))
                assert [each for each in ("front", "behind", "logo", "shelf") if each not in html] == []
                assert "honey" not in html


def test_a_picture_is_found_by_its_own_texts_and_by_whether_it_is_described(writer: Client) -> None:
    make_picture(title="lantern", description="a red lamp")
    make_picture(title="honey")
    for query, wanted, other in (
        ({"q": "lant"}, "lantern", "honey"),
        ({"q": "lamp"}, "lantern", "honey"),
        ({"described": "yes"}, "lantern", "honey"),
        ({"described": "no"}, "honey", "lantern"),
    ):
        html = html_of(writer.get("/admin/images/results/", query))
        assert wanted in html
        assert other not in html


def test_pictures_of_a_tag_can_be_searched_as_well(writer: Client) -> None:
    make_picture(title="green tea").tags.add("leaf")
    make_picture(title="iced tea")
    for path in ("/admin/images/results/", "/admin/images/chooser/results/"):
        html = html_of(writer.get(path, {"q": "tea", "tag": "leaf"}))
        assert "green tea" in html
        assert "iced tea" not in html
