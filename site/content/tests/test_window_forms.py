"""Forms and lists of slides and areas offer colours and carousels by name, and the next place."""

import re

import pytest
from django.test import Client

from catalog.goods.tests.builders import make_product
from content.models import CarouselSlide, SpecialArea
from content.swatches import SLIDE_TONES, TINTS
from content.tests.builders import make_area, make_slide
from content.tests.forms import area_form, slide_form, url_of
from content.tests.staff import in_each_language
from core.tests.pages import html_of

# Markup of pages.
pytestmark = pytest.mark.django_db


def radios(page: str, name: str) -> dict[str, tuple[str, bool]]:
    """Return by value what each radio button is called, and whether it is chosen."""
    found = re.findall(
        rf'<input\s+type="radio"\s+name="{name}"\s+value="([^"]*)"\s+id="[^"]*"\s*(checked)?\s*>'
        r"\s*<svg.*?</svg>\s*<span[^>]*>([^<]*)</span>",
        page,
    )
    return {value: (label, bool(checked)) for value, checked, label in found}


def test_colours_are_chosen_by_named_swatches(editor: Client) -> None:
    names = {
        "en": ("leaf green", "own colour, #2040F0", "cobalt"),
        "zh-hans": ("叶绿", "自定颜色 #2040F0", "钴蓝"),
    }
    area = make_area(make_product(), tint="#2040F0")
    for language in in_each_language(editor):
        leaf, own, cobalt = names[language]
        new = radios(html_of(editor.get(url_of(SpecialArea))), "tint")
        assert list(new) == list(TINTS)
        assert new["#E6F4E1"] == (leaf, True)
        tints = radios(html_of(editor.get(url_of(area))), "tint")
        assert tints["#2040F0"] == (own, True)
        assert len(tints) == len(TINTS) + 1
        tones = radios(html_of(editor.get(url_of(CarouselSlide))), "tone")
        assert list(tones) == list(SLIDE_TONES)
        assert tones["cobalt"] == (cobalt, True)


def test_an_own_colour_stays_until_another_one_is_chosen(editor: Client) -> None:
    product = make_product()
    area = make_area(product, tint="#2040F0")
    for tint in ("#2040F0", "#DAE7FF"):
        assert editor.post(url_of(area), area_form(product.pk, tint=tint)).status_code == 302
        area.refresh_from_db()
        assert area.tint == tint


def test_a_new_slide_or_area_is_behind_the_last_one_and_an_edited_one_keeps_its_place(editor: Client) -> None:
    slide = make_slide(sort=3)
    make_slide(sort=6)
    make_slide(sort=40, carousel=7)
    make_area(make_product(), sort=11)
    for row, place in ((CarouselSlide, 7), (SpecialArea, 12), (slide, 3)):
        assert f'name="sort" value="{place}"' in html_of(editor.get(url_of(row)))


def test_carousels_have_names_in_form_list_and_filter(editor: Client) -> None:
    names = {
        "en": ("Home page, at the top", "Another place, carousel 57"),
        "zh-hans": ("首页顶部", "其他位置，轮播 57"),
    }
    make_slide(title_en="At home", title_zh="在首页")
    make_slide(title_en="Elsewhere", title_zh="别处", carousel=57)
    for language in in_each_language(editor):
        home, other = names[language]
        form = html_of(editor.get(url_of(CarouselSlide)))
        assert f'<option value="4" selected>{home}</option>' in form
        assert f'<option value="57">{other}</option>' in form
        listed = html_of(editor.get(url_of(CarouselSlide, "list")))
        assert re.search(rf"<td[^>]*>\s*{home}", listed)
        assert "Elsewhere" in listed
        filtered = html_of(editor.get(url_of(CarouselSlide, "list"), {"carousel": "57"}))
        assert "Elsewhere" in filtered
        assert "At home" not in filtered


def test_a_slide_is_published_in_another_carousel(editor: Client) -> None:
    assert editor.post(url_of(CarouselSlide), slide_form(carousel="7")).status_code == 302
    slide = CarouselSlide.objects.get()
    assert (slide.carousel, slide.live, slide.title_zh, slide.pictures.count()) == (7, True, "茶", 1)
