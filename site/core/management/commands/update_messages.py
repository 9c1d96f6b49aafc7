"""Updates the Chinese catalogue with the texts in the code, without GNU gettext."""

from datetime import UTC, datetime
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from django.core.management.base import BaseCommand

from core.texts import FILE, catalogue, texts, translations

# With the current date the file would change at every run.
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


class Command(BaseCommand):
    """Adds new texts untranslated, removes unused texts, and lists texts without a translation."""

    help = __doc__ or ""

    def handle(self, *_args: Any, **_options: Any) -> None:
        known = catalogue()
        fresh = Catalog(
            locale="zh_Hans",
            project="shop",
            version="1",
            header_comment="# Chinese texts of the shop; brought up to date by `manage.py update_messages`.",
            creation_date=NO_DATE,
            revision_date=NO_DATE,
            fuzzy=False,
        )
        for text in texts():
            before = known.get(text.singular, context=text.context)
            fresh.add(
                (text.singular, text.plural) if text.plural else text.singular,
                before.string if before else None,
                locations=[(text.file, 0)],
                context=text.context,
            )
        missing = [message for message in fresh if message.id and not all(translations(message))]
        for message in missing:
            self.stdout.write(f"{message.context or ''}\t{message.id}")
        FILE.parent.mkdir(parents=True, exist_ok=True)
        with FILE.open("wb") as file:
            write_po(file, fresh, width=110, include_lineno=False, sort_output=True)
        self.stdout.write(f"{len(fresh)} texts, {len(missing)} without a translation in {FILE}")
