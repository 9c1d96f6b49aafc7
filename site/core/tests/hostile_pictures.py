"""Hostile files that a visitor might upload as a picture, made again each time."""

import io
import struct
import zlib
from typing import Any

from PIL import Image as Pillow
from PIL.PngImagePlugin import PngInfo

from core.pictures.uploads import MAX_BYTES

SCRIPT = b"<script>alert(1)</script>"
SECRET = b"SECRET"


def picture(format: str = "JPEG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **kw: Any) -> bytes:
    out = io.BytesIO()
    Pillow.new(mode, size).save(out, format, **kw)
    return out.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_of(width: int, height: int, data: bytes = b"\0" * 64, *more: bytes, depth: int = 8) -> bytes:
    """Return a PNG of colours that declares a size, whatever data is in it."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0))
    tail = chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + tail


def text_bomb() -> bytes:
    info = PngInfo()
    info.add_text("a", "x" * 3_000_000, zip=True)
    return picture("PNG", pnginfo=info)


def truncated(format: str) -> bytes:
    whole = picture(format, (300, 300), "RGB")
    return whole[: len(whole) * 2 // 3]


def repeating_jpeg() -> bytes:
    """Return a JPEG of 200 KB that paints its 25 million pixels twenty thousand times over."""
    small = picture("JPEG", mode="L", progressive=True)
    start = small.index(b"\xff\xda")
    size = small.index(b"\xff\xc2") + 5
    head = small[:size] + struct.pack(">HH", 5_000, 5_000) + small[size + 4 : start]
    first = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x01\x00"
    finer = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x10\x00"
    return head + first + finer * 20_000 + b"\xff\xd9"


def with_exif(**kw: Any) -> bytes:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "SECRET description"
    exif.get_ifd(0x8825)[1] = "SECRET place"
    exif.get_ifd(0x8825)[2] = (31.0, 57.0, 0.0)
    return picture(exif=exif, size=(80, 20), **kw)


def animated(format: str) -> bytes:
    return picture(format, save_all=True, append_images=[Pillow.new("RGB", (60, 40), "red")] * 3)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def hostile() -> dict[str, bytes]:
    """Return files that are no pictures that the shop accepts, by what is wrong with them."""
    return {
        "nothing": b"",
        "one byte": b"\xff",
        "head of a JPEG": b"\xff\xd8\xff\xe0",
        "head of a PNG": b"\x89PNG\r\n\x1a\n",
        "head of a WebP": b"RIFF\x24\0\0\0WEBPVP8 ",
        "zeros": b"\0" * 5000,
        "text": b"hello",
        "HTML": b"<!doctype html>" + SCRIPT,
        "HTML after spaces": b" \n" * 100 + SCRIPT,
        "SVG": SVG,
        "SVG with a head": b'<?xml version="1.0"?>' + SVG,
        "SVG with entities": b'<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]><s>&a;</s>',
        "PDF": b"%PDF-1.7\n1 0 obj <<>> endobj",
        "ZIP": b"PK\x03\x04" + b"\0" * 100,
        "program": b"\x7fELF" + b"\0" * 200,
        "PHP": b"GIF89a<?php system($_GET[0]); ?>",
        "GIF": picture("GIF", mode="P"),
        "animated GIF": animated("GIF"),
        "BMP": picture("BMP"),
        "TIFF": picture("TIFF"),
        "ICO": picture("ICO", (32, 32)),
        "AVIF": picture("AVIF"),
        "PPM": b"P6 2 2 255\n" + b"\0" * 12,
        "PostScript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        "PCX": picture("PCX"),
        "TGA": picture("TGA"),
        "JPEG 2000": picture("JPEG2000"),
        "13000 squared": png_of(13_000, 13_000, b"\0" * 20_000_000),
        "179 million": png_of(13_400, 13_400),
        "16000 by 1600": png_of(16_000, 1_600),
        "25 million and more": png_of(5_001, 5_000),
        "2 to 31": png_of(2**31 - 1, 2**31 - 1),
        "no width": png_of(0, 10),
        "no height": png_of(10, 0),
        "odd depth": png_of(10, 10, depth=7),
        "too little in it": png_of(4_000, 4_000),
        "bomb of 25 million": png_of(5_000, 5_000, b""),
        "WebP of 16 million": picture("WEBP", (4_000, 4_000)),
        "text bomb": text_bomb(),
        "many text bombs": png_of(
            8, 8, b"\0" * 200, *[chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 900_000))] * 100
        ),
        "bomb in a colour profile": png_of(
            8, 8, b"\0" * 200, chunk(b"iCCP", b"a\0\0" + zlib.compress(b"x" * 30_000_000))
        ),
        "endless chunk": b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 2**31 - 1) + b"IHDR" + b"\0" * 30,
        "truncated JPEG": truncated("JPEG")[:700],
        "truncated PNG": truncated("PNG"),
        "truncated WebP": truncated("WEBP"),
        "wrong sums": picture("PNG").replace(b"IDAT", b"IDAX"),
        "PNG without end": picture("PNG")[:-30],
        "JPEG without body": picture("JPEG")[:200],
        "JPEG of 65535 squared": picture("JPEG").replace(b"\x00\x28\x00\x3c\x03", b"\xff\xff\xff\xff\x03"),
        "script before a JPEG": SCRIPT + picture("JPEG"),
        "HTML before a PNG": b"<html>" + picture("PNG"),
        "newline before a JPEG": b"\n" + picture("JPEG"),
        "base64": b"data:image/png;base64,iVBORw0KGgo=",
        "URL": b"https://169.254.169.254/latest/meta-data",
        "MVG": b"push graphic-context\nfill 'url(https://example.com/)'\npop graphic-context",
        "more than 5 MB": picture("JPEG") + b"\0" * MAX_BYTES,
    }


def polyglots() -> dict[str, bytes]:
    """Return valid pictures with other data in them, which must not be stored, by these data."""
    return {
        "script after a JPEG": picture("JPEG") + SCRIPT,
        "script after a PNG": picture("PNG") + SCRIPT,
        "script after a WebP": picture("WEBP") + SCRIPT,
        "script in a comment": picture("JPEG", comment=SCRIPT),
        "script in the profile": picture("JPEG", icc_profile=SCRIPT * 20),
        "script in EXIF": picture("WEBP", exif=b"Exif\0\0" + SCRIPT),
        "script in XMP": picture("WEBP", xmp=SCRIPT),
        "ZIP after a JPEG": picture("JPEG") + b"PK\x05\x06" + SCRIPT + b"\0" * 18,
        "place in a JPEG": with_exif(comment=b"SECRET comment"),
        "place in a PNG": with_exif(format="PNG"),
        "place in a WebP": with_exif(format="WEBP"),
        "much EXIF": picture("WEBP", exif=b"Exif\0\0" + SECRET * 500_000),
        "much XMP": picture("WEBP", xmp=SECRET * 500_000),
        "many profiles": picture("JPEG", icc_profile=SECRET * 300_000),
        "many comments": picture("JPEG")[:2]
        + (b"\xff\xfe\xff\xff" + (SECRET * 11_000)[: 2**16 - 3]) * 60
        + picture("JPEG")[2:],
        "animated PNG": animated("PNG") + SCRIPT,
        "animated WebP": animated("WEBP") + SCRIPT,
        "palette": picture("PNG", mode="P") + SCRIPT,
        "palette with transparency": picture("PNG", mode="P", transparency=0) + SCRIPT,
        "greys": picture("JPEG", mode="L") + SCRIPT,
        "greys with transparency": picture("PNG", mode="LA") + SCRIPT,
        "inks": picture("JPEG", mode="CMYK") + SCRIPT,
        "bits": picture("PNG", mode="1") + SCRIPT,
        "16 bits": picture("PNG", mode="I;16") + SCRIPT,
        "one pixel": picture("PNG", (1, 1)) + SCRIPT,
        "thin": picture("PNG", (9_000, 1)) + SCRIPT,
    }
