"""Starts imports and exports of the back office: stores a row first, then queues a task."""

from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils import timezone, translation

from catalog.imports.limits import MAX_BYTES as MAX_BYTES
from catalog.imports.models import FileRun
from catalog.imports.tasks import process_file_run
from core.clock import shop_zone
from core.enqueue import enqueue_after_commit

State = FileRun.State


class TooLargeError(Exception):
    """Raised if a file exceeds the size limit."""


def import_file(user: Any, file: UploadedFile) -> FileRun:
    """Store a file and queue its check, without other changes. Raises TooLargeError."""
    if (file.size or 0) > MAX_BYTES:
        raise TooLargeError
    name = Path(file.name or "").name[-200:]
    return _begin(user, name, State.checking, file=file)


def apply_import(run_id: int) -> bool:
    """Queue a checked file to be applied; return False if its state is no longer `checked`."""
    with transaction.atomic():
        is_mine = FileRun.objects.filter(pk=run_id, state=State.checked).update(
            state=State.applying, rows_done=0, tries=0, claim=None, beat_at=None
        )
        if is_mine:
            _hint(run_id)
    return bool(is_mine)


def export_file(user: Any, table: str, format: str) -> FileRun:
    """Queue an export of a table to a file; `table` is a key of EXPORTS, `format` one of FORMATS."""
    day = timezone.localdate(timezone=shop_zone())
    return _begin(user, f"{table}-{day.isoformat()}.{format}", State.writing, table=table)


def _begin(
    user: Any, name: str, state: State, *, table: str = "", file: UploadedFile | None = None
) -> FileRun:
    with transaction.atomic():
        run = FileRun.objects.create(
            user=user, language=translation.get_language() or "en", file_name=name, table=table, state=state
        )
        run.path.parent.mkdir(mode=0o700, exist_ok=True)
        if file:
            with run.path.open("wb") as target:
                for chunk in file.chunks():
                    target.write(chunk)
        _hint(run.pk)
    return run


def _hint(run_id: int) -> None:
    enqueue_after_commit(process_file_run, run_id)
