"""The tile of a special area, and a slide of a carousel, as pages show them: plain facts."""

from typing import TYPE_CHECKING, NamedTuple

from wagtail.images.models import AbstractImage

from catalog.browse.cards import hue_class
from core.languages import localised
from core.pictures.banners import Banner, banner_files
from core.pictures.renditions import PictureFiles, picture_files
from core.preview import current_preview

if TYPE_CHECKING:
    from content.models.areas import SpecialArea
    from content.models.slides import CarouselSlide

# The colour of a new area, and of a draft that has none.
DEFAULT_TINT = "#E6F4E1"


class AreaTile(NamedTuple):
    """A special area as a page shows it, in the reader's language."""

    name: str
    text: str
    url: str
    hue: str
    picture: PictureFiles | None


class ShownPicture(NamedTuple):
    """A picture of a slide, and what it shows in words."""

    picture: PictureFiles | None
    alt: str


class Slide(NamedTuple):
    """A slide as a page shows it, in the reader's language; `path` is without the language."""

    title: str
    text: str
    label: str
    path: str
    tone: str
    pictures: tuple[ShownPicture, ...]
    banner: Banner | None
    # Its name in a preview, which scrolls to it.
    part: str


def area_image(area: "SpecialArea") -> AbstractImage | None:
    """Return the picture of an area; None in a draft whose picture was deleted."""
    return area.picture if area.picture_id else None


def area_tile(area: "SpecialArea") -> AreaTile:
    """Return the tile of an area, which links to the area's page."""
    url, hue = localised(f"/areas/{area.pk}"), hue_class(area.tint or DEFAULT_TINT)
    return AreaTile(area.name, area.text, url, hue, picture_files(area_image(area)))


def slide_shown(slide: "CarouselSlide") -> Slide:
    """Return what a page shows of a slide."""
    rows = slide.pictures.all()
    part = f"slide-{slide.pk}" if current_preview() else ""
    # A full picture is the first one; a draft may lack it.
    banner = banner_files(rows[0].picture) if slide.is_full and rows else None
    pictures = tuple(ShownPicture(picture_files(row.picture), row.alt) for row in rows)
    return Slide(slide.title, slide.text, slide.label, slide.path, slide.tone, pictures, banner, part)
