"""The mark that database and data folder share (docs/guarantees/operation.md#the-data-folder)."""

import errno
import os
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone
from wagtail.images import get_image_model
from wagtail.images.models import SourceImageIOError

from core import data_mark
from core.data_mark import FOLDERS, adopt, mismatch, refuse_other_files
from core.due_rows import process_due_rows, process_in_batches
from core.lost_files import move_lost_files
from core.models import DataMark
from core.private_files import MediaFiles, private_storage
from core.queues import upkeep
from core.tests.pictures import make_picture
from core.tests.threads import concurrently, start_concurrently

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MARK, OTHER = "mark-of-the-database", "mark-of-another-one"
NEW, EXISTING, ADOPTED = "new", "existing", "adopted"


@pytest.fixture(autouse=True)
def folder(db: None, settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder, which each call checks again; the database is new."""
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    monkeypatch.setattr(data_mark, "_latest", data_mark._Result("", 0))
    monkeypatch.setattr(data_mark, "FRESH_SECONDS", 0)
    set_database(NEW)
    return tmp_path


def set_database(state: str) -> None:
    """Give the database a mark: as new, of a shop with files from before the mark, or adopted."""
    adopted_at = timezone.now() if state == ADOPTED else None
    DataMark.objects.all().delete()
    DataMark.objects.create(pk=1, mark=MARK, is_new=state == NEW, adopted_at=adopted_at)


def is_adopted() -> bool:
    return DataMark.objects.get().adopted_at is not None


def write_files(folder: Path) -> None:
    """Write a file that rows may name into each folder."""
    for name in FOLDERS:
        (folder / name / "within").mkdir(parents=True)
        (folder / name / "within" / "1").write_text(name)


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


UNMOUNTED = "the data folder has no mark: it is another one, or its volume is not mounted"
ANOTHER = "the data folder has the mark of another database"
FULL = "the data folder has files, but the database is new"
EMPTY = "the data folder has no files, but the database names files"


@pytest.mark.parametrize(
    ("database", "files", "mark", "problem"),
    [
        (NEW, False, "", ""),
        (NEW, True, "", FULL),
        (NEW, True, MARK, ""),
        (NEW, False, OTHER, ANOTHER),
        (NEW, True, OTHER, ANOTHER),
        (EXISTING, True, "", ""),
        (EXISTING, False, "", EMPTY),
        (EXISTING, True, MARK, ""),
        (EXISTING, True, OTHER, ANOTHER),
        (ADOPTED, True, MARK, ""),
        (ADOPTED, False, MARK, ""),
        (ADOPTED, False, "", UNMOUNTED),
        (ADOPTED, True, "", UNMOUNTED),
        (ADOPTED, True, OTHER, ANOTHER),
    ],
)
def test_a_folder_belongs_to_the_database_if_both_have_one_mark(
    database: str, files: bool, mark: str, problem: str, folder: Path
) -> None:
    set_database(database)
    if files:
        write_files(folder)
    if mark:
        (folder / "data-mark").write_text(mark)
    before = contents(folder)
    assert [mismatch(), mismatch()] == [problem] * 2
    written = {} if problem or mark else {folder / "data-mark": f"{MARK}\n".encode()}
    assert contents(folder) == before | written
    assert is_adopted() == (not problem or database == ADOPTED)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_file_of_any_kind_makes_a_folder_one_with_files(name: str, folder: Path) -> None:
    (folder / name / "within").mkdir(parents=True)
    assert not data_mark.has_files()
    (folder / name / "within" / "1").touch()
    assert mismatch() == FULL


def test_a_database_whose_rows_were_deleted_has_no_folder(folder: Path) -> None:
    DataMark.objects.all().delete()
    assert mismatch() == "the database has no mark"
    assert contents(folder) == {}


def test_each_change_is_logged_once_and_a_repair_is_noticed(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    logged = []
    acts: list[Callable[[], object]] = [mismatch, (folder / "data-mark").unlink, mismatch, adopt, mismatch]
    for act in acts:
        caplog.clear()
        act()
        mismatch()
        mismatch()
        logged.append([(each.levelname, each.getMessage()) for each in caplog.records])
    assert logged == [
        [("INFO", f"{folder} has got the mark of the database")],
        [("ERROR", f"{folder}: {UNMOUNTED}; nothing uses its files until that is repaired")],
        [],
        [("INFO", f"{folder} is the data folder of the database again")],
        [],
    ]


def test_a_result_is_used_for_some_seconds(
    folder: Path, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(data_mark, "FRESH_SECONDS", 60)
    assert mismatch() == ""
    (folder / "data-mark").unlink()
    with django_assert_num_queries(0):
        assert mismatch() == ""


@pytest.mark.parametrize("fault", ["read-only", "unreadable"])
def test_a_disk_that_cannot_be_read_or_written_is_a_mismatch_until_it_can(
    fault: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    if fault == "unreadable":
        (folder / "data-mark").mkdir()
    with monkeypatch.context() as patch:
        if fault == "read-only":
            patch.setattr(os, "link", fail)
        assert "cannot be read or written" in mismatch()
        patch.setattr(Path, "replace", fail)
        with pytest.raises(CommandError, match="the mark cannot be written: Read-only file system"):
            call_command("adopt_files", confirm=True)
    assert contents(folder) == {}
    assert (DataMark.objects.get().mark, is_adopted()) == (MARK, False)
    if fault == "unreadable":
        (folder / "data-mark").rmdir()
    assert mismatch() == ""


def test_another_folder_is_adopted_only_if_confirmed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_database(ADOPTED)
    write_files(folder)
    (folder / "data-mark").write_text(OTHER)
    before = contents(folder)
    call_command("adopt_files")
    report = capsys.readouterr().out
    assert all(
        text in report for text in (str(folder), "with files", ANOTHER, "Nothing was changed", "--confirm")
    )
    assert (contents(folder), DataMark.objects.get().mark, mismatch()) == (before, MARK, ANOTHER)
    call_command("adopt_files", confirm=True)
    mark = DataMark.objects.get().mark
    assert mark not in {MARK, OTHER}
    assert contents(folder) == before | {folder / "data-mark": f"{mark}\n".encode()}
    assert mismatch() == ""


def test_a_database_without_mark_can_adopt_a_folder(folder: Path) -> None:
    DataMark.objects.all().delete()
    adopt()
    assert mismatch() == ""
    assert is_adopted()


@pytest.mark.parametrize("model", ["FileRun", "Image", None])
def test_the_migration_finds_out_whether_rows_name_files(model: str | None) -> None:
    if model == "FileRun":
        apps.get_model("imports", model).objects.create(language="en", file_name="prices.csv")
    elif model:
        make_picture()
    DataMark.objects.all().delete()
    migration: Any = import_module("core.migrations.0002_data_mark")
    migration.add_mark(apps, SimpleNamespace(connection=connection))
    row = DataMark.objects.get()
    assert (row.is_new, row.adopted_at, len(row.mark)) == (model is None, None, 43)


def test_the_migration_knows_the_tables_whose_rows_name_files() -> None:
    migration: Any = import_module("core.migrations.0002_data_mark")
    assert {model._meta.db_table for model in apps.get_models()} >= migration.TABLES
    assert len(migration.TABLES) == len(FOLDERS)


def test_no_file_of_another_database_is_written_or_deleted(folder: Path, subtests: pytest.Subtests) -> None:
    write_files(folder)
    file = ContentFile(b"new")
    claims = private_storage("claims")
    calls: list[Callable[[], object]] = [
        lambda: claims.save("1.jpg", file),
        lambda: claims.delete("within/1"),
        lambda: MediaFiles().save("1.jpg", file),
        lambda: MediaFiles().save("documents/1.pdf", file),
        lambda: MediaFiles().delete("within/1"),
        lambda: MediaFiles().delete("documents/within/1"),
        lambda: MediaFiles().open("within/1"),
        lambda: MediaFiles().open("documents/within/1"),
        lambda: move_lost_files(folder / "claims", lambda _names: []),
        make_picture,
    ]
    before = contents(folder)
    for number, call in enumerate(calls):
        with subtests.test(number=number), pytest.raises(OSError, match=FULL), transaction.atomic():
            call()
    assert contents(folder) == before
    with claims.open("within/1") as found:
        assert found.read() == b"claims"
    adopt()
    assert claims.save("1.jpg", file) == "1.jpg"


def test_a_task_that_uses_files_waits_for_those_of_the_database(folder: Path) -> None:
    done: list[str] = []

    def job() -> None:
        done.append("periodic")

    def other_job() -> None:
        done.append("other")

    periodic = upkeep.periodic(lambda _time: False, uses_files=True)(job)
    other = upkeep.periodic(lambda _time: False)(other_job)
    queued = upkeep.task(uses_files=True)(done.append)
    write_files(folder)
    try:
        periodic.call_local()
        queued.call_local("queued")
        other.call_local()
        assert done == ["other"]
        adopt()
        periodic.call_local()
        queued.call_local("queued")
        assert done == ["other", "periodic", "queued"]
    finally:
        for task in (periodic, other, queued):
            task.unregister()


@pytest.mark.parametrize("run", [process_due_rows, process_in_batches])
def test_a_job_ends_without_a_failure_if_its_folder_is_exchanged(
    run: Callable[..., int], folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seen = []

    def work(key: object) -> None:
        seen.append(key)
        (folder / "data-mark").write_text(OTHER)
        try:
            refuse_other_files()
        except OSError as error:
            # As Wagtail does for a picture that it cannot open.
            raise SourceImageIOError from error

    for name in ("red", "green"):
        make_picture(name)
    assert run("pictures", get_image_model().objects.order_by("pk"), work) == 0
    assert len(seen) == 1
    assert [each.name for each in caplog.records if each.levelname == "ERROR"] == ["core.data_mark"]


@pytest.mark.django_db(transaction=True)
def test_processes_that_start_together_leave_one_mark(folder: Path) -> None:
    assert concurrently(lambda _number: mismatch(), range(8), threads=8) == [""] * 8
    assert contents(folder) == {folder / "data-mark": f"{MARK}\n".encode()}
    assert is_adopted()


@pytest.mark.parametrize("is_guarded", [True, False])
def test_of_two_new_databases_the_first_gets_the_folder(
    is_guarded: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link

    def be_slower(draft: Path, file: Path) -> None:
        file.write_text(OTHER)
        if is_guarded:
            link(draft, file)
        else:
            draft.replace(file)

    monkeypatch.setattr(os, "link", be_slower)
    assert mismatch() == (ANOTHER if is_guarded else "")
    assert contents(folder) == {folder / "data-mark": OTHER.encode() if is_guarded else f"{MARK}\n".encode()}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_guarded", [True, False])
def test_two_commands_leave_one_mark_in_folder_and_database(
    is_guarded: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, started = data_mark._write, list[Any]()

    def let_another_start(mark: str, *, is_first: bool) -> None:
        monkeypatch.setattr(data_mark, "_write", write)
        started.append(start_concurrently(adopt))
        write(mark, is_first=is_first)

    monkeypatch.setattr(data_mark, "_write", let_another_start)
    if not is_guarded:
        monkeypatch.setattr(data_mark, "transaction", SimpleNamespace(atomic=nullcontext))
    adopt()
    started[0].result(20)
    assert mismatch() == ("" if is_guarded else ANOTHER)
