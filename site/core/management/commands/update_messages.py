"""Brings the Chinese catalogue up to date with the texts in the code, without GNU gettext."""

from datetime import UTC, datetime
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand

from core.messages import texts

# A date of its own would change the file whenever the command runs.
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
FILE = settings.BASE_DIR / "site" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"


class Command(BaseCommand):
    """Adds new texts untranslated, drops those that are gone, and lists what is still to translate."""

    help = __doc__ or ""

    def handle(self, *_args: Any, **_options: Any) -> None:
        known = read_po(FILE.open("rb"), locale="zh_Hans") if FILE.exists() else Catalog(locale="zh_Hans")
        catalogue = Catalog(
            locale="zh_Hans",
            header_comment="# Chinese texts of the shop; brought up to date by `manage.py update_messages`.",
            creation_date=NO_DATE,
            revision_date=NO_DATE,
            fuzzy=False,
        )
        missing = 0
        for text in texts():
            id_ = (text.singular, text.plural) if text.plural else text.singular
            before = known.get(text.singular, context=text.context)
            translation = before.string if before and before.string else None
            catalogue.add(id_, translation, locations=[(text.file, None)], context=text.context)
        for message in catalogue:
            strings = message.string if isinstance(message.string, list | tuple) else [message.string]
            if message.id and not all(strings):
                missing += 1
                self.stdout.write(f"{message.context or ''}\t{message.id}")
        FILE.parent.mkdir(parents=True, exist_ok=True)
        with FILE.open("wb") as file:
            write_po(file, catalogue, width=110, omit_header=False, sort_output=True)
        self.stdout.write(f"{len(catalogue)} texts, {missing} without a translation")
