"""The one place that knows how a picture gets its address (ARCHITECTURE 4, Pictures).

A picture of goods is a square: made to fit and padded with white, never made larger than it is. Where the
files lie on Alibaba's object store, that makes the squares itself (SPEC 9); else they are Wagtail's
renditions, in WebP, and in AVIF as soon as `core.tasks` has made those.
"""

import logging
from functools import lru_cache
from urllib.parse import urlsplit

from django.core.files.storage import Storage
from django.db.models import Exists, OuterRef, QuerySet
from wagtail.images import get_image_model
from wagtail.images.models import AbstractImage, Rendition, SourceImageIOError

log = logging.getLogger(__name__)

# Pixels: a card and a line of a cart; a card on a fine screen; the page of one good.
CARD, FINE, PAGE = 256, 384, 640
SIDES = (CARD, PAGE)
WEBP, AVIF = "webp", "avif"
_OBJECT_STORE = ".aliyuncs.com"


def rendition_spec(side: int, format: str = WEBP) -> str:
    """Return Wagtail's filter of a picture that fits into a square, padded, never made larger than it is."""
    return f"pad-{side}x{side}|format-{format}"


def picture_url(image: AbstractImage | None, side: int = CARD) -> str | None:
    """Return the address of a picture that fits into a square of `side` pixels, one of `SIDES`.

    None where there is no picture or its file is lost. Takes no query for an image whose renditions are
    prefetched; `make_renditions` has made them.
    """
    if image is None:
        return None
    if store_pads():
        return file_url(image.file.name, side)
    rendition = _made(image).get(rendition_spec(side))
    if rendition is None:
        try:
            rendition = image.get_rendition(rendition_spec(side))
        except (SourceImageIOError, OSError, ValueError):
            # Whatever a file holds that changed behind the shop's back: the page shows none.
            log.warning("the file of picture %s cannot be read", image.pk)
            return None
    return str(rendition.url)


def picture_set(image: AbstractImage, format: str) -> list[tuple[str, int]]:
    """Return address and width of each size that is there in a format, the smallest first; makes none.

    Takes no query for an image whose renditions are prefetched.
    """
    if store_pads():
        sides = (CARD, FINE, PAGE) if format == WEBP else ()
        return [(file_url(image.file.name, side), side) for side in sides]
    made = _made(image)
    found = (made.get(rendition_spec(side, format)) for side in (PAGE, FINE, CARD))
    # A small picture is equally large in several sizes.
    by_width = {rendition.width: rendition for rendition in found if rendition}
    return [(str(by_width[width].url), width) for width in sorted(by_width)]


def file_url(name: str, side: int = CARD) -> str:
    """Return an address by a file's name: a rendition's, or the picture's own where `store_pads`."""
    return f"{_url(name)}?{_pad_parameter(side)}" if store_pads() else _url(name)


def store_pads() -> bool:
    """Tell whether the object store makes the squares, out of the pictures' own files."""
    parts = urlsplit(_url("a"))
    # An address with a query is signed, and what is added to it would break its signature.
    return (parts.hostname or "").endswith(_OBJECT_STORE) and not parts.query


def make_renditions(image: AbstractImage, format: str = WEBP) -> None:
    """Make the files of a picture that pages show, so that no reader waits for one.

    Raises SourceImageIOError, OSError or ValueError for a file that cannot be read.
    """
    if not store_pads():
        sides = (CARD, FINE, PAGE) if max(image.width, image.height) > CARD else SIDES
        image.get_renditions(*(rendition_spec(side, format) for side in sides))


def unfinished(format: str) -> QuerySet[AbstractImage]:
    """Return the pictures that lack files of a format, the oldest first."""
    made = Rendition.objects.filter(image=OuterRef("pk"), filter_spec=rendition_spec(PAGE, format))
    images: QuerySet[AbstractImage] = get_image_model().objects.filter(~Exists(made)).order_by("pk")
    return images.none() if store_pads() else images


def _made(image: AbstractImage) -> dict[str, Rendition]:
    return {rendition.filter_spec: rendition for rendition in image.renditions.all()}


def _pad_parameter(side: int) -> str:
    return f"x-oss-process=image/resize,m_pad,w_{side},h_{side},color_FFFFFF"


@lru_cache(20_000)
def _url(name: str) -> str:
    storage: Storage = Rendition._meta.get_field("file").storage
    return storage.url(name)
