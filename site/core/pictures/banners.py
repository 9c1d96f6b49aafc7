"""Pictures that fill a slide, cropped to its shape around the focal point (docs/architecture.md#pictures)."""

import logging
from typing import Any, NamedTuple

from wagtail.images.models import AbstractImage, Filter, SourceImageIOError
from wagtail.images.rect import Rect

from core.pictures.renditions import original_url, store_pads

log = logging.getLogger(__name__)

# Pixels of a slide next to its tiles, and above its tiles on a phone with its finer screen. Larger files
# would delay the largest picture of the home page.
WIDE = ((640, 331), (960, 496))
TALL = ((480, 544), (720, 816))
# Qualities of WebP; a file has the first of them with which it has at most MAX_BYTES, or the last.
QUALITIES = (60, 45, 30)
MAX_BYTES = 60_000


class Banner(NamedTuple):
    """A picture that fills a slide: files with their widths for desktops (`wide`) and phones (`tall`)."""

    wide: tuple[tuple[str, int], ...]
    tall: tuple[tuple[str, int], ...]


def banner_files(image: AbstractImage | None) -> Banner | None:
    """Return the files of a picture that fills a slide; None without a picture or if its file is lost.

    Creates missing files. No query for an image with prefetched renditions.
    """
    if image is None:
        return None
    if store_pads():
        return Banner(*(tuple((_cut(image, *size), size[0]) for size in sizes) for sizes in (WIDE, TALL)))
    filters = {_spec(size, quality): size for size in (*WIDE, *TALL) for quality in QUALITIES}
    found = image.find_existing_renditions(*map(Filter, filters))
    # A rendition with a lower quality exists only if the one before was too large.
    made = {filters[one.spec]: file for one, file in sorted(found.items(), key=_place)}
    try:
        files = {size: made.get(size) or _make(image, size) for size in (*WIDE, *TALL)}
    except (SourceImageIOError, OSError, ValueError):
        # A file that is damaged on disk must not break the page.
        log.warning("the file of picture %s cannot be read", image.pk)
        return None
    return Banner(*(tuple((files[size].url, files[size].width) for size in sizes) for sizes in (WIDE, TALL)))


def _make(image: AbstractImage, size: tuple[int, int]) -> Any:
    for quality in QUALITIES:
        made = image.get_rendition(_spec(size, quality))
        if made.file.size <= MAX_BYTES:
            break
    return made


def _spec(size: tuple[int, int], quality: int) -> str:
    return f"fill-{size[0]}x{size[1]}|format-webp|webpquality-{quality}"


def _place(found: tuple[Filter, Any]) -> int:
    return [found[0].spec.endswith(f"-{quality}") for quality in QUALITIES].index(True)


def _cut(image: Any, width: int, height: int) -> str:
    """Return the URL by which the object store crops and shrinks a picture."""
    box = _box(image, width / height)
    steps = (
        f"crop,x_{box.left},y_{box.top},w_{box.width},h_{box.height}",
        f"resize,w_{width}",
        f"quality,q_{QUALITIES[0]}",
        "format,webp",
    )
    return f"{original_url(image.file.name)}?x-oss-process=image/{'/'.join(steps)}"


def _box(image: Any, ratio: float) -> Any:
    """Return the largest part of a picture with an aspect ratio, around the focal point."""
    width = min(image.width, round(image.height * ratio))
    height = min(image.height, round(image.width / ratio))
    focus = image.get_focal_point() or Rect(0, 0, image.width, image.height)
    left = min(max(0, round(focus.centroid_x - width / 2)), image.width - width)
    top = min(max(0, round(focus.centroid_y - height / 2)), image.height - height)
    return Rect(left, top, left + width, top + height)
