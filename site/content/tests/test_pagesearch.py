"""Editors find pages by the titles in both languages, also by pinyin, wherever they look for one."""

import pytest
from django.test import Client

from content.models import InformationPage
from core.languages import CHINESE, ENGLISH
from core.tests.pages import html_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]


def test_the_lists_and_the_chooser_find_a_page_in_both_languages(
    writer: Client, subtests: pytest.Subtests
) -> None:
    for path in ("/admin/choose-page/search/", "/admin/pages/search/", "/admin/pages/search/results/"):
        for word in ("deliv", "pick-up delivery", "配送", "peisong", "PeiSong"):
            with subtests.test(path=path, word=word):
                html = html_of(writer.get(path, {"q": word}))
                assert "Delivery and pick-up" in html
                assert "配送与自提" in html
                assert "Privacy policy" not in html


def test_the_list_below_a_page_finds_only_what_is_below_it(writer: Client) -> None:
    above = InformationPage.objects.get(slug="about-us", locale__language_code=CHINESE)
    html = html_of(writer.get(f"/admin/pages/{above.pk}/results/", {"q": "delivery"}))
    assert "配送与自提" in html
    assert "Delivery and pick-up" not in html


def test_the_title_that_begins_with_the_word_comes_first(writer: Client) -> None:
    home = InformationPage.objects.get(slug="about-us", locale__language_code=ENGLISH)
    home.add_child(instance=InformationPage(title="Help with payment", slug="help-pay", locale=home.locale))
    html = html_of(writer.get("/admin/choose-page/search/", {"q": "payment"}))
    assert html.index("Payment and refunds") < html.index("Help with payment")


def test_what_no_page_is_called_finds_none(writer: Client, subtests: pytest.Subtests) -> None:
    for path in ("/admin/choose-page/search/", "/admin/pages/search/results/"):
        for word in ("zebra", "“delivery", "%", "published:yes zebra"):
            with subtests.test(path=path, word=word):
                answer = writer.get(path, {"q": word})
                assert answer.status_code == 200
                assert "Delivery and pick-up" not in html_of(answer)


def test_a_filter_in_the_word_still_works(writer: Client) -> None:
    html = html_of(writer.get("/admin/pages/search/results/", {"q": "published:yes peisong"}))
    assert "Delivery and pick-up" in html
