"""Stores PDFs that are made once and read only by a signed link (docs/guarantees/money.md#invoices)."""

import hashlib
from collections.abc import Callable, Iterable
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import TypeVar

from django.core import signing
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage
from django.db.models import Model, QuerySet
from django.urls import reverse

from core.lost_files import move_lost_files
from core.private_files import private_storage

LINK_VALID_FOR = timedelta(days=30)

Row = TypeVar("Row", bound=Model)


class StoredPdfs:
    """The PDFs of one kind, each with a random name.

    `folder`: below the shop's data; `url_name`: of the view that shows a PDF; `salt`: of link signatures.
    """

    def __init__(self, *, folder: str, url_name: str, salt: str) -> None:
        self._folder = folder
        self._url_name = url_name
        self._signer = signing.TimestampSigner(salt=salt)

    @property
    def _storage(self) -> FileSystemStorage:
        return private_storage(self._folder)

    def store(self, name: str, pdf: bytes) -> str:
        """Store a PDF and return its SHA-256, in hexadecimal digits."""
        self._storage.save(file_name(name), BytesIO(pdf))
        return hashlib.sha256(pdf).hexdigest()

    def delete(self, name: str) -> None:
        """Delete a PDF."""
        self._storage.delete(file_name(name))

    def url(self, name: str) -> str:
        """Return a path that shows a PDF without login for thirty days."""
        key = self._signer.sign(name).removeprefix(f"{name}:")
        return f"{reverse(self._url_name, args=[name])}?key={key}"

    def open(self, rows: QuerySet[Row], *, name: str, key: str) -> tuple[Row, File[bytes]] | None:
        """Return the row and the PDF of a `url`; None if the key is wrong or expired, or row or file missing.

        The key is checked before the query, since an unsigned name may have any characters.
        """
        try:
            self._signer.unsign(f"{name}:{key}", max_age=LINK_VALID_FOR)
            row = rows.filter(name=name).first()
            return (row, self._storage.open(file_name(name))) if row else None
        except (signing.BadSignature, FileNotFoundError):
            return None

    def hash_of(self, name: str) -> str | None:
        """Return the SHA-256 of a stored PDF; None if the file is missing."""
        try:
            with self._storage.open(file_name(name)) as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            return None

    def move_without_row(self, with_row: Callable[[list[str]], Iterable[str]]) -> int:
        """Move files that have had no row for more than a day, after a failure; return their number.

        `with_row`: returns those of the given names that have a row.
        """
        return move_lost_files(
            Path(self._storage.location),
            lambda files: {file_name(name) for name in with_row([Path(file).stem for file in files])},
        )


def file_name(name: str) -> str:
    """Return the file name of a PDF, in the folder and for downloads."""
    return f"{name}.pdf"
