"""Runs the audit and stores its differences (docs/audit.md#each-night)."""

import logging
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from config.audits.books import all_differences
from config.audits.models import AuditRun
from core.audit import Difference, ended_after, snapshot
from core.due_rows import delete_in_batches

log = logging.getLogger(__name__)

# The number of differences that are stored of a run; all are counted.
MAX_KEPT = 100
# Less than the limit of a nightly job.
MAX_SECONDS = 45 * 60
KEPT_FOR = timedelta(days=365)


def run_audit() -> AuditRun:
    """Audit the books, and store the number of differences and the first of them; return the run.

    It ends within MAX_SECONDS, and is marked as failed if it was not completed. It blocks no writers. Call it
    outside any transaction; raises the error that made it fail.
    """
    run = AuditRun.objects.create()
    found: list[Difference] = []
    count = 0
    try:
        with snapshot(), ended_after(MAX_SECONDS):
            for difference in all_differences():
                count += 1
                if count <= MAX_KEPT:
                    found.append(difference)
    except Exception:
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        _note(run, count, found, failed=True)
        raise
    _note(run, count, found, failed=False)
    if count:
        log.error("the audit found %d differences, the first: %s", count, found[0])
    return run


def _note(run: AuditRun, count: int, found: list[Difference], *, failed: bool) -> None:
    first = [difference.as_stored() for difference in found]
    values = {"ended_at": timezone.now(), "count": count, "first": first, "failed": failed}
    AuditRun.objects.filter(pk=run.pk).update(**values)
    run.refresh_from_db()


def delete_old_runs() -> int:
    """Delete the runs that are over a year old; return how many."""
    return delete_in_batches(AuditRun.objects.filter(started_at__lt=timezone.now() - KEPT_FOR))
