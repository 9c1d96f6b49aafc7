"""A page that moves is still found at its old URL, in both languages."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.contrib.auth.models import User
from django.test import Client
from wagtail.contrib.redirects.models import Redirect
from wagtail.models import Page

from content.models import InformationPage
from content.tests.forms import page_form, url_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_content")]

Captures = Callable[..., AbstractContextManager[object]]


@pytest.fixture
def editor(client: Client, django_capture_on_commit_callbacks: Captures) -> Callable[..., int]:
    """Publish a page with another slug by its form: `editor(page, "slug")`."""
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))

    def publish(page: Page, slug: str) -> int:
        with django_capture_on_commit_callbacks(execute=True):
            return int(client.post(url_of(page), page_form(title=page.title, slug=slug)).status_code)

    return publish


def english(slug: str) -> InformationPage:
    page: InformationPage = InformationPage.objects.get(slug=slug, locale__language_code="en")
    return page


def leads(path: str) -> tuple[int, str]:
    response = Client().get(path)
    return response.status_code, response.get("Location", "")


def test_the_old_url_redirects_to_the_new_one_in_both_languages(editor: Callable[..., int]) -> None:
    assert editor(english("help"), "questions") == 302
    for prefix in ("", "/zh-hans"):
        old, new = f"{prefix}/home/about-us/help", f"{prefix}/home/about-us/questions"
        assert leads(new)[0] == 200
        assert leads(old) == (301, new)
        assert leads(f"{old}/") == (301, old)
        assert leads(f"{old}?utm_source=letter")[1] == new


def test_the_urls_of_child_pages_redirect_too(editor: Callable[..., int]) -> None:
    editor(english("about-us"), "service")
    for prefix in ("", "/zh-hans"):
        for name in ("", "/delivery", "/help"):
            old, new = f"{prefix}/home/about-us{name}", f"{prefix}/home/service{name}"
            assert leads(old) == (301, new)
            assert leads(new)[0] == 200


def test_moving_twice_and_back_makes_no_redirect_loop(editor: Callable[..., int]) -> None:
    for slug_before, slug in (("help", "one"), ("one", "two"), ("two", "help")):
        editor(english(slug_before), slug)
    for old in ("one", "two"):
        assert leads(f"/home/about-us/{old}") == (301, "/home/about-us/help")
        assert leads(f"/zh-hans/home/about-us/{old}") == (301, "/zh-hans/home/about-us/help")
    assert leads("/home/about-us/help")[0] == 200
    assert "no-cache" in Client().get("/home/about-us/one")["Cache-Control"]

    english("help").unpublish()

    assert leads("/home/about-us/help") == (404, "")
    assert leads("/home/about-us/one") == (404, "")


def test_the_shops_own_urls_are_never_redirected(editor: Callable[..., int]) -> None:
    page = english("privacyPolicy")
    assert editor(page, "cart") == 200
    assert english("privacyPolicy").slug == "privacyPolicy"
    assert not Redirect.objects.exists()
    Redirect.add_redirect("/shop", page)
    assert leads("/shop")[0] == 200


def test_a_redirect_that_an_editor_writes_is_followed(editor: Callable[..., int]) -> None:
    Redirect.add_redirect("/wechat", "http://localhost:8000/download", is_permanent=False)
    assert leads("/wechat") == (302, "http://localhost:8000/download")
    Redirect.add_redirect("/round", "http://localhost:8000/round")
    assert leads("/round") == (404, "")


def test_calls_of_the_api_are_never_redirected(editor: Callable[..., int]) -> None:
    Redirect.add_redirect("/api/v1/pc/nothing", english("help"))
    assert leads("/api/v1/pc/nothing") == (404, "")


def test_a_translation_takes_the_slug_of_the_english_page(editor: Callable[..., int]) -> None:
    chinese = english("help").get_translations().get()
    chinese.slug = "bangzhu"
    chinese.save_revision().publish()
    assert leads("/zh-hans/home/about-us/help")[0] == 200
    assert leads("/zh-hans/home/about-us/bangzhu")[0] == 404
