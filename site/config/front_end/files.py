"""A file as the body of an answer."""

from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import IO

_BLOCK_BYTES = 128 * 1024


class SentFile:
    """The WSGI file wrapper (PEP 3333): an answer that is a file, from its current position."""

    def __init__(self, file: IO[bytes], _block_size: int = 0) -> None:
        self._file = file

    def __iter__(self) -> Iterator[bytes]:
        """Read the rest of the file."""
        return iter(lambda: self._file.read(_BLOCK_BYTES), b"")

    def close(self) -> None:
        """Close the file and thereby Django's response."""
        self._file.close()

    def path(self) -> str | None:
        """Return the path of the file; None unless the answer is the whole file."""
        raw = getattr(self._file, "raw", None)
        if isinstance(raw, FileIO) and isinstance(raw.name, str) and not self._file.tell():
            return str(Path(raw.name).absolute())
        return None
