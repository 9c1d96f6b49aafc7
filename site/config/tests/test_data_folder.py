"""A shop with the files of another one (docs/guarantees/operation.md#the-data-folder)."""

import os
from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import autodiscover_modules
from PIL import Image
from wagtail.documents import get_document_model
from wagtail.images import get_image_model

from catalog.imports.models import FileRun
from catalog.imports.tests.files import write_catalogue
from commerce.invoices.models import Invoice
from commerce.invoices.tests.builders import make_seller
from commerce.orders.tests.builders import Buyer, make_paid, make_stocked
from commerce.payments.models import Certificate
from config import health
from config.tests.test_busy import refused_as
from core import data_mark
from core.data_mark import FOLDERS, adopt
from core.errors import Err
from core.lost_files import withheld
from core.models import DataMark
from core.queues import QUEUES
from core.tests.pages import html_of
from core.tests.pictures import make_picture

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
ANOTHER = "the data folder has the mark of another database"


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> Path:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    return tmp_path


@pytest.fixture
def others_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[Path, bytes]]:
    """Put another shop's files into the data folder; return a function that reads all files."""
    for name in FOLDERS:
        (folder / name).mkdir(exist_ok=True)
        for number in range(1, 9):
            file = folder / name / str(number)
            file.write_text(f"{name} {number}")
            os.utime(file, (0, 0))
    (folder / "data-mark").write_text("mark-of-another-one")
    DataMark.objects.all().delete()
    DataMark.objects.create(pk=1, mark="mark-of-the-database", is_new=True)
    monkeypatch.setattr(data_mark, "_latest", data_mark._Result("", 0))
    monkeypatch.setattr(data_mark, "FRESH_SECONDS", 0)
    return lambda: {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def run_all_periodic_jobs() -> None:
    autodiscover_modules("tasks")
    for queue in QUEUES.values():
        for task in queue.huey._registry.periodic_tasks:
            task.execute()


def old_run(**fields: Any) -> FileRun:
    """Make the row of an import or export that has expired, whose file would be another shop's."""
    run = FileRun.objects.create(language="en", file_name="prices.csv", state=FileRun.State.done, **fields)
    FileRun.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(days=30))
    return run


@pytest.mark.parametrize("has_mark", [True, False])
def test_no_job_touches_the_files_of_another_shop(
    has_mark: bool, folder: Path, others_files: Callable[[], dict[Path, bytes]]
) -> None:
    if not has_mark:
        (folder / "data-mark").unlink()
    run = old_run()
    (folder / "files" / str(run.pk)).write_text("an import of the other shop")
    before = others_files()
    run_all_periodic_jobs()
    assert others_files() == before
    assert withheld() == []
    assert health.CHECKS["files"]() == (
        ANOTHER if has_mark else "the data folder has files, but the database is new"
    )
    adopt()
    run_all_periodic_jobs()
    moved = {file for file in before if file not in others_files()}
    assert moved == {
        file
        for file in before
        if file.parent.name in FOLDERS and file.parent.name not in ("media", "documents")
    }
    assert health.CHECKS["files"]() == ""


def test_an_invoice_waits_until_the_files_are_those_of_the_database(
    others_files: Callable[[], dict[Path, bytes]],
) -> None:
    make_seller()
    order = make_paid(Buyer(), (make_stocked(), 1))
    before = others_files()
    run_all_periodic_jobs()
    order.refresh_from_db()
    assert (order.invoice_due, others_files()) == (True, before)
    adopt()
    run_all_periodic_jobs()
    assert Invoice.objects.get().order == order


def test_uploads_are_refused_for_a_time(others_files: Callable[[], dict[Path, bytes]]) -> None:
    before = others_files()
    buyer, picture = Buyer(), BytesIO()
    Image.new("RGB", (20, 20)).save(picture, "JPEG")

    def upload() -> Any:
        file = SimpleUploadedFile("receipt.jpg", picture.getvalue(), "image/jpeg")
        return buyer.client.post("/api/v1/upload/oss/image", {"file": file})

    assert refused_as(upload(), Err.shop_unavailable)
    assert not Certificate.objects.exists()
    assert others_files() == before
    adopt()
    assert upload().json()["code"] == 0


def test_staff_store_delete_and_download_no_file_of_another_shop(
    staff: Client, others_files: Callable[[], dict[Path, bytes]], subtests: pytest.Subtests, folder: Path
) -> None:
    data_mark._latest = data_mark._Result("", float("inf"))
    image = make_picture()
    document = get_document_model().objects.create(title="list", file=SimpleUploadedFile("list.pdf", b"%PDF"))
    run = FileRun.objects.create(language="en", file_name="a.csv", table="goods", state=FileRun.State.done)
    (folder / "files" / str(run.pk)).write_text("an export of the other shop")
    data_mark._latest = data_mark._Result("", 0)
    before = others_files()
    file = SimpleUploadedFile("prices.csv", b"sku,price_aud\n")
    for name, arguments, fields in (
        ("files:import", [], {"file": file}),
        ("files:export", [], {"table": "goods", "format": "csv"}),
        ("files:download", [run.pk], None),
        ("wagtailimages:delete", [image.pk], {}),
        ("wagtaildocs:delete", [document.pk], {}),
    ):
        with subtests.test(name=name):
            staff.raise_request_exception = False
            url = reverse(name, args=arguments)
            response = staff.get(url) if fields is None else staff.post(url, fields)
            assert response.status_code == 503
            assert response["Retry-After"]
    assert others_files() == before
    assert list(FileRun.objects.all()) == [run]
    assert get_image_model().objects.filter(pk=image.pk).exists()
    assert get_document_model().objects.filter(pk=document.pk).exists()


def test_a_page_shows_no_picture_that_it_would_have_to_create(
    others_files: Callable[[], dict[Path, bytes]],
) -> None:
    data_mark._latest = data_mark._Result("", float("inf"))
    make_stocked(name_en="Rice", picture=make_picture())
    data_mark._latest = data_mark._Result("", 0)
    before = others_files()
    response = Client().get("/shop")
    assert (response.status_code, "Rice" in html_of(response)) == (200, True)
    assert others_files() == before


def test_a_catalogue_is_not_imported(
    others_files: Callable[[], dict[Path, bytes]], tmp_path_factory: Any
) -> None:
    catalogue = tmp_path_factory.mktemp("catalogue")
    write_catalogue(catalogue)
    with pytest.raises(CommandError, match=f"nothing was imported: {ANOTHER}"):
        call_command("import_goods", str(catalogue))
    call_command("import_goods", str(catalogue), dry_run=True)
