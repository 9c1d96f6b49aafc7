"""Collected files have compressed copies: small ones of the shop's files, quick ones of the packages'."""

from pathlib import Path

import brotli
from django.conf import LazySettings

from config.storage import ShopStaticFiles

CSS = b"".join(
    b".rule-%d { color: red; margin: %dpx }\n" % (number, number * 7919 % 1000) for number in range(2000)
)


def compressed(root: Path, name: str) -> bytes:
    (root / name).parent.mkdir()
    (root / name).write_bytes(CSS)
    written = ShopStaticFiles(location=str(root)).create_compressor(quiet=True).compress(str(root / name))
    assert written == [f"{root / name}.br", f"{root / name}.gz"]
    copy = (root / f"{name}.br").read_bytes()
    assert brotli.decompress(copy) == CSS
    return copy


def test_the_shops_own_files_have_the_highest_compression(tmp_path: Path, settings: LazySettings) -> None:
    settings.STATIC_ROOT = tmp_path
    own, packaged = compressed(tmp_path, "css/shop.css"), compressed(tmp_path, "wagtailadmin/core.css")
    assert len(own) < len(packaged) < len(CSS) / 3
