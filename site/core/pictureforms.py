"""The form by which editors bring in pictures."""

import sys
import warnings
from typing import Any

from django.core.exceptions import ValidationError
from PIL import Image as Pillow
from wagtail.images.fields import WagtailImageField
from wagtail.images.forms import BaseImageForm


class PictureField(WagtailImageField):
    """Refuses what Wagtail lets through until its size is asked for: a picture that cannot be read."""

    def to_python(self, data: Any) -> Any:
        """Return the file; raises ValidationError."""
        try:
            return super().to_python(data)
        except ValidationError:
            raise
        except Exception as error:
            # What a decoder makes of a hostile file is of any kind.
            raise ValidationError(self.error_messages["invalid_image"], code="invalid_image") from error

    def check_image_pixel_size(self, f: Any) -> None:
        """Refuse a picture of too many pixels by what its head tells: Wagtail would unfold it to find out."""
        f.seek(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            try:
                with Pillow.open(f) as picture:
                    pixels = picture.width * picture.height
            except Pillow.DecompressionBombError:
                pixels = sys.maxsize
        f.seek(0)
        if pixels > self.max_image_pixels:
            told = {"num_pixels": pixels, "max_pixels_count": self.max_image_pixels}
            raise ValidationError(
                self.error_messages["file_too_many_pixels"] % told, code="file_too_many_pixels"
            )
        super().check_image_pixel_size(f)


class PictureForm(BaseImageForm):
    """Wagtail's form, with the stricter field."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if isinstance(was := self.fields.get("file"), WagtailImageField):
            self.fields["file"] = PictureField(
                label=was.label, help_text=was.help_text, required=was.required, widget=was.widget
            )
