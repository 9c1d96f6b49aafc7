"""`manage.py move_documents`: moves documents of earlier releases out of the public folder."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from content.documents import move_documents


class Command(BaseCommand):
    """Moves the documents of earlier releases (docs/production.md#upgrades)."""

    help = "Move the documents of earlier releases out of the public folder."

    def handle(self, *args: Any, **options: Any) -> None:
        """Move the documents; raise CommandError with the files that were left."""
        moved, left = move_documents()
        self.stdout.write(f"{moved} documents were moved")
        if left:
            raise CommandError(
                "These differ from documents with the same names: " + ", ".join(str(file) for file in left)
            )
