"""Scheduled jobs of credit notes."""

from huey import crontab

from commerce.refunds.services import credit_notes
from core.queues import AT_NIGHT, upkeep


@upkeep.periodic(crontab(minute="*"), uses_files=True)
def make_due_credit_notes() -> None:
    """Make the credit notes of new refunds, each minute."""
    credit_notes.make_due_credit_notes()


@upkeep.periodic(crontab(hour="5", minute="40"), longest=AT_NIGHT, uses_files=True)
def move_credit_notes_without_row() -> None:
    """Move the files of credit notes without a row, each night."""
    credit_notes.move_files_without_row()
