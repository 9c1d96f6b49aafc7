import os
import shutil
import time
from pathlib import Path

import pytest
from django.conf import LazySettings

from core.lost_files import Withheld, most_lost, move_lost_files, withheld


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    folder = tmp_path / "claims"
    folder.mkdir()
    return folder


def write(folder: Path, count: int) -> None:
    """Write files with different contents, two days ago."""
    for number in range(count):
        file = folder / f"{number}.jpg"
        file.write_bytes(b"%d" % number)
        os.utime(file, (time.time() - 2 * 86_400,) * 2)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def names(first: int, last: int) -> list[str]:
    return [f"{number}.jpg" for number in range(first, last)]


@pytest.mark.parametrize(("files", "most"), [(12, 10), (1200, 12)])
def test_lost_files_move_up_to_a_limit_and_above_it_none_does(
    files: int, most: int, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(folder, files)
    before = contents(folder)
    assert move_lost_files(folder, lambda _names: names(most + 1, files)) == 0
    assert contents(folder) == before
    assert withheld() == [Withheld("claims", most + 1, files)]
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        f"{folder}: {most + 1} of {files} files have no row, so none is moved: "
        "is this the database of the data folder?"
    ]
    assert move_lost_files(folder, lambda _names: names(most, files)) == most
    assert withheld() == []
    assert contents(folder) | contents(folder.parent / "lost") == before
    assert set(contents(folder)) == set(names(most, files))


def test_at_most_a_hundred_lost_files_of_a_folder_move() -> None:
    assert [most_lost(files) for files in (0, 1_099, 10_000, 1_000_000)] == [10, 10, 100, 100]


def test_only_the_shop_can_read_what_moved(folder: Path) -> None:
    write(folder, 1)
    assert move_lost_files(folder, lambda _names: []) == 1
    assert (folder.parent / "lost").stat().st_mode & 0o777 == 0o700


def test_folders_within_the_folder_stay(folder: Path) -> None:
    (folder / "lost+found").mkdir()
    os.utime(folder / "lost+found", (0, 0))
    assert move_lost_files(folder, lambda _names: []) == 0
    assert (folder / "lost+found").is_dir()


def test_old_lost_files_stay_while_any_folder_is_withheld(folder: Path) -> None:
    old = folder.parent / "lost" / "2020-01-01" / "invoices"
    old.mkdir(parents=True)
    (old / "1.pdf").write_bytes(b"1")
    write(folder, 11)
    assert move_lost_files(folder, lambda _names: []) == 0
    assert move_lost_files(folder.parent / "invoices", lambda _names: []) == 0
    assert contents(old) == {"1.pdf": b"1"}
    shutil.rmtree(folder)
    assert move_lost_files(folder, lambda _names: []) == 0
    assert move_lost_files(folder.parent / "invoices", lambda _names: []) == 0
    assert not old.parent.exists()


def test_a_file_that_cannot_be_moved_is_logged_and_the_next_one_moves(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write(folder, 2)
    move = shutil.move

    def fail_once(file: Path, to: Path) -> None:
        if file.name == "0.jpg":
            raise OSError("the disk is full")
        move(file, to)

    monkeypatch.setattr(shutil, "move", fail_once)
    assert move_lost_files(folder, lambda _names: []) == 1
    assert set(contents(folder)) == {"0.jpg"}
    assert "a file without a row could not be moved" in caplog.messages
