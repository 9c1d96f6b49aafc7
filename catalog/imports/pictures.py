"""Pictures of an import: checked before any row is written, stored once even if several products use them."""

import io
import warnings
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.core.files.base import ContentFile
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from PIL import Image as Pillow
from wagtail.images import get_image_model
from wagtail.images.models import AbstractImage
from wagtail.utils.file import hash_filelike

from catalog.imports.problems import Problems
from catalog.imports.tables import Row
from core.pictures.renditions import SIDES, rendition_spec

FORMATS = ("JPEG", "PNG", "WEBP", "AVIF")
MAX_BYTES = 5 * 1024 * 1024
# A small file may decode to gigabytes; no picture of a product needs more pixels.
MAX_PIXELS = 25_000_000
_BATCH = 500


@dataclass
class Pictures:
    """The pictures to which the rows of an import refer; without a folder the shop's pictures stay unchanged.

    `hash_of`: file name → hash, equal for equal files. `title_of`: file name → title, by which editors find
    the picture.
    """

    folder: Path | None
    hash_of: dict[str, str] = field(default_factory=dict)
    title_of: dict[str, str] = field(default_factory=dict)

    @property
    def hashes(self) -> dict[str, str] | None:
        """File name → hash; None without a folder."""
        return None if self.folder is None else self.hash_of

    def check(self, rows: Iterable[Row], problems: Problems) -> None:
        """Record a problem for missing and unreadable pictures of rows.

        Raises ImportRefusedError at MAX_PROBLEMS.
        """
        if self.folder is None:
            return
        for row in rows:
            for column in ("picture", "gallery"):
                value = row.values.get(column) or ()
                for name in (value,) if isinstance(value, str) else value:
                    if name in self.hash_of:
                        continue
                    try:
                        data = _read(self.folder, name)
                    except ValueError as error:
                        problems.add(row.file, row.number, column, str(error))
                        continue
                    self.hash_of[name] = hash_filelike(io.BytesIO(data))
                    self.title_of[name] = row.values["name_en"]

    def keep(self, hashes: Set[str], made: list[AbstractImage]) -> dict[str, AbstractImage]:
        """Return hash → image; missing images are created and added to `made`."""
        found = get_image_model().objects.filter(file_hash__in=hashes).order_by("-pk")
        images = {image.file_hash: image for image in found}
        if self.folder is None or hashes <= images.keys():
            return images
        for name, hash in self.hash_of.items():
            if hash in hashes and hash not in images:
                data = (self.folder / name).read_bytes()
                image = get_image_model()(
                    title=self.title_of[name],
                    file=ContentFile(data, name=name),
                    file_size=len(data),
                    file_hash=hash,
                )
                made.append(image)
                image.save()
                images[hash] = image
        return images

    def unfinished(self) -> list[AbstractImage]:
        """Return the images of this import without all their renditions."""
        shown = Count(
            "renditions", filter=Q(renditions__filter_spec__in=[rendition_spec(side) for side in SIDES])
        )
        hashes = sorted(set(self.hash_of.values()))
        unfinished: list[AbstractImage] = []
        for start in range(0, len(hashes), _BATCH):
            images = get_image_model().objects.filter(file_hash__in=hashes[start : start + _BATCH])
            unfinished += images.annotate(shown=shown).filter(shown__lt=len(SIDES)).order_by("pk")
        return unfinished


def _read(folder: Path, name: str) -> bytes:
    path = folder / name
    # Only a bare name is accepted, so that no path leaves the folder.
    if Path(name).name != name or not path.is_file():
        raise ValueError(_("there is no picture “%(name)s” in the folder") % {"name": name})
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(_("“%(name)s” is larger than 5 MB") % {"name": name})
    data = path.read_bytes()
    try:
        with warnings.catch_warnings(), Pillow.open(io.BytesIO(data), formats=FORMATS) as picture:
            # The code below checks the size, before anything is decoded.
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            width, height = picture.size
            if width * height > MAX_PIXELS:
                raise ValueError(_("“%(name)s” has more than 25 million pixels") % {"name": name})
            picture.load()
    except (OSError, SyntaxError, Pillow.DecompressionBombError) as error:
        raise ValueError(_("“%(name)s” cannot be read as a picture") % {"name": name}) from error
    return data


@contextmanager
def files_removed_on_failure() -> Iterator[list[AbstractImage]]:
    """Yield a list for created images; if the block raises, delete their files."""
    made: list[AbstractImage] = []
    try:
        yield made
    except BaseException:
        for image in made:
            image.file.storage.delete(image.file.name)
        raise
