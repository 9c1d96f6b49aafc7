import os
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.urls import reverse

from content.tests.staff import staff
from core import data_mark
from core.lost_files import move_lost_files
from core.tests.pages import html_of

TEXTS = {
    "en": (
        "Files that do not fit the database",
        "The data folder is not that of the database, so uploads, imports and invoices wait",
        "claims: 11 of 11 files have no row, so none was moved",
        "Ask your operators to check that the shop runs with its own database and data folder",
    ),
    "zh-hans": (
        "与数据库不符的文件",
        "数据文件夹不属于此数据库，因此上传、导入和发票暂停处理",
        "claims：11 个文件中有 11 个没有对应的数据库记录，因此一个都没有移动",
        "请运维人员检查商店使用的是否是自己的数据库和数据文件夹",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("language", TEXTS)
def test_the_dashboard_shows_files_that_do_not_fit_the_database(
    language: str, settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "claims"
    folder.mkdir()
    for number in range(11):
        (folder / f"{number}.jpg").touch()
        os.utime(folder / f"{number}.jpg", (0, 0))
    manager = staff("manager", language=language, permissions=("access_admin", "view_auditrun"))
    other = staff("other", language=language, permissions=("access_admin",))
    page = reverse("wagtailadmin_home")
    heading, other_folder, *texts = TEXTS[language]
    assert heading not in html_of(manager.get(page))
    assert move_lost_files(folder, lambda _names: []) == 0
    html = html_of(manager.get(page))
    assert heading in html
    assert all(text in html for text in texts)
    assert other_folder not in html
    assert heading not in html_of(other.get(page))
    (folder / "0.jpg").unlink()
    assert move_lost_files(folder, lambda _names: []) == 10
    assert heading not in html_of(manager.get(page))
    monkeypatch.setattr(data_mark, "_latest", data_mark._Result("another folder", float("inf")))
    html = html_of(manager.get(page))
    assert heading in html
    assert other_folder in html
