"""Processes the files of imports and exports, from a task or from the periodic job.

A worker claims a row and renews the claim every second. Another worker may take over a claim that has not
been renewed for minutes. Any step may be repeated: an import writes only the rows that are not written yet.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation

from catalog.imports.exporting import EXPORTS, write_file
from catalog.imports.importing import Import, importer_for, prepare
from catalog.imports.models import FileRun
from catalog.imports.problems import ImportRefusedError, Problems
from catalog.imports.sheets import open_sheet
from catalog.imports.stock_importers import TABLE_IMPORTERS
from core.due_rows import delete_in_batches, process_due_rows, process_in_batches
from core.lost_files import move_lost_files

log = logging.getLogger(__name__)

State = FileRun.State
MAX_TRIES = 3
# Longer than openpyxl needs for a workbook's formats, during which the claim is not renewed.
SILENT_FOR = timedelta(minutes=3)
# The queue has one more worker, so that long files do not block other tasks.
MAX_CONCURRENT = 2
BEAT_SECONDS = 1.0
# Files are deleted after this time; a checked import that was not applied expires.
RETENTION = timedelta(days=3)
LOG_RETENTION = timedelta(days=365)


class LostClaimError(Exception):
    """Raised if another worker has taken over the claim."""


def due() -> QuerySet[FileRun]:
    """Return the rows without a worker, or whose worker stopped renewing its claim."""
    silent = Q(beat_at=None) | Q(beat_at__lt=timezone.now() - SILENT_FOR)
    return FileRun.objects.filter(silent, state__in=FileRun.WORK)


def work(run_id: int) -> None:
    """Process a row if it waits for a worker. May run twice, even concurrently."""
    run = _claimed(run_id)
    if run is None:
        return
    with translation.override(run.language), suppress(LostClaimError):
        try:
            _WORK[State(run.state)](run)
        except ImportRefusedError as refusal:
            problems = [asdict(problem) for problem in refusal.problems]
            _end(run, State.refused, problems=problems, is_partial=refusal.is_partial)
        except LostClaimError:
            raise
        except Exception:
            log.exception("file run failed", extra={"run": run.pk, "tries": run.tries})
            # Release the row for the periodic job; after the last attempt, mark it as failed for staff.
            _set(run, claim=None, beat_at=None, **({"state": State.failed} if run.tries >= MAX_TRIES else {}))


def process_due_files() -> None:
    """Process the rows of lost tasks and stopped workers, the oldest first."""
    process_due_rows("files", due().order_by("pk"), work)


def _claimed(run_id: int) -> FileRun | None:
    being_processed = FileRun.objects.filter(state__in=FileRun.WORK, beat_at__gte=timezone.now() - SILENT_FOR)
    if being_processed.count() >= MAX_CONCURRENT:
        return None
    claim = uuid4()
    waiting = due().filter(pk=run_id)
    if waiting.filter(tries__gte=MAX_TRIES).update(state=State.failed):
        return None
    is_mine = waiting.update(claim=claim, beat_at=timezone.now(), tries=F("tries") + 1)
    return FileRun.objects.get(pk=run_id) if is_mine else None


def _set(run: FileRun, **values: Any) -> None:
    """Update columns of the claimed row; raises LostClaimError if the claim is lost."""
    if not FileRun.objects.filter(pk=run.pk, claim=run.claim).update(**values):
        raise LostClaimError


def _end(run: FileRun, state: State, **values: Any) -> None:
    _set(run, state=state, claim=None, beat_at=None, tries=0, **values)


def _progress_reporter(run: FileRun, rows_all: int) -> Callable[[int], None]:
    """Return a function that counts processed rows and renews the claim once a second."""
    done, last = 0, time.monotonic()
    _set(run, rows_all=rows_all, rows_done=0, beat_at=timezone.now())

    def report_progress(rows: int) -> None:
        nonlocal done, last
        done += rows
        if time.monotonic() - last >= BEAT_SECONDS:
            last = time.monotonic()
            _set(run, rows_done=min(done, rows_all), beat_at=timezone.now())

    return report_progress


def _prepared(run: FileRun) -> Import:
    problems = Problems()
    renew_claim = partial(_progress_reporter(run, run.rows_all), 0)
    sheet = open_sheet(run.path, problems, run.file_name, renew_claim)
    kind = importer_for(sheet, TABLE_IMPORTERS, problems)
    problems.refuse()
    assert kind
    return prepare({kind: sheet}, None, problems)


def _check(run: FileRun) -> None:
    products = _prepared(run)
    found = products.check(_progress_reporter(run, products.rows))
    _end(run, State.checked, difference={name: vars(each) for name, each in found.items()})


def _apply(run: FileRun) -> None:
    products = _prepared(run)
    report_progress = _progress_reporter(run, 2 * products.rows)
    # The shop's rows may have changed since the check.
    products.check(report_progress)
    products.write(report_progress)
    _end(run, State.done, rows_done=F("rows_all"))


def _write(run: FileRun) -> None:
    export = EXPORTS[run.table]
    rows = export.count()
    report_progress = _progress_reporter(run, rows)
    draft = run.draft

    def lines() -> Any:
        for line in export.lines():
            yield line
            report_progress(1)

    try:
        write_file(lines(), draft, run.file_name.rpartition(".")[2])
        draft.replace(run.path)
    finally:
        draft.unlink(missing_ok=True)
    _end(run, State.done, rows_done=F("rows_all"))


_WORK: dict[State, Callable[[FileRun], None]] = {
    State.checking: _check,
    State.applying: _apply,
    State.writing: _write,
}


def delete_old_files() -> None:
    """Delete the files of old rows; move files without a row, and drafts of stopped workers.

    The rows stay as a log for a year. A row is deleted long after its file, so that a failed deletion of the
    file is tried again.
    """
    old = FileRun.objects.filter(created_at__lt=timezone.now() - RETENTION).exclude(state__in=FileRun.WORK)
    old.filter(state=State.checked).update(state=State.lapsed)
    process_in_batches("delete files", old, _delete_files)
    delete_in_batches(old.filter(created_at__lt=timezone.now() - LOG_RETENTION))
    move_lost_files(FileRun.folder(), _with_row)


def _delete_files(run_ids: list[int]) -> int:
    for run in FileRun.objects.filter(pk__in=run_ids):
        run.path.unlink(missing_ok=True)
    return len(run_ids)


def _with_row(files: list[str]) -> set[str]:
    """Return the files that belong to rows: uploaded or exported files, and drafts of current claims."""
    keys = [name.partition(".")[0] for name in files]
    runs = list(FileRun.objects.filter(pk__in=[key for key in keys if key.isdecimal()]))
    return {run.path.name for run in runs} | {run.draft.name for run in runs if run.claim and run.is_work}
