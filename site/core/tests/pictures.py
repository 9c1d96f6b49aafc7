"""Pictures for tests of any app."""

import io
import struct
import zlib
from typing import Any

from PIL import Image
from wagtail.images import models
from wagtail.images.tests.utils import get_test_image_file


def make_picture(title: str = "dish", **fields: Any) -> models.Image:
    """Make a picture of the library."""
    made: models.Image = models.Image.objects.create(title=title, file=get_test_image_file(), **fields)
    return made


def picture(colour: str = "green", format: str = "WEBP") -> bytes:
    """Make the file of a small picture."""
    data = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(data, format)
    return data.getvalue()


def png_that_unfolds(side: int) -> bytes:
    """Make a small file of a square picture of one colour that has very many pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(side * (side // 8 + 1)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
