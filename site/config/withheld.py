"""The dashboard's card of folders whose files do not fit the database."""

from typing import Any

from django.utils.translation import gettext as _

from core.data_mark import mismatch
from core.lost_files import withheld
from core.pending import SHOWN, Card, Item


def withheld_card(user: Any) -> Card | None:
    """Return the card of files that do not fit the database: of another data folder, or without a row."""
    if not user.has_perm("audits.view_auditrun"):
        return None
    note = _("Ask your operators to check that the shop runs with its own database and data folder")
    folders = withheld()
    items = [
        Item(
            _("%(folder)s: %(lost)d of %(files)d files have no row, so none was moved")
            % {"folder": each.folder, "lost": each.lost, "files": each.files},
            note=note,
        )
        for each in folders[:SHOWN]
    ]
    total = len(folders)
    if mismatch():
        text = _("The data folder is not that of the database, so uploads, imports and invoices wait")
        items, total = [Item(text, note=note), *items][:SHOWN], total + 1
    return Card("withheld", _("Files that do not fit the database"), "warning", items, total)
