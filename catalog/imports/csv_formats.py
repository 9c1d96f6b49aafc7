"""Recognises the encoding and the separator with which Excel in China and Australia writes CSV."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_CHUNK = 1 << 20
# Enough for the heading of any table.
_HEAD = 64 << 10
_SEPARATORS = (",", ";", "\t")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Excel's own hint in the first line: sep=;
_HINT = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]+")
# In Chinese text almost all bytes beyond ASCII follow each other, in Western text almost none.
_MOSTLY, _HARDLY = 0.8, 0.2


class CsvFormat(NamedTuple):
    """How a CSV file is written; `skipped`: lines before the heading."""

    encoding: str = "utf-8-sig"
    separator: str = ","
    skipped: int = 0


# With commas, as the shop's own exports.
UTF_8 = CsvFormat()


def csv_format(path: Path) -> CsvFormat:
    """Return how a file is written; of an unknown encoding UTF-8, which then shows the wrong bytes."""
    encoding = _encoding(path)
    with path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
        head = file.read(_HEAD)
    if hint := _HINT.match(head):
        return CsvFormat(encoding, hint[1], 1)
    lines = (line for line in head.splitlines() if line.strip(" ,;\t"))
    heading = next(lines, "")
    return CsvFormat(encoding, max(_SEPARATORS, key=heading.count))


def _encoding(path: Path) -> str:
    with path.open("rb") as file:
        is_utf_16 = file.read(2) in _UTF_16
    if is_utf_16:
        return "utf-16" if _decodes(path, "utf-16") else UTF_8.encoding
    if _decodes(path, "utf-8"):
        return UTF_8.encoding
    share = _share_of_neighbours(path)
    if share >= _MOSTLY and _decodes(path, "gb18030"):
        return "gb18030"
    if share <= _HARDLY and _decodes(path, "cp1252"):
        return "cp1252"
    return UTF_8.encoding


def _decodes(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for chunk in _chunks(path):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _share_of_neighbours(path: Path) -> float:
    """Return the share of the bytes beyond ASCII that are next to another one."""
    alone = together = 0
    for chunk in _chunks(path):
        for found in _BEYOND_ASCII.finditer(chunk):
            length = found.end() - found.start()
            alone, together = (alone + 1, together) if length == 1 else (alone, together + length)
    return together / ((alone + together) or 1)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(lambda: file.read(_CHUNK), b"")
