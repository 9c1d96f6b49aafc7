"""A saved draft shows what its pictures lack before it can be published."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from wagtail.test.utils.form_data import inline_formset, nested_form_data, streamfield

from catalog.goods.tests.builders import make_product
from content.models import CarouselSlide, InformationPage, SpecialArea
from content.tests.builders import make_area, make_home
from content.tests.staff import set_language
from content.tests.test_areas import area_form, picture_row, slide_form
from content.tests.test_slide_layout import make_photograph
from core.tests.pages import html_of
from core.tests.pictures import make_picture

# Markup of pages.
pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    reverse("wagtailadmin_home")
    return client


def saved(editor: Client, url: str, form: dict[str, Any]) -> str:
    """Save a draft; returns the page that follows."""
    form = {name: value for name, value in form.items() if name != "action-publish"}
    return html_of(editor.post(url, form, follow=True))


def add_url(model: Any) -> str:
    return reverse(model.snippet_viewset.get_url_name("add"))


NOTES = {
    "en": ["its pictures need more:", "Picture 1: What it shows is not written yet: Chinese."],
    "zh-hans": ["发布之前，图片还需补充：", "第 1 张图片：尚未写明图片内容（中文）。"],
}


@pytest.mark.parametrize("language", NOTES)
def test_a_draft_of_a_slide_shows_which_picture_lacks_its_text_in_which_language(
    editor: Client, language: str
) -> None:
    set_language(editor, language)
    rows = [picture_row(alt_zh=""), picture_row(), picture_row(alt_en="", alt_zh="", decorative="on")]
    page = saved(editor, add_url(CarouselSlide), slide_form(pictures=inline_formset(rows)))
    assert all(note in page for note in NOTES[language])
    assert {"en": "Picture 2", "zh-hans": "第 2 张图片"}[language] not in page


def test_a_draft_with_a_picture_of_an_odd_shape_shows_it(editor: Client) -> None:
    strip = str(make_photograph(1200, 10).pk)
    slide = slide_form(pictures=inline_formset([picture_row(picture=strip)]))
    area = area_form(make_product().pk, picture=strip)
    for model, form in ((CarouselSlide, slide), (SpecialArea, area)):
        assert "it would be a thin strip" in saved(editor, add_url(model), form)


@pytest.mark.parametrize("language", NOTES)
def test_a_draft_of_a_page_shows_which_picture_lacks_its_text(editor: Client, language: str) -> None:
    set_language(editor, language)
    url = reverse("wagtailadmin_pages:add", args=("content", "informationpage", make_home().pk))
    picture = {"image": str(make_picture().pk), "alt_text": "", "decorative": ""}
    form = {"title": "News", "slug": "news", "intro": "", "body": streamfield([("picture", picture)])}
    page = saved(editor, url, nested_form_data(form))
    assert {
        "en": "Picture 1: What it shows is not written yet: English.",
        "zh-hans": "第 1 张图片：尚未写明图片内容（英文）。",
    }[language] in page
    assert InformationPage.objects.filter(slug="news", live=False).exists()


def test_an_autosave_and_what_lacks_nothing_show_nothing(editor: Client) -> None:
    autosave = {"Accept": "application/json"}
    half = slide_form(pictures=inline_formset([picture_row(alt_zh="")]))
    del half["action-publish"]
    assert editor.post(add_url(CarouselSlide), half, headers=autosave).json()["success"]
    assert "need more" not in html_of(editor.get(add_url(SpecialArea)))
    assert "need more" not in saved(editor, add_url(SpecialArea), area_form(make_product().pk))


def test_lists_show_yes_and_no(editor: Client) -> None:
    for checked in (True, False):
        make_area(make_product(), checked=checked)
    for language, yes, no in (("en", "Yes", "No"), ("zh-hans", "是", "否")):
        set_language(editor, language)
        areas = html_of(editor.get(reverse(SpecialArea.snippet_viewset.get_url_name("list"))))
        for word in (yes, no):
            assert re.search(rf"<td\s*>\s*{word}\s*</td>", areas)
        assert not re.search(r">\s*True\s*</td>", areas)
