"""What is done about files that staff bring in or take out: by a task, or by the sweep that finds them.

A worker has a claim on a row and says every second that it lives; a claim that is silent for minutes is
another's to take. Whatever is done may be begun again: an import writes only what is not written yet.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation

from catalog.goods.importer.exporting import write_file
from catalog.goods.importer.importing import Import, kind_of, prepare
from catalog.goods.importer.problems import ImportRefusedError, Problems
from catalog.goods.importer.sheets import open_sheet
from catalog.stock.exporting import EXPORTS
from catalog.stock.importer import KINDS
from catalog.stock.models import FileRun

log = logging.getLogger(__name__)

State = FileRun.State
MOST_TRIES = 3
# Longer than a workbook takes to unpack, which nothing is heard of meanwhile.
SILENT_FOR = timedelta(minutes=3)
BEAT_SECONDS = 1.0
# Files are kept for so long; what nobody has decided about by then lapses.
KEPT_FOR = timedelta(days=3)


class LostClaimError(Exception):
    """Raised when another worker has taken over."""


def due() -> QuerySet[FileRun]:
    """Return the rows that wait for a worker, or whose worker has fallen silent."""
    silent = Q(beat_at=None) | Q(beat_at__lt=timezone.now() - SILENT_FOR)
    return FileRun.objects.filter(silent, state__in=FileRun.WORK)


def work(run_id: int) -> None:
    """Do what is to be done about a row, if it waits for a worker. May run twice, also at once."""
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
            # Free for the sweep; after the last try it stays as it is, to be looked at.
            _set(
                run, claim=None, beat_at=None, **({"state": State.failed} if run.tries >= MOST_TRIES else {})
            )


def _claimed(run_id: int) -> FileRun | None:
    claim = uuid4()
    waiting = due().filter(pk=run_id)
    if waiting.filter(tries__gte=MOST_TRIES).update(state=State.failed):
        return None
    is_mine = waiting.update(claim=claim, beat_at=timezone.now(), tries=F("tries") + 1)
    return FileRun.objects.get(pk=run_id) if is_mine else None


def _set(run: FileRun, **values: Any) -> None:
    """Write columns of a row that this worker has; raises LostClaimError if it has it no more."""
    if not FileRun.objects.filter(pk=run.pk, claim=run.claim).update(**values):
        raise LostClaimError


def _end(run: FileRun, state: State, **values: Any) -> None:
    _set(run, state=state, claim=None, beat_at=None, tries=0, **values)


def _teller(run: FileRun, rows_all: int) -> Callable[[int], None]:
    """Return what counts the rows that are done, and says every second that this worker lives."""
    done, last = 0, time.monotonic()
    _set(run, rows_all=rows_all, rows_done=0, beat_at=timezone.now())

    def tell(rows: int) -> None:
        nonlocal done, last
        done += rows
        if time.monotonic() - last >= BEAT_SECONDS:
            last = time.monotonic()
            _set(run, rows_done=min(done, rows_all), beat_at=timezone.now())

    return tell


def _prepared(run: FileRun) -> Import:
    problems = Problems()
    sheet = open_sheet(run.path, problems, run.file_name)
    kind = kind_of(sheet, KINDS, problems)
    problems.refuse()
    assert kind
    return prepare({kind: sheet}, None, problems)


def _check(run: FileRun) -> None:
    goods = _prepared(run)
    found = goods.check(_teller(run, goods.rows))
    _end(run, State.checked, difference={name: vars(each) for name, each in found.items()})


def _apply(run: FileRun) -> None:
    goods = _prepared(run)
    tell = _teller(run, 2 * goods.rows)
    # The shop may have changed since it was looked at.
    goods.check(tell)
    goods.write(tell)
    _end(run, State.done, rows_done=F("rows_all"))


def _write(run: FileRun) -> None:
    export = EXPORTS[run.table]
    rows = export.count()
    tell = _teller(run, rows)
    draft = run.path.with_suffix(f".{run.claim}")

    def lines() -> Any:
        for line in export.lines():
            yield line
            tell(1)

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


def forget_files() -> None:
    """Delete the files of old rows; who brought what in when stays."""
    old = FileRun.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).exclude(state__in=FileRun.WORK)
    old.filter(state=State.checked).update(state=State.lapsed)
    for run in old:
        run.path.unlink(missing_ok=True)
