"""The one place that knows how a picture gets its address (ARCHITECTURE 4, Pictures)."""

import logging

from wagtail.images.models import AbstractImage, Filter, Rendition, SourceImageIOError

log = logging.getLogger(__name__)

# Pixels: a card and a line of a cart, and the page of one good.
CARD, PAGE = 256, 640
SIDES = (CARD, PAGE)


def rendition_spec(side: int) -> str:
    """Return Wagtail's filter of a picture that fits into a square, never made larger than it is."""
    return f"max-{side}x{side}|format-webp"


def picture_url(image: AbstractImage | None, side: int = CARD) -> str | None:
    """Return the address of a picture that fits into a square of `side` pixels, one of `SIDES`.

    None where there is no picture or its file is lost. Takes no query for an image whose renditions are
    prefetched; `make_renditions` has made them.
    """
    if image is None:
        return None
    spec = rendition_spec(side)
    try:
        # `get_rendition` alone would write what it finds to the cache, once for every card of a page.
        rendition = image.find_existing_rendition(Filter(spec))
    except Rendition.DoesNotExist:
        try:
            rendition = image.get_rendition(spec)
        except SourceImageIOError:
            log.warning("the file of picture %s cannot be read", image.pk)
            return None
    return str(rendition.url)


def make_renditions(image: AbstractImage) -> None:
    """Make the files of a picture that pages show, so that no reader waits for one."""
    image.get_renditions(*(rendition_spec(side) for side in SIDES))
