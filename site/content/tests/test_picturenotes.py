"""A saved draft shows what its pictures lack before it can be published."""

import re
from typing import Any

import pytest
from django.test import Client
from wagtail.test.utils.form_data import inline_formset, streamfield

from catalog.goods.tests.builders import make_product
from content.models import CarouselSlide, InformationPage, SpecialArea
from content.tests.builders import make_area, make_home
from content.tests.forms import area_form, draft, page_form, picture_row, slide_form, url_below, url_of
from content.tests.staff import in_each_language, set_language
from content.tests.test_slide_layout import make_photograph
from core.tests.pages import html_of
from core.tests.pictures import make_picture
from core.tests.rows import rolled_back

# Markup of pages.
pytestmark = pytest.mark.django_db


def saved(editor: Client, url: str, form: dict[str, Any]) -> str:
    """Save a draft; returns the page that follows."""
    return html_of(editor.post(url, draft(form), follow=True))


NOTES = {
    "en": ["its pictures need more:", "Picture 1: What it shows is not written yet: Chinese."],
    "zh-hans": ["发布之前，图片还需补充：", "第 1 张图片：尚未写明图片内容（中文）。"],
}


def test_a_draft_of_a_slide_shows_which_picture_lacks_its_text_in_which_language(editor: Client) -> None:
    rows = [picture_row(alt_zh=""), picture_row(), picture_row(alt_en="", alt_zh="", decorative="on")]
    form = slide_form(pictures=inline_formset(rows))
    for language in in_each_language(editor):
        with rolled_back():
            page = saved(editor, url_of(CarouselSlide), form)
            assert all(note in page for note in NOTES[language])
            assert {"en": "Picture 2", "zh-hans": "第 2 张图片"}[language] not in page


def test_a_draft_with_a_picture_of_an_odd_shape_shows_it(editor: Client) -> None:
    strip = str(make_photograph(1200, 10).pk)
    slide = slide_form(pictures=inline_formset([picture_row(picture=strip)]))
    area = area_form(make_product().pk, picture=strip)
    for model, form in ((CarouselSlide, slide), (SpecialArea, area)):
        assert "it would be a thin strip" in saved(editor, url_of(model), form)


def test_a_draft_of_a_page_shows_which_picture_lacks_its_text(editor: Client) -> None:
    texts = {
        "en": "Picture 1: What it shows is not written yet: English.",
        "zh-hans": "第 1 张图片：尚未写明图片内容（英文）。",
    }
    url = url_below(make_home())
    picture = {"image": str(make_picture().pk), "alt_text": "", "decorative": ""}
    form = page_form(body=streamfield([("picture", picture)]))
    for language in in_each_language(editor):
        with rolled_back():
            assert texts[language] in saved(editor, url, form)
            assert InformationPage.objects.filter(slug="news", live=False).exists()


def test_an_autosave_and_what_lacks_nothing_show_nothing(editor: Client) -> None:
    autosave = {"Accept": "application/json"}
    half = draft(slide_form(pictures=inline_formset([picture_row(alt_zh="")])))
    assert editor.post(url_of(CarouselSlide), half, headers=autosave).json()["success"]
    assert "need more" not in html_of(editor.get(url_of(SpecialArea)))
    assert "need more" not in saved(editor, url_of(SpecialArea), area_form(make_product().pk))


def test_lists_show_yes_and_no(editor: Client) -> None:
    for checked in (True, False):
        make_area(make_product(), checked=checked)
    for language, yes, no in (("en", "Yes", "No"), ("zh-hans", "是", "否")):
        set_language(editor, language)
        areas = html_of(editor.get(url_of(SpecialArea, "list")))
        for word in (yes, no):
            assert re.search(rf"<td\s*>\s*{word}\s*</td>", areas)
        assert not re.search(r">\s*True\s*</td>", areas)
