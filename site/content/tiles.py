"""The tile of a special area, as pages show it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wagtail.images.models import AbstractImage

from catalog.browse.cards import hue_class
from core.languages import localised
from core.pictures.renditions import picture_url

if TYPE_CHECKING:
    from content.models.areas import SpecialArea

# The colour of a new area, and of a draft that has none.
DEFAULT_TINT = "#E6F4E1"


@dataclass(frozen=True)
class AreaTile:
    """A special area as a page shows it."""

    area: "SpecialArea"

    @property
    def url(self) -> str:
        """The URL of its page, in the reader's language."""
        return localised(f"/areas/{self.area.pk}")

    @property
    def hue(self) -> str:
        """The class of the tile's hue."""
        return hue_class(self.area.tint or DEFAULT_TINT)

    @property
    def image(self) -> AbstractImage | None:
        """The picture; None in a draft whose picture was deleted."""
        return self.area.picture if self.area.picture_id else None

    @property
    def picture(self) -> str | None:
        """The picture's URL, 256 px square."""
        return picture_url(self.image, 256)
