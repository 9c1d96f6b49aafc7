"""The dashboard's card of folders whose files do not fit the database."""

from typing import Any

from django.utils.translation import gettext as _

from core.lost_files import withheld
from core.pending import SHOWN, Card, Item


def withheld_card(user: Any) -> Card | None:
    """Return the card of the folders whose files without a row were not moved; no query."""
    if not user.has_perm("audits.view_auditrun"):
        return None
    folders = withheld()
    items = [
        Item(
            _("%(folder)s: %(lost)d of %(files)d files have no row, so none was moved")
            % {"folder": each.folder, "lost": each.lost, "files": each.files},
            note=_("Ask your operators to check that the shop runs with its own database and data folder"),
        )
        for each in folders[:SHOWN]
    ]
    return Card("withheld", _("Files that do not fit the database"), "warning", items, len(folders))
