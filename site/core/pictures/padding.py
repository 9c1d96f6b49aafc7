"""The image operation that pads pictures to squares."""

from typing import Any

from PIL import Image as Pillow
from wagtail.images.image_operations import FilterOperation
from willow.image import Image
from willow.plugins.pillow import PillowImage

from core.pictures.decoder import as_srgb

DEFAULT_SIDE = 100
# The limits of Alibaba's object store, whose resizing this resembles.
SIDES = range(1, 16_385)
# Nearly clear becomes clear, and nearly solid becomes solid. WebP stores transparency without loss, so the
# noise that AVIF leaves in it would be a fifth of the file.
CLEAN = [0 if value < 10 else 255 if value > 245 else value for value in range(256)]


class PadOperation(FilterOperation):
    """`pad-256x256`, or `pad` for 100 by 100: fits a picture into a square padded with white.

    Pictures are never enlarged: the square of a small picture has its longer side. Transparent parts of the
    picture stay transparent.
    """

    def construct(self, size: str = f"{DEFAULT_SIDE}x{DEFAULT_SIDE}") -> None:
        """Parse the size; raises ValueError if it is not a square or exceeds the limits."""
        width, _, height = size.partition("x")
        self.side = int(width)
        if int(height) != self.side or self.side not in SIDES:
            raise ValueError("pad wants a square of 1 to 16384 pixels")

    def run(self, willow: Image, image: Any, env: dict[str, Any]) -> Image:
        """Return the padded picture."""
        picture = willow.get_pillow_image()
        # The square has no colour profile.
        picture = as_srgb(picture)
        picture.thumbnail((self.side, self.side), Pillow.Resampling.LANCZOS, reducing_gap=2.0)
        if picture.mode == "RGBA":
            picture.putalpha(picture.getchannel("A").point(CLEAN))
        side = max(picture.size)
        if picture.size == (side, side):
            return PillowImage(picture)
        square = Pillow.new(picture.mode, (side, side), "white")
        square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
        return PillowImage(square)
