"""The program that decodes one uploaded picture; `core.pictures.uploads` runs it in a separate process.

It reads the picture from standard input. It writes a hash of HASH_BYTES and then the re-encoded picture to
standard output, which must be a file. It imports no module of the shop, so that it starts quickly. Its
arguments are limits that it sets before it reads: bytes of memory, seconds of processor time, bytes of
output. See docs/guarantees/customers.md#uploaded-pictures.
"""

import io
import math
import os
import resource
import sys
import warnings
from contextlib import suppress

from PIL import Image as Pillow
from PIL import ImageOps
from PIL.ExifTags import Base

# The exit code for a picture that cannot be used.
REFUSED = 3
# A small file may decode to gigabytes; WebP needs four times as much memory as the others.
MAX_PIXELS = {"JPEG": 25_000_000, "PNG": 25_000_000, "WEBP": 10_000_000}
# Enough to read a receipt.
MAX_SIDE = 2400
_QUALITY = 85
# Cells per row and column; with half as many, all receipts of one bank would have the same hash.
_HASH_SIDE = 32
# Of 255; smaller differences in brightness may come from the encoding.
_HASH_STEP = 2
HASH_BYTES = _HASH_SIDE * _HASH_SIDE // 8
# The number of pixel rows that are processed at a time.
_STRIP = 256
# Requests of shoppers have priority.
_NICENESS = 5


def main() -> None:
    """Re-encode standard input within the limits of the arguments; exit with REFUSED if that fails."""
    memory, seconds, output = map(int, sys.argv[1:])
    _limit(resource.RLIMIT_CPU, seconds)
    _limit(resource.RLIMIT_FSIZE, output)
    _limit(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        # Other systems cannot limit it.
        _limit(resource.RLIMIT_AS, memory)
    os.nice(_NICENESS)
    try:
        # The code checks the size before it decodes anything.
        warnings.simplefilter("ignore")
        picture = reencoded(sys.stdin.buffer.read())
        sys.stdout.buffer.write(picture)
        sys.stdout.buffer.flush()
    except Exception:
        # A decoder may raise any exception for a hostile file.
        os._exit(REFUSED)


def _limit(kind: int, most: int) -> None:
    _, allowed = resource.getrlimit(kind)
    if allowed != resource.RLIM_INFINITY:
        most = min(most, allowed)
    resource.setrlimit(kind, (most, most))


def reencoded(data: bytes) -> bytes:
    """Return the hash and the re-encoded picture; any exception shows that it is no picture."""
    with Pillow.open(io.BytesIO(data), formats=list(MAX_PIXELS)) as picture:
        if picture.width * picture.height > MAX_PIXELS[str(picture.format)]:
            raise ValueError("too many pixels")
        # A JPEG can be decoded at a reduced size.
        picture.draft(None, (MAX_SIDE, MAX_SIDE))
        picture.load()
        copy = _on_white(picture, math.ceil(max(picture.size) / MAX_SIDE))
        # Broken EXIF data has no orientation.
        with suppress(Exception):
            copy.getexif()[Base.Orientation] = picture.getexif()[Base.Orientation]
    upright = ImageOps.exif_transpose(copy)
    out = io.BytesIO()
    out.write(_difference_hash(upright))
    upright.save(out, "JPEG", quality=_QUALITY, exif=b"")
    return out.getvalue()


def _difference_hash(picture: Pillow.Image) -> bytes:
    """Return one bit per cell: whether it is brighter than the next. Re-encoding and resizing change few.

    A library for this would add NumPy and SciPy.
    """
    width = _HASH_SIDE + 1
    grey = picture.convert("L").resize((width, _HASH_SIDE), Pillow.Resampling.BOX).tobytes()
    bits = 0
    for place in range(len(grey) - 1):
        if place % width != _HASH_SIDE:
            bits = bits << 1 | (grey[place] > grey[place + 1] + _HASH_STEP)
    return bits.to_bytes(HASH_BYTES)


def _on_white(picture: Pillow.Image, divisor: int) -> Pillow.Image:
    """Return a picture on white with its sides divided by `divisor`; copied in strips to save memory."""
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


if __name__ == "__main__":
    main()
