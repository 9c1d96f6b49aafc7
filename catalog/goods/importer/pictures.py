"""Pictures of an import: checked before anything is written, kept once however many goods show them."""

import io
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.core.files.base import ContentFile
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from PIL import Image as Pillow
from wagtail.images import get_image_model
from wagtail.images.models import AbstractImage
from wagtail.utils.file import hash_filelike

from catalog.goods.importer.problems import Problems
from catalog.goods.importer.tables import Row
from core.pictures import SIDES, rendition_spec

FORMATS = ("JPEG", "PNG", "WEBP", "AVIF")
MOST_BYTES = 5 * 1024 * 1024
# A small file may unfold to gigabytes; no picture of goods needs more.
MOST_PIXELS = 25_000_000


@dataclass(frozen=True)
class PictureFile:
    """A picture in the folder; equal files have equal hashes. The title helps editors to find it."""

    path: Path
    hash: str
    title: str


def read_pictures(rows: Iterable[Row], folder: Path, problems: Problems) -> dict[str, PictureFile]:
    """Return the pictures that rows name, by file name; note those that are missing or no pictures.

    Raises ImportRefusedError past a bound of problems.
    """
    found: dict[str, PictureFile] = {}
    for row in rows:
        name = row.values["picture"]
        if not name or name in found:
            continue
        try:
            data = _read(folder, name)
        except ValueError as error:
            problems.add(row.file, row.number, "picture", str(error))
            continue
        found[name] = PictureFile(folder / name, hash_filelike(io.BytesIO(data)), row.values["name_en"])
    return found


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    # A name alone: no way out of the folder.
    if Path(name).name != name or not path.is_file():
        raise ValueError(_("there is no picture “%(name)s” in the folder") % {"name": name})
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(_("“%(name)s” is larger than 5 MB") % {"name": name})
    data = path.read_bytes()
    try:
        with warnings.catch_warnings(), Pillow.open(io.BytesIO(data), formats=FORMATS) as picture:
            # The size is asked for below, before anything is unfolded.
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise ValueError(_("“%(name)s” has more than 25 million pixels") % {"name": name})
            picture.load()
    except (OSError, SyntaxError, Pillow.DecompressionBombError) as error:
        raise ValueError(_("“%(name)s” is no picture that can be read") % {"name": name}) from error
    return data


@contextmanager
def files_removed_on_failure() -> Iterator[list[AbstractImage]]:
    """Yield a list for the images that are made; if a fault ends the block, their files are removed."""
    made: list[AbstractImage] = []
    try:
        yield made
    except BaseException:
        for image in made:
            image.file.storage.delete(image.file.name)
        raise


def keep_pictures(files: Iterable[PictureFile], made: list[AbstractImage]) -> dict[str, AbstractImage]:
    """Return the image of every picture by its hash; those that there was none of are made and noted."""
    by_hash = {file.hash: file for file in files}
    images = {
        image.file_hash: image
        for image in get_image_model().objects.filter(file_hash__in=by_hash).order_by("-pk")
    }
    for file in by_hash.values():
        if file.hash not in images:
            data = file.path.read_bytes()
            image = get_image_model()(
                title=file.title,
                file=ContentFile(data, name=file.path.name),
                file_size=len(data),
                file_hash=file.hash,
            )
            made.append(image)
            image.save()
            images[file.hash] = image
    return images


def without_renditions(hashes: Iterable[str]) -> list[AbstractImage]:
    """Return the images, by their hashes, that lack a file which pages show."""
    shown = Count(
        "renditions", filter=Q(renditions__filter_spec__in=[rendition_spec(side) for side in SIDES])
    )
    images = get_image_model().objects.filter(file_hash__in=list(hashes))
    return list(images.annotate(shown=shown).filter(shown__lt=len(SIDES)).order_by("pk"))
