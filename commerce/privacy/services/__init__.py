"""What customers decide about their data, one file for each subject."""

from commerce.privacy.services.consent import (
    change_consent,
    consent_of_newcomer,
    has_consented,
    may_be_written_to,
    unsubscribe,
)
from commerce.privacy.services.copying import CopyFormat, DataFile, copy_of_data, give_copy, note_copy
from commerce.privacy.services.deleting import delete_account, delete_again, obstacles_of
from commerce.privacy.services.erasing import erase, erase_due, wipe_due
from commerce.privacy.services.purge import delete_old_copies

__all__ = [
    "CopyFormat",
    "DataFile",
    "change_consent",
    "consent_of_newcomer",
    "copy_of_data",
    "delete_account",
    "delete_again",
    "delete_old_copies",
    "erase",
    "erase_due",
    "give_copy",
    "has_consented",
    "may_be_written_to",
    "note_copy",
    "obstacles_of",
    "unsubscribe",
    "wipe_due",
]
