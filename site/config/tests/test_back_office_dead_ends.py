"""Addresses of Wagtail without a use are not found."""

import pytest
from django.test import Client
from django.urls import reverse

from content.models import CarouselSlide, SpecialArea
from content.tests.builders import make_home
from content.tests.forms import page_form

pytestmark = pytest.mark.django_db


def test_a_chooser_without_a_form_creates_nothing(boss: Client, subtests: pytest.Subtests) -> None:
    for method in ["GET", "POST"]:
        for chooser in ["goods", "brand", "category", "promotion"]:
            with subtests.test(method=method, chooser=chooser):
                assert boss.generic(method, reverse(f"{chooser}_chooser:create")).status_code == 404
                assert boss.get(reverse(f"{chooser}_chooser:choose")).status_code == 200


def test_the_chooser_of_a_snippet_creates_nothing(boss: Client) -> None:
    reverse("wagtailadmin_home")
    for model in (CarouselSlide, SpecialArea):
        create = reverse(model.snippet_viewset.chooser_viewset.get_url_name("create"))
        assert boss.post(create, {"title_en": "Tea"}).status_code == 404


def test_a_chooser_with_a_form_still_creates(boss: Client) -> None:
    for chooser in ("wagtailimages_chooser", "wagtaildocs_chooser"):
        assert boss.post(reverse(f"{chooser}:create"), {"title": "Tea"}).status_code == 200


def test_a_preview_of_what_is_no_page_is_not_found(boss: Client) -> None:
    home = make_home()
    for model in ("content/carouselslide", "auth/user", "wagtailcore/site", "content/nothing"):
        for method in ("GET", "POST"):
            url = f"/admin/pages/add/{model}/{home.pk}/preview/"
            assert boss.generic(method, url).status_code == 404, (model, method)


def test_a_preview_of_a_new_page_is_shown(boss: Client) -> None:
    home = make_home()
    for model in ("content/informationpage", "content/homepage", "wagtailcore/page"):
        url = f"/admin/pages/add/{model}/{home.pk}/preview/"
        assert boss.post(url, page_form()).json() == {"is_valid": True, "is_available": True}, model
        assert boss.get(url).status_code == 200, model
