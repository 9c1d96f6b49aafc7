"""Pictures from strangers: checked before they are unfolded, and drawn anew (RELIABILITY 3.18)."""

import io
import math
import threading
import warnings
from contextlib import suppress

from PIL import Image as Pillow
from PIL import ImageOps
from PIL.ExifTags import Base

MOST_BYTES = 5 * 1024 * 1024
# A small file may unfold to gigabytes; that of WebP needs four times as much memory on the way.
MOST_PIXELS = {"JPEG": 25_000_000, "PNG": 25_000_000, "WEBP": 10_000_000}
# Enough to read what is written on a receipt.
MOST_SIDE = 2400
_QUALITY = 85
# Rows that are worked on at a time.
_STRIP = 256
# Unfolded, one picture takes up to 190 MB.
_one_at_a_time = threading.Lock()


class NoPictureError(Exception):
    """Raised for a file that is no JPEG, PNG or WebP, is too large or cannot be read to its end."""


def drawn_anew(data: bytes) -> bytes:
    """Return a picture as a fresh JPEG of at most 2400 pixels a side, upright, on white.

    Nothing but its pixels is taken over: no place, no camera, no comment, no script. Raises NoPictureError.
    """
    if len(data) > MOST_BYTES:
        raise NoPictureError("too many bytes")
    try:
        with _one_at_a_time, warnings.catch_warnings():
            # How large it is is asked for here, before anything is unfolded.
            warnings.simplefilter("ignore")
            return _drawn(io.BytesIO(data))
    except NoPictureError:
        raise
    except Exception as error:
        # What a decoder makes of a hostile file is of any kind.
        raise NoPictureError(type(error).__name__) from error


def _drawn(data: io.BytesIO) -> bytes:
    with Pillow.open(data, formats=list(MOST_PIXELS)) as picture:
        if picture.width * picture.height > MOST_PIXELS[str(picture.format)]:
            raise NoPictureError("too many pixels")
        # A JPEG is unfolded no larger than needed.
        picture.draft(None, (MOST_SIDE, MOST_SIDE))
        picture.load()
        drawn = _on_white(picture, math.ceil(max(picture.size) / MOST_SIDE))
        # Notes that are junk say nothing of how it stands.
        with suppress(Exception):
            drawn.getexif()[Base.Orientation] = picture.getexif()[Base.Orientation]
    upright = ImageOps.exif_transpose(drawn)
    out = io.BytesIO()
    upright.save(out, "JPEG", quality=_QUALITY, exif=b"")
    return out.getvalue()


def _on_white(picture: Pillow.Image, divisor: int) -> Pillow.Image:
    """Return a picture's pixels on white, its sides divided, in strips: a whole copy is too much memory."""
    width, height = (math.ceil(side / divisor) for side in picture.size)
    drawn = Pillow.new("RGB", (width, height), "white")
    for top in range(0, picture.height, _STRIP * divisor):
        strip = picture.crop((0, top, picture.width, min(top + _STRIP * divisor, picture.height)))
        if strip.has_transparency_data:
            colours = strip.convert("RGBA")
            strip = Pillow.new("RGB", strip.size, "white")
            strip.paste(colours, mask=colours)
        drawn.paste(strip.convert("RGB").reduce(divisor), (0, top // divisor))
    return drawn
