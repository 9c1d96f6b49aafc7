"""The only module that knows the URLs of pictures (docs/architecture.md#pictures).

A product's picture is a square, padded with white and never enlarged. If the storage is Alibaba's object
store, it creates the squares itself (docs/product.md#constants). Otherwise they are Wagtail's renditions in
WebP, and in AVIF after the background task has created those.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from django.core.files.storage import Storage
from django.db.models import Exists, OuterRef, QuerySet
from wagtail.images import get_image_model
from wagtail.images.models import AbstractImage, Rendition, SourceImageIOError

log = logging.getLogger(__name__)

# Pixels: a card or a cart line; a card on a high-density screen; the product page.
CARD, FINE, PAGE = 256, 384, 640
SIDES = (CARD, PAGE)
WEBP, AVIF = "webp", "avif"
_OBJECT_STORE = ".aliyuncs.com"


class PictureFiles(NamedTuple):
    """A picture as pages show it: its URL in a square, and the URL and width of each size by format."""

    url: str
    avif: tuple[tuple[str, int], ...]
    webp: tuple[tuple[str, int], ...]


def rendition_spec(side: int, format: str = WEBP) -> str:
    """Return Wagtail's filter for a padded square that is never larger than the picture."""
    return f"pad-{side}x{side}|format-{format}"


def picture_url(image: AbstractImage | None, side: int = CARD) -> str | None:
    """Return the URL of a picture in a square of `side` pixels, one of `SIDES`.

    None without a picture or if its file is lost. No query for an image with prefetched renditions.
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
            # A file that is damaged on disk must not break the page.
            log.warning("the file of picture %s cannot be read", image.pk)
            return None
    return _url(rendition.file.name)


def picture_set(image: AbstractImage, format: str) -> list[tuple[str, int]]:
    """Return the URL and width of each existing size in a format, the smallest first; creates no files.

    No query for an image with prefetched renditions.
    """
    if store_pads():
        return _padded(image.file.name, format)
    made = _made(image)
    return _sizes(
        {spec: (_url(rendition.file.name), rendition.width) for spec, rendition in made.items()}, format
    )


def picture_files(image: AbstractImage | None, side: int = CARD) -> PictureFiles | None:
    """Return a picture as pages show it, with `url` in a square of `side` pixels; None as `picture_url`."""
    url = picture_url(image, side)
    if image is None or url is None:
        return None
    return PictureFiles(url, tuple(picture_set(image, AVIF)), tuple(picture_set(image, WEBP)))


def files_of_pictures(ids: Iterable[int | None]) -> dict[int | None, PictureFiles]:
    """Return id → picture as in `picture_files`, without pictures that have no files.

    One query, and two more if the files of pictures are missing; an id may be None.
    """
    wanted = {pk for pk in ids if pk is not None}
    if not wanted:
        return {}
    found = _in_store(wanted) if store_pads() else _made_files(wanted)
    missing = wanted - found.keys()
    images = get_image_model().objects.filter(pk__in=missing).prefetch_related("renditions")
    for image in images if missing else ():
        if files := picture_files(image):
            found[image.pk] = files
    return found


def _in_store(ids: Collection[int]) -> dict[int | None, PictureFiles]:
    names = get_image_model().objects.filter(pk__in=ids).values_list("pk", "file")
    return {pk: PictureFiles(file_url(name), (), tuple(_padded(name, WEBP))) for pk, name in names}


def _made_files(ids: Collection[int]) -> dict[int | None, PictureFiles]:
    specs = [rendition_spec(side, format) for side in (CARD, FINE, PAGE) for format in (WEBP, AVIF)]
    rows = Rendition.objects.filter(image__in=ids, filter_spec__in=specs)
    made: dict[int, dict[str, tuple[str, int]]] = {}
    for pk, spec, name, width in rows.values_list("image_id", "filter_spec", "file", "width"):
        made.setdefault(pk, {})[spec] = _url(name), width
    smallest = rendition_spec(CARD)
    return {
        pk: PictureFiles(files[smallest][0], tuple(_sizes(files, AVIF)), tuple(_sizes(files, WEBP)))
        for pk, files in made.items()
        if smallest in files
    }


def _padded(name: str, format: str) -> list[tuple[str, int]]:
    """Return the URLs by which the object store pads a picture's own file, with their widths."""
    sides = (CARD, FINE, PAGE) if format == WEBP else ()
    return [(file_url(name, side), side) for side in sides]


def _sizes(made: Mapping[str, tuple[str, int]], format: str) -> list[tuple[str, int]]:
    """Return the URL and width of each size in a format, the smallest first; `made`: filter → file."""
    found = (made.get(rendition_spec(side, format)) for side in (PAGE, FINE, CARD))
    # A small picture may have the same width in several sizes.
    by_width = {file[1]: file for file in found if file}
    return [by_width[width] for width in sorted(by_width)]


def file_url(name: str, side: int = CARD) -> str:
    """Return the URL of a file: of a rendition, or of the picture's own file if `store_pads`."""
    return f"{_url(name)}?{_pad_parameter(side)}" if store_pads() else _url(name)


def original_url(name: str) -> str:
    """Return the URL of a file without any processing."""
    return _url(name)


def store_pads() -> bool:
    """Return True if the object store creates the squares from the original files."""
    parts = urlsplit(_url("a"))
    # A URL with a query is signed, so any addition would break the signature.
    return (parts.hostname or "").endswith(_OBJECT_STORE) and not parts.query


def make_renditions(image: AbstractImage, format: str = WEBP) -> None:
    """Create the files of a picture that pages show, so that no shopper waits for them.

    Raises SourceImageIOError, OSError or ValueError if the file cannot be read.
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
