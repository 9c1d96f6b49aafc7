"""Checks whether the size and shape of a picture suit a place on the shop's pages."""

from typing import Any

from django.utils.translation import gettext
from PIL import Image as Pillow
from PIL.ExifTags import Base

# The largest ratio of the sides; a picture above it is a thin strip if it is shown whole.
MAX_STRIP = 3
MIN_SIDE = 200
# Pixels of a picture that fills a slide; smaller pictures would be blurred on a desktop.
MIN_FULL = (960, 500)
MAX_FULL = 3
# The EXIF orientations with swapped sides, which phones store for upright pictures.
ON_ITS_SIDE = {5, 6, 7, 8}


def odd_whole(picture: Any) -> str:
    """Return why a picture should not be shown whole in a square or a column; empty if it suits."""
    long, short = sorted((picture.width, picture.height), reverse=True)
    size = {"width": picture.width, "height": picture.height}
    if long > MAX_STRIP * short:
        text = gettext(
            "This picture has %(width)d × %(height)d pixels: it would be a thin strip. "
            "Choose one that is at most three times as long as it is wide."
        )
        return text % size
    if long < MIN_SIDE:
        text = gettext(
            "This picture has %(width)d × %(height)d pixels: it would be blurred. "
            "Choose one of at least %(least)d pixels on its longer side."
        )
        return text % (size | {"least": MIN_SIDE})
    return ""


def odd_full(picture: Any) -> str:
    """Return why a picture should not fill a slide; empty if it suits."""
    width, height = _size_shown(picture)
    if width < MIN_FULL[0] or height < MIN_FULL[1] or not height <= width <= MAX_FULL * height:
        text = gettext(
            "This picture has %(width)d × %(height)d pixels. One that fills the slide needs at least "
            "%(least_width)d × %(least_height)d, and is not upright, nor more than three times as wide as "
            "it is high."
        )
        least = {"least_width": MIN_FULL[0], "least_height": MIN_FULL[1]}
        return text % ({"width": width, "height": height} | least)
    return ""


def _size_shown(picture: Any) -> tuple[int, int]:
    """Return the width and height with which pages show a picture; reads the header of its file."""
    size = picture.width, picture.height
    try:
        with picture.open_file() as file, Pillow.open(file) as head:
            turned = head.getexif().get(Base.Orientation) in ON_ITS_SIDE
    # The file may be lost, or its EXIF data broken.
    except Exception:
        return size
    return size[::-1] if turned else size
