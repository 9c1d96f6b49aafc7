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
from PIL import ImageCms, ImageOps
from PIL.ExifTags import Base

# The exit code for a picture that cannot be used.
REFUSED = 3
# A small file may decode to gigabytes; WebP needs four times as much memory as the others.
MAX_PIXELS = {"JPEG": 25_000_000, "PNG": 25_000_000, "WEBP": 10_000_000}
# Pillow names a JPEG that holds several pictures, as phones write it, by its multi-picture format.
_AS_FORMAT = {"MPO": "JPEG"}
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
        if picture.width * picture.height > MAX_PIXELS[format_of(picture)]:
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


def format_of(picture: Pillow.Image) -> str:
    """Return the format of a picture's content."""
    name = str(picture.format)
    return _AS_FORMAT.get(name, name)


def as_srgb(picture: Pillow.Image) -> Pillow.Image:
    """Return a picture as RGB or RGBA in the colours of sRGB, which viewers assume without a profile.

    Its own colours, such as a phone's Display P3, are converted.
    """
    to_srgb = _to_srgb(picture)
    if picture.has_transparency_data:
        clear = picture.convert("RGBA")
        converted = _converted(clear.convert("RGB"), to_srgb)
        converted.putalpha(clear.getchannel("A"))
        return converted
    return _converted(picture, to_srgb)


def _to_srgb(picture: Pillow.Image) -> ImageCms.ImageCmsTransform | None:
    """Return the transform from a picture's own colours; None if it has none."""
    mode = "CMYK" if picture.mode == "CMYK" else "RGB"
    # A broken profile, or one of another kind of colours, counts as none, as in browsers.
    with suppress(Exception):
        profile = ImageCms.ImageCmsProfile(io.BytesIO(picture.info["icc_profile"]))
        if profile.profile.xcolor_space.strip() == mode:
            return ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), mode, "RGB")
    return None


def _eight_bits(picture: Pillow.Image) -> Pillow.Image:
    """Return a picture with eight bits for each colour; Pillow would turn finer greys into white."""
    if picture.mode not in ("I", "I;16", "I;16L", "I;16B"):
        return picture
    return picture.convert("I").point(lambda value: value / 256).convert("L")


def _converted(picture: Pillow.Image, to_srgb: ImageCms.ImageCmsTransform | None) -> Pillow.Image:
    """Return a picture without transparency as RGB, in the colours of sRGB, without its profile."""
    if to_srgb is None:
        converted = _eight_bits(picture).convert("RGB")
    else:
        own = picture if picture.mode == to_srgb.input_mode else picture.convert(to_srgb.input_mode)
        applied = ImageCms.applyTransform(own, to_srgb)
        assert applied
        converted = applied
    converted.info.pop("icc_profile", None)
    return converted


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
    copy, to_srgb = Pillow.new("RGB", (width, height), "white"), _to_srgb(picture)
    for top in range(0, picture.height, _STRIP * divisor):
        strip = picture.crop((0, top, picture.width, min(top + _STRIP * divisor, picture.height)))
        if strip.has_transparency_data:
            colours = strip.convert("RGBA")
            strip = Pillow.new("RGB", strip.size, "white")
            strip.paste(colours, mask=colours)
        copy.paste(_converted(strip, to_srgb).reduce(divisor), (0, top // divisor))
    return copy


if __name__ == "__main__":
    main()
