"""Imports of redirects in the back office: each is done once, however often its button is pressed."""

from collections import Counter
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client
from django.urls import reverse
from wagtail.contrib.redirects import views
from wagtail.contrib.redirects.models import Redirect

from content.tests.staff import in_each_language
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db

PROCESS = "/admin/redirects/import/process/"
OLD_PATHS = ["/old-rice", "/old-tea"]


@pytest.fixture
def sent(boss: Client) -> dict[str, Any]:
    """Return what the second form of an import sends, after a file was chosen in the first."""
    rows = b"from,to\n/old-rice,https://shop.example/rice\n/old-tea,https://shop.example/tea\n"
    file = SimpleUploadedFile("old.csv", rows, "text/csv")
    answer = boss.post(reverse("wagtailredirects:start_import"), {"import_file": file})
    form = answer.context["form"]
    names = ("import_file_name", "input_format")
    return {name: form[name].value() for name in names} | {"from_index": "0", "to_index": "1"}


def old_paths() -> list[str]:
    return list(Redirect.objects.order_by("old_path").values_list("old_path", flat=True))


def test_a_second_press_shows_that_the_import_was_done_already(boss: Client, sent: dict[str, Any]) -> None:
    texts = {
        "en": "This file was imported already, or is being imported. These are the redirects.",
        "zh-hans": "此文件已导入，或正在导入。以下为现有的重定向。",
    }
    assert boss.post(PROCESS, sent).status_code == 302
    assert old_paths() == OLD_PATHS
    for language in in_each_language(boss):
        answer = boss.post(PROCESS, sent, follow=True)
        assert answer.redirect_chain == [("/admin/redirects/", 302)]
        assert texts[language] in answer.content.decode()
        assert old_paths() == OLD_PATHS


def test_a_form_without_its_file_is_refused_and_can_be_sent_whole(
    boss: Client, sent: dict[str, Any], subtests: pytest.Subtests
) -> None:
    for name in ("import_file_name", "input_format"):
        rest = {key: each for key, each in sent.items() if key != name}
        for broken in (rest, rest | {name: ""}, rest | {name: "tampered"}):
            with subtests.test(name=name, value=broken.get(name)):
                answer = boss.post(PROCESS, broken)
                assert answer.status_code == 400
                assert "This request could not be read" in answer.content.decode()
                assert old_paths() == []
    assert boss.post(PROCESS, sent).status_code == 302
    assert old_paths() == OLD_PATHS


def test_a_fault_of_the_shop_within_an_import_is_a_server_error(
    boss: Client, sent: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_values: Any) -> None:
        raise FileNotFoundError("our own")

    monkeypatch.setattr(views, "create_redirects_from_dataset", fail)
    assert boss.post(PROCESS, sent).status_code == 500


@pytest.mark.django_db(transaction=True)
def test_presses_at_the_same_time_import_each_redirect_once(boss: Client, sent: dict[str, Any]) -> None:
    def press(_number: int) -> int:
        try:
            return boss.post(PROCESS, sent).status_code
        finally:
            connections.close_all()

    assert Counter(concurrently(press, range(4))) == {302: 4}
    assert old_paths() == OLD_PATHS


def test_a_workbook_is_refused_unread(boss: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_kw: object) -> None:
        raise AssertionError("the workbook was opened")

    monkeypatch.setattr("openpyxl.load_workbook", fail)
    file = SimpleUploadedFile("old.xlsx", b"PK\x03\x04")
    answer = boss.post(reverse("wagtailredirects:start_import"), {"import_file": file}, follow=True)
    assert "is not supported" in answer.content.decode()
    assert not Redirect.objects.exists()
