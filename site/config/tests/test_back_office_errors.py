"""Malformed requests of the back office are refused; the shop's own faults are not hidden behind that."""

import logging
from unittest.mock import Mock

import pytest
from django.test import Client
from django.urls import reverse
from wagtail.admin.views.home import HomeView
from wagtail.models import Page

from catalog.goods.models import Brand
from catalog.rates import services
from catalog.rates.models import ExchangeRate
from core.tests.pictures import make_picture

pytestmark = pytest.mark.django_db


def test_a_fault_of_a_service_is_a_logged_server_error(
    boss: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    url = reverse("exchange_rates:decide")
    for fault in (AttributeError, KeyError, IndexError, ValueError, OverflowError):
        with subtests.test(fault=fault):
            caplog.clear()
            monkeypatch.setattr(services, "set_override", Mock(side_effect=fault("our own")))
            answer = boss.post(url, {"action": "set", "rate": "4.7"})
            assert answer.status_code == 500
            [record] = [record for record in caplog.records if record.name == "django.request"]
            assert record.levelno == logging.ERROR
            assert record.exc_info is not None
            assert isinstance(record.exc_info[1], fault)
            assert not ExchangeRate.objects.exists()


def test_a_fault_of_a_form_of_the_shop_is_a_server_error(
    boss: Client, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    def clean(_brand: Brand) -> None:
        raise faults[-1]("our own")

    faults: list[type[Exception]] = []
    monkeypatch.setattr(Brand, "clean", clean)
    form = {"name_en": "Lucky", "name_zh": "好运"}
    for fault in (AttributeError, KeyError, TypeError):
        with subtests.test(fault=fault):
            faults.append(fault)
            assert boss.post(reverse("brands:add"), form).status_code == 500
            assert not Brand.objects.exists()


def test_a_fault_without_any_frame_of_the_shop_is_a_server_error(
    boss: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(HomeView, "get_panels")
    assert boss.get(reverse("wagtailadmin_home")).status_code == 500


def test_a_malformed_request_is_refused(
    boss: Client, caplog: pytest.LogCaptureFixture, subtests: pytest.Subtests
) -> None:
    for url, values in [
        ("/admin/choose-external-link/", {}),
        ("/admin/brands/new/", {"picture": "abc", "name_en": "Lucky", "name_zh": "好运"}),
    ]:
        with subtests.test(url=url, values=values):
            caplog.clear()
            answer = boss.post(url, values)
            assert answer.status_code == 400
            assert "unreadable request" in caplog.text
            assert not Brand.objects.exists()


def test_the_root_of_all_pages_is_neither_locked_nor_moved(boss: Client, subtests: pytest.Subtests) -> None:
    root = Page.objects.get(depth=1)
    for action in ["lock", "unlock", "set_position"]:
        with subtests.test(action=action):
            assert boss.post(f"/admin/pages/{root.pk}/{action}/").status_code == 404
            root.refresh_from_db()
            assert not root.locked


def test_a_form_that_is_a_dead_link_saves_nothing(boss: Client) -> None:
    picture = make_picture()
    url = reverse("wagtailimages:edit", args=[picture.pk])
    for answer in (
        boss.post(url, {"title": "Green tea", "next": "nowhere"}),
        boss.post(f"{url}?next=nowhere", {"title": "Green tea"}),
    ):
        assert answer.status_code == 400
        assert "Nothing was saved." in answer.content.decode()
    picture.refresh_from_db()
    assert picture.title == "dish"


def test_a_form_returns_to_where_it_came_from(boss: Client) -> None:
    picture = make_picture()
    url = reverse("wagtailimages:edit", args=[picture.pk])
    answer = boss.post(url, {"title": "Green tea", "next": "/admin/images/?p=2"})
    assert answer.headers["Location"] == "/admin/images/?p=2"
    picture.refresh_from_db()
    assert picture.title == "Green tea"
