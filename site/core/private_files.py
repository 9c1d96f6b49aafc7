"""Storages of files: public pictures, and files that cannot be downloaded by their URL alone.

None writes or deletes in a data folder that is not that of the database.
"""

from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage

from core.data_mark import FOLDERS, refuse_other_files

# The folder of documents, in the data folder; also the prefix of the names that Wagtail gives them.
DOCUMENTS = "documents"


class OwnFiles(FileSystemStorage):
    """Files that are written and deleted only in the data folder of the database.

    They can still be read from another folder, where a file with a random name is the right one.
    """

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        """Store a file and return its name, at most `max_length` characters long; raises OSError."""
        refuse_other_files()
        return super().save(name, content, max_length)

    def delete(self, name: str) -> None:
        """Delete a file; raises OSError."""
        refuse_other_files()
        super().delete(name)


def private_storage(folder: str) -> OwnFiles:
    """Return the storage of a folder of FOLDERS that only the shop can read, unlike the public pictures."""
    assert folder in FOLDERS
    return OwnFiles(
        location=settings.DATA_DIR / folder,
        file_permissions_mode=0o600,
        directory_permissions_mode=0o700,
    )


class MediaFiles(OwnFiles):
    """The public pictures, and Wagtail's documents, which only the shop can read.

    A document has no public URL, so the shop serves it (docs/guarantees/back-office.md#documents). The names
    of these files are not random, so another shop's folder may have them: they are not read from it.
    """

    def path(self, name: str) -> str:
        """Return the path of a file: of a document in its own folder."""
        within = _within_documents(name)
        return private_storage(DOCUMENTS).path(within) if within else super().path(name)

    def open(self, name: str, mode: str = "rb") -> Any:
        """Open a file; raises OSError."""
        refuse_other_files()
        return super().open(name, mode)

    def url(self, name: str | None) -> str:
        """Return the URL of a public file; raises NotImplementedError for a document."""
        if name and _within_documents(name):
            raise NotImplementedError("a document has no public URL")
        return super().url(name)

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        """Store a file and return its name, at most `max_length` characters long."""
        within = _within_documents(name or "")
        if not within:
            return super().save(name, content, max_length)
        longest = max_length and max_length - len(DOCUMENTS) - 1
        return f"{DOCUMENTS}/{private_storage(DOCUMENTS).save(within, content, longest)}"


def _within_documents(name: str) -> str:
    """Return the name of a document within its folder; empty for another file."""
    folder, _slash, within = name.partition("/")
    return within if folder == DOCUMENTS else ""
