"""Checks uploaded pictures before they are decoded, and re-encodes them.

See docs/guarantees.md#pictures-from-strangers.
"""

import io
import math
import threading
import warnings
from contextlib import suppress

from PIL import Image as Pillow
from PIL import ImageOps
from PIL.ExifTags import Base

MAX_BYTES = 5 * 1024 * 1024
# A small file may decode to gigabytes; WebP needs four times as much memory.
MAX_PIXELS = {"JPEG": 25_000_000, "PNG": 25_000_000, "WEBP": 10_000_000}
# Enough to read a receipt.
MAX_SIDE = 2400
_QUALITY = 85
# Rows of pixels that are processed at a time.
_STRIP = 256
# One decoded picture takes up to 190 MB.
_one_at_a_time = threading.Lock()


class NoPictureError(Exception):
    """Raised for a file that is no JPEG, PNG or WebP, is too large or cannot be read to its end."""


def reencode(data: bytes) -> bytes:
    """Return a picture re-encoded as a JPEG of at most 2400 pixels a side, upright, on white.

    Only its pixels are stored: no location, camera, comment or script. Raises NoPictureError.
    """
    if len(data) > MAX_BYTES:
        raise NoPictureError("too many bytes")
    try:
        with _one_at_a_time, warnings.catch_warnings():
            # The size is checked before anything is decoded.
            warnings.simplefilter("ignore")
            return _reencoded(io.BytesIO(data))
    except NoPictureError:
        raise
    except Exception as error:
        # A decoder may raise anything for a hostile file.
        raise NoPictureError(type(error).__name__) from error


def _reencoded(data: io.BytesIO) -> bytes:
    with Pillow.open(data, formats=list(MAX_PIXELS)) as picture:
        if picture.width * picture.height > MAX_PIXELS[str(picture.format)]:
            raise NoPictureError("too many pixels")
        # A JPEG can be decoded at a smaller size.
        picture.draft(None, (MAX_SIDE, MAX_SIDE))
        picture.load()
        copy = _on_white(picture, math.ceil(max(picture.size) / MAX_SIDE))
        # Broken EXIF data has no orientation.
        with suppress(Exception):
            copy.getexif()[Base.Orientation] = picture.getexif()[Base.Orientation]
    upright = ImageOps.exif_transpose(copy)
    out = io.BytesIO()
    upright.save(out, "JPEG", quality=_QUALITY, exif=b"")
    return out.getvalue()


def _on_white(picture: Pillow.Image, divisor: int) -> Pillow.Image:
    """Return a picture on white, its sides divided, copied in strips to save memory."""
    width, height = (math.ceil(side / divisor) for side in picture.size)
    copy = Pillow.new("RGB", (width, height), "white")
    for top in range(0, picture.height, _STRIP * divisor):
        strip = picture.crop((0, top, picture.width, min(top + _STRIP * divisor, picture.height)))
        if strip.has_transparency_data:
            colours = strip.convert("RGBA")
            strip = Pillow.new("RGB", strip.size, "white")
            strip.paste(colours, mask=colours)
        copy.paste(strip.convert("RGB").reduce(divisor), (0, top // divisor))
    return copy
