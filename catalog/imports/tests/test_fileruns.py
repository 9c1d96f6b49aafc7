import os
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from catalog.goods.models import Product
from catalog.goods.tests.builders import make_product
from catalog.goods.writing import delete_rows
from catalog.imports import fileruns, fileworker, workbooks
from catalog.imports.importing import Import
from catalog.imports.models import FileRun
from catalog.imports.tests.files import write_catalogue
from catalog.imports.tests.importing import everything
from catalog.imports.tests.workbooks import write_xlsx
from catalog.stock.tests.builders import make_location, stock
from core.queues import upkeep
from core.tests.failing import failing_for
from core.tests.pages import html_of
from core.tests.rows import stored
from core.tests.screens import set_language

pytestmark = pytest.mark.django_db

PRICES = b"sku,price_aud\nA,4.00\n"


@pytest.fixture(autouse=True)
def folder(settings: LazySettings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def product() -> Product:
    return make_product(sku="A", price=Decimal("5.00"))


@pytest.fixture
def now(django_capture_on_commit_callbacks: Any) -> Callable[[], Any]:
    """Run queued tasks immediately."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def uploaded(data: bytes = PRICES, name: str = "today.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def checked(data: bytes = PRICES) -> FileRun:
    run = fileruns.import_file(None, uploaded(data))
    fileworker.work(run.pk)
    run.refresh_from_db()
    return run


def test_an_import_is_previewed_before_it_changes_anything(
    staff: Client, product: Product, now: Callable[[], Any]
) -> None:
    before = everything()
    with now():
        response = staff.post(reverse("files:import"), {"file": uploaded()}, follow=True)
    run = FileRun.objects.get()
    assert run.state == "checked"
    assert everything() == before
    text = html_of(staff.get(reverse("files:run", args=[run.pk])))
    assert response.redirect_chain[-1][0] == reverse("files:run", args=[run.pk])
    assert "0 new, 1 changed, 0 as they are" in text
    assert "<td>price</td><td>5.00</td><td>4.00</td>" in text
    with now():
        staff.post(reverse("files:apply", args=[run.pk]))
    assert stored(run, "state", "rows_done", "claim") == ("done", run.rows_all, None)
    assert stored(product, "price") == Decimal("4.00")


def test_rows_that_are_not_imported_are_shown_with_the_reason(
    staff: Client, product: Product, now: Callable[[], Any]
) -> None:
    stock(product, 4, make_location(code="warehouse"))
    before = everything()
    with now():
        staff.post(reverse("files:import"), {"file": uploaded(b"location,sku,units\nwarehouse,A,9\n")})
    run = FileRun.objects.get()
    for _ in range(2):
        page = html_of(staff.get(reverse("files:run", args=[run.pk])))
        assert "0 new, 0 changed, 0 as they are" in page
        assert "1 row is not imported" in page
        assert "<td>2</td><td>warehouse, A</td><td>has stock already (4 units)" in page
        with now():
            staff.post(reverse("files:apply", args=[run.pk]))
    assert stored(run, "state") == "done"
    assert everything() == before


def test_the_page_names_the_columns_of_pictures_that_it_cannot_import(
    staff: Client, product: Product, now: Callable[[], Any], tmp_path: Path
) -> None:
    file = write_catalogue(tmp_path) / "categories.csv"
    with now():
        staff.post(reverse("files:import"), {"file": uploaded(file.read_bytes())})
    page = html_of(staff.get(reverse("files:run", args=[FileRun.objects.get().pk])))
    assert "Not imported from these columns, which need a folder of pictures:" in page
    assert "<code>picture</code>" in page


def test_problems_are_reported_in_the_uploaders_language(
    staff: Client, product: Product, now: Callable[[], Any]
) -> None:
    set_language(staff, "zh-hans")
    before = everything()
    with now():
        staff.post(reverse("files:import"), {"file": uploaded(b"sku,price_aud\nA,-1\n")})
    run = FileRun.objects.get()
    assert run.state == "refused"
    (problem,) = run.problems
    assert (problem["row"], problem["column"]) == (2, "price_aud")
    assert "价格" in problem["text"]
    assert problem["text"] in html_of(staff.get(reverse("files:run", args=[run.pk])))
    assert everything() == before


def test_an_export_can_be_downloaded(staff: Client, product: Product, now: Callable[[], Any]) -> None:
    with now():
        staff.post(reverse("files:export"), {"table": "prices", "format": "csv"})
    run = FileRun.objects.get()
    assert run.state == "done"
    assert reverse("files:download", args=[run.pk]) in html_of(staff.get(reverse("files:run", args=[run.pk])))
    response = staff.get(reverse("files:download", args=[run.pk]))
    assert b"A,5.00" in b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert "attachment" in response["Content-Disposition"]
    assert run.file_name in response["Content-Disposition"]


def test_the_page_shows_the_progress(staff: Client, product: Product) -> None:
    run = fileruns.import_file(None, uploaded())
    FileRun.objects.update(rows_done=3, rows_all=9)
    page = html_of(staff.get(reverse("files:run", args=[run.pk])))
    assert 'max="9" value="3"' in page
    assert "js/progress.js" in page
    assert staff.get(reverse("files:progress", args=[run.pk])).json() == {"done": 3, "all": 9, "isWork": True}
    fileworker.work(run.pk)
    assert "js/progress.js" not in html_of(staff.get(reverse("files:run", args=[run.pk])))


def test_staff_without_the_permission_are_refused(
    client: Client, product: Product, subtests: pytest.Subtests
) -> None:
    user = User.objects.create_user("clerk", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="access_admin"))
    client.force_login(user)

    def refuse(name: str, method: str, args: list[int]) -> None:
        with subtests.test(name=name, method=method):
            response = getattr(client, method)(reverse(f"files:{name}", args=args), {"file": uploaded()})
            assert response.status_code == 302
            assert response["Location"] == reverse("wagtailadmin_home")
            assert not FileRun.objects.exists()

    refuse("index", "get", [])
    refuse("run", "get", [1])
    refuse("progress", "get", [1])
    refuse("download", "get", [1])
    refuse("export", "post", [])
    # The permissions to read and export do not include imports.
    user.user_permissions.add(Permission.objects.get(codename="view_filerun"))
    refuse("import", "post", [])
    refuse("apply", "post", [1])


def test_an_invalid_request_shows_an_error_and_starts_nothing(
    staff: Client, subtests: pytest.Subtests
) -> None:
    for name, data in [
        ("import", {}),
        ("export", {"table": "users", "format": "csv"}),
        ("export", {"table": "goods"}),
    ]:
        with subtests.test(name=name, data=data):
            assert staff.post(reverse(f"files:{name}"), data)["Location"] == reverse("files:index")
            assert not FileRun.objects.exists()


def test_a_file_that_is_too_large_is_not_stored(monkeypatch: pytest.MonkeyPatch, staff: Client) -> None:
    monkeypatch.setattr(fileruns, "MAX_BYTES", 5)
    staff.post(reverse("files:import"), {"file": uploaded()})
    assert not FileRun.objects.exists()


def test_a_file_is_stored_readable_by_its_owner_only(product: Product, settings: Any) -> None:
    run = fileruns.import_file(None, uploaded(name="../../evil.csv"))
    assert run.file_name == "evil.csv"
    assert Path(settings.MEDIA_ROOT) not in run.path.parents
    assert run.path.parent.stat().st_mode & 0o077 == 0


def test_an_import_is_applied_once(product: Product) -> None:
    run = checked()
    assert fileruns.apply_import(run.pk)
    assert not fileruns.apply_import(run.pk)
    fileworker.work(run.pk)
    assert not fileruns.apply_import(run.pk)


def test_runs_of_a_dead_worker_are_resumed(product: Product) -> None:
    run = checked()
    fileruns.apply_import(run.pk)
    claim = uuid4()
    FileRun.objects.update(claim=claim, beat_at=timezone.now() - timedelta(minutes=1))
    fileworker.work(run.pk)
    assert FileRun.objects.get().state == "applying"
    FileRun.objects.update(beat_at=timezone.now() - timedelta(minutes=4))
    fileworker.process_due_files()
    assert FileRun.objects.get().state == "done"
    assert stored(product, "price") == Decimal("4.00")


def test_a_worker_that_lost_its_claim_writes_nothing_more(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = checked()
    fileruns.apply_import(run.pk)
    other = uuid4()

    def taken_over(self: Import, report_progress: Callable[[int], None], **kw: Any) -> Any:
        FileRun.objects.update(claim=other)
        return check(self, report_progress, **kw)

    check = Import.check
    monkeypatch.setattr(fileworker, "BEAT_SECONDS", 0)
    monkeypatch.setattr(Import, "check", taken_over)
    fileworker.work(run.pk)
    found = FileRun.objects.get()
    assert (found.state, found.claim) == ("applying", other)
    assert stored(product, "price") == Decimal("5.00")


@pytest.mark.parametrize("is_taken_over", [False, True])
def test_a_claim_is_renewed_while_a_workbook_is_unpacked(
    product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_taken_over: bool
) -> None:
    path = tmp_path / "prices.xlsx"
    write_xlsx(path, [{"sku": "A", "price_aud": "4.00"}])
    run = fileruns.import_file(None, uploaded(path.read_bytes(), path.name))
    other, beats = uuid4(), list[Any]()

    def take_long(*args: Any) -> None:
        long_ago = timezone.now() - fileworker.SILENT_FOR
        FileRun.objects.update(beat_at=long_ago, **({"claim": other} if is_taken_over else {}))
        note_merged(*args)
        beats.append(FileRun.objects.get().beat_at)

    note_merged = workbooks._note_merged
    monkeypatch.setattr(fileworker, "BEAT_SECONDS", 0)
    monkeypatch.setattr(workbooks, "_note_merged", take_long)
    fileworker.work(run.pk)
    found = FileRun.objects.get()
    if is_taken_over:
        assert (found.state, found.claim, beats) == ("checking", other, [])
    else:
        assert beats[0] > timezone.now() - timedelta(minutes=1)
        assert found.state == "checked"


def test_a_failing_run_is_retried_and_then_given_up(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = checked()
    fileruns.apply_import(run.pk)

    def fail(*_args: Any) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(fileworker, "open_sheet", fail)
    for state in ("applying", "applying", "failed"):
        fileworker.work(run.pk)
        assert FileRun.objects.get().state == state
    assert not fileworker.due()


def test_a_shop_that_changed_since_the_check_is_checked_again(product: Product) -> None:
    run = checked()
    delete_rows(Product.objects.filter(pk=product.pk))
    fileruns.apply_import(run.pk)
    fileworker.work(run.pk)
    found = FileRun.objects.get()
    assert (found.state, found.is_partial) == ("refused", False)
    assert found.problems[0]["column"] == "sku"


def test_old_files_are_deleted_and_unconfirmed_imports_expire(product: Product) -> None:
    old, young = checked(), checked()
    FileRun.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=4))
    fileworker.delete_old_files()
    assert not old.path.exists()
    assert young.path.exists()
    assert FileRun.objects.get(pk=old.pk).state == "lapsed"
    assert not fileruns.apply_import(old.pk)


def test_the_rows_of_old_files_are_deleted_after_a_year(product: Product) -> None:
    old, young = checked(), checked()
    FileRun.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=366))
    fileworker.delete_old_files()
    assert not old.path.exists()
    assert list(FileRun.objects.all()) == [young]


class KilledError(BaseException):
    """Ends the worker as a kill would: nothing after it runs."""


def killed_export(monkeypatch: pytest.MonkeyPatch) -> FileRun:
    """Begin an export whose worker is killed while it writes."""
    run = fileruns.export_file(None, "prices", "csv")

    def be_killed(lines: Any, draft: Path, _format: str) -> None:
        draft.write_bytes(b"half")
        raise KilledError

    with monkeypatch.context() as killing:
        killing.setattr(fileworker, "write_file", be_killed)
        killing.setattr(Path, "unlink", lambda *_args, **_kw: None)
        with pytest.raises(KilledError):
            fileworker.work(run.pk)
    run.refresh_from_db()
    return run


def written_a_day_ago(*files: Path) -> None:
    before = timezone.now() - timedelta(hours=25)
    for file in files:
        os.utime(file, (before.timestamp(), before.timestamp()))


def test_the_draft_of_a_killed_export_is_deleted_once_another_try_has_ended(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = killed_export(monkeypatch)
    draft = run.draft
    written_a_day_ago(draft)
    # The shop does not know yet that its worker is gone.
    fileworker.delete_old_files()
    assert draft.exists()
    FileRun.objects.update(beat_at=timezone.now() - 2 * fileworker.SILENT_FOR)
    fileworker.process_due_files()
    assert FileRun.objects.get().state == "done"
    written_a_day_ago(run.path)
    fileworker.delete_old_files()
    assert [file.name for file in FileRun.folder().iterdir()] == [str(run.pk)]


def test_the_draft_of_an_export_that_was_given_up_is_deleted(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = killed_export(monkeypatch)
    written_a_day_ago(run.draft)
    FileRun.objects.update(beat_at=None, tries=fileworker.MAX_TRIES)
    fileworker.process_due_files()
    assert FileRun.objects.get().state == "failed"
    fileworker.delete_old_files()
    assert not run.draft.exists()


def test_a_file_that_lost_its_row_is_moved_after_a_day(
    product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = checked()

    def fail(_run_id: int) -> None:
        raise DatabaseError

    with monkeypatch.context() as failing:
        failing.setattr(fileruns, "_hint", fail)
        with pytest.raises(DatabaseError):
            fileruns.import_file(None, uploaded())
    [lost] = set(FileRun.folder().iterdir()) - {kept.path}
    fileworker.delete_old_files()
    assert lost.exists()
    written_a_day_ago(lost, kept.path)
    fileworker.delete_old_files()
    assert set(FileRun.folder().iterdir()) == {kept.path}


NOT_UTF8 = {"en": "is not UTF-8", "zh-hans": "不是 UTF-8 编码"}
NEEDS = {"en": "prices needs the columns: sku, price_aud", "zh-hans": "prices 需要这些列：sku, price_aud"}


def test_a_header_that_fits_no_table_is_answered_with_what_each_needs(
    product: Product, subtests: pytest.Subtests
) -> None:
    before = everything()
    for language in ["en", "zh-hans"]:
        for data, texts in [
            (b"a,b,c\n1,2,3\n", NEEDS),
            (b"name_en,name_zh\nTea,Tea\n", NEEDS),
            (b"", NEEDS),
            ("编号,价格\nA,4.00\n".encode("gbk"), NEEDS),
            ("sku,price_aud\nA,4.00\n".encode("utf-16-le"), NOT_UTF8),
        ]:
            with subtests.test(language=language, data=data, texts=texts):
                with translation.override(language):
                    run = checked(data)
                assert run.state == "refused"
                assert any(texts[language] in problem["text"] for problem in run.problems)
                assert everything() == before


def test_a_file_that_cannot_be_opened_is_the_only_problem_reported(product: Product) -> None:
    run = checked(b"PK\x03\x04 no workbook")
    assert [problem["text"] for problem in run.problems] == ["cannot be read as an Excel workbook"]


def test_a_run_that_fails_stops_no_other(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = (fileruns.import_file(None, uploaded()) for _ in range(2))
    monkeypatch.setattr(fileworker, "_claimed", failing_for(bad.pk, fileworker._claimed))
    fileworker.process_due_files()
    states = dict(FileRun.objects.values_list("pk", "state"))
    assert states == {bad.pk: "checking", good.pk: "checked"}


def test_only_so_many_files_are_processed_at_the_same_time(product: Product) -> None:
    runs = [fileruns.import_file(None, uploaded()) for _ in range(fileworker.MAX_CONCURRENT + 1)]
    others = FileRun.objects.exclude(pk=runs[-1].pk)
    others.update(claim=uuid4(), beat_at=timezone.now())
    fileworker.work(runs[-1].pk)
    assert FileRun.objects.get(pk=runs[-1].pk).state == "checking"
    # One of the two workers was killed.
    others.filter(pk=runs[0].pk).update(beat_at=timezone.now() - fileworker.SILENT_FOR)
    fileworker.work(runs[-1].pk)
    assert FileRun.objects.get(pk=runs[-1].pk).state == "checked"
    assert upkeep.workers > fileworker.MAX_CONCURRENT


def test_a_file_that_cannot_be_deleted_stops_no_other(product: Product) -> None:
    bad, good = checked(), checked()
    FileRun.objects.update(created_at=timezone.now() - timedelta(days=4))
    bad.path.unlink()
    bad.path.mkdir()
    fileworker.delete_old_files()
    assert (bad.path.exists(), good.path.exists()) == (True, False)
