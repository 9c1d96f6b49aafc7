"""The dashboard's card of the last audit, or of missing audits."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from config.audits.meanings import found_of, place_of, subject_of
from config.audits.models import AuditRun
from core.pending import SHOWN, Card, Item, when

# Two nights without an audit, plus an hour for daylight saving.
LATE = timedelta(hours=50)


def audit_card(user: Any) -> Card | None:
    """Return the card of the last audit, which also shows a failed or missing one; at most three queries."""
    if not user.has_perm("audits.view_auditrun"):
        return None
    ended = AuditRun.objects.filter(ended_at__isnull=False)
    last, whole = ended.first(), ended.filter(failed=False).first()
    items = []
    if last and last.failed:
        items.append(Item(_("The last audit did not come to its end"), _page(last), when(last.started_at)))
    since = whole.started_at if whole else _possible_since()
    if timezone.now() - since > LATE:
        items.append(Item(_("No audit for two nights"), reverse("audit_runs:index"), when(since)))
    shown = len(items)
    if whole:
        items += [
            Item(subject_of(each["rule"]), _page(whole), f"{place_of(each['row'])} · {found_of(each)}")
            for each in whole.first
        ]
    return Card(
        "audit",
        _("Books that do not agree"),
        "warning",
        items[:SHOWN],
        shown + (whole.count if whole else 0),
        reverse("audit_runs:index"),
        _("All audits of the books"),
    )


def _possible_since() -> datetime:
    """Return when the shop's first audit was possible."""
    applied = MigrationRecorder(connection).migration_qs.filter(app=AuditRun._meta.app_label)
    first: datetime | None = applied.aggregate(first=Min("applied"))["first"]
    return first or timezone.now()


def _page(run: AuditRun) -> str:
    return reverse("audit_runs:inspect", args=[run.pk])
