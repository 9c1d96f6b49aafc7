"""Rules of providers' lists that the audit checks (docs/guarantees.md#providers-lists)."""

from collections.abc import Iterator

from commerce.statements.models import StatementDifference
from commerce.statements.services.fetch import late_statements
from core.audit import Difference, run_rules


def differences() -> Iterator[Difference]:
    """Name the lists that were not fetched in time, and where lists and books differ."""
    yield from run_rules(_fetched, _open)


def _fetched() -> Iterator[Difference]:
    for statement in late_statements().order_by("pk").iterator():
        row = f"list of {statement.provider} of {statement.day}"
        yield Difference("statement-fetched", row, f"not fetched after {statement.tries} tries")


def _open() -> Iterator[Difference]:
    rows = StatementDifference.objects.filter(state=StatementDifference.State.open)
    for row in rows.select_related("statement").order_by("pk").iterator():
        where = f"list of {row.statement.provider} of {row.statement.day}"
        what = f"{row.kind} {row.reference or row.provider_ref}"
        found = f"{what}: {row.reason}, there {row.theirs}, here {row.ours}"
        yield Difference("statement-difference", where, found)
