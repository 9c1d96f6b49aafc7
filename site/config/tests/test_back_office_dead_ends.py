"""Addresses of Wagtail without a use are not found."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from content.models import CarouselSlide, SpecialArea
from content.tests.builders import make_home
from content.tests.test_bad_input import page_form

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("boss", "boss@example.com", "secret"))
    return client


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("chooser", ["goods", "brand", "category", "promotion"])
def test_a_chooser_without_a_form_creates_nothing(boss: Client, chooser: str, method: str) -> None:
    assert boss.generic(method, reverse(f"{chooser}_chooser:create")).status_code == 404
    assert boss.get(reverse(f"{chooser}_chooser:choose")).status_code == 200


@pytest.mark.parametrize("model", [CarouselSlide, SpecialArea])
def test_the_chooser_of_a_snippet_creates_nothing(boss: Client, model: type[CarouselSlide]) -> None:
    reverse("wagtailadmin_home")
    create = reverse(model.snippet_viewset.chooser_viewset.get_url_name("create"))
    assert boss.post(create, {"title_en": "Tea"}).status_code == 404


def test_a_chooser_with_a_form_still_creates(boss: Client) -> None:
    for chooser in ("wagtailimages_chooser", "wagtaildocs_chooser"):
        assert boss.post(reverse(f"{chooser}:create"), {"title": "Tea"}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "model", ["content/carouselslide", "auth/user", "wagtailcore/site", "content/nothing"]
)
def test_a_preview_of_what_is_no_page_is_not_found(boss: Client, model: str, method: str) -> None:
    url = f"/admin/pages/add/{model}/{make_home().pk}/preview/"
    assert boss.generic(method, url).status_code == 404


@pytest.mark.parametrize("model", ["content/informationpage", "content/homepage", "wagtailcore/page"])
def test_a_preview_of_a_new_page_is_shown(boss: Client, model: str) -> None:
    url = f"/admin/pages/add/{model}/{make_home().pk}/preview/"
    assert boss.post(url, page_form()).json() == {"is_valid": True, "is_available": True}
    assert boss.get(url).status_code == 200
