"""Rules of providers' lists that the audit checks (docs/guarantees/money.md#providers-lists)."""

from collections.abc import Iterator

from django.utils.translation import gettext_noop as _

from commerce.statements.models import Kind, Statement, StatementDifference
from commerce.statements.services.fetch import late_statements
from core.audit import Difference, about, label_of, run_rules


@about(Statement, StatementDifference)
def differences() -> Iterator[Difference]:
    """Yield a difference for each list that was not fetched in time, and each open statement difference."""
    yield from run_rules(_fetched, _open)


def _fetched() -> Iterator[Difference]:
    for statement in late_statements().order_by("pk").iterator():
        row = f"list of {statement.provider} of {statement.day}"
        yield Difference(
            "statement-fetched", row, _("not fetched after %(tries)s tries"), tries=statement.tries
        )


def _open() -> Iterator[Difference]:
    rows = StatementDifference.objects.filter(state=StatementDifference.State.open)
    for row in rows.select_related("statement").order_by("pk").iterator():
        where = f"list of {row.statement.provider} of {row.statement.day}"
        yield Difference(
            "statement-difference",
            where,
            _("%(kind)s %(number)s: %(reason)s, there %(theirs)s, here %(ours)s"),
            kind=label_of(Kind, row.kind),
            number=row.reference or row.provider_ref,
            reason=label_of(StatementDifference.Reason, row.reason),
            theirs=row.theirs,
            ours=row.ours,
        )
