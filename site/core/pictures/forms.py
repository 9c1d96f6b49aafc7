"""The form with which editors upload pictures."""

import warnings
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from PIL import Image as Pillow
from wagtail.images.fields import WagtailImageField
from wagtail.images.forms import BaseImageForm

from core.pictures.decoder import MAX_PIXELS, format_of


class PictureField(WagtailImageField):
    """Refuses unreadable pictures, which Wagtail accepts until it reads their size."""

    def to_python(self, data: Any) -> Any:
        """Return the file; raises ValidationError if it is not a readable picture."""
        try:
            return super().to_python(data)
        except ValidationError:
            raise
        except Exception as error:
            # A decoder may raise any exception for a hostile file.
            raise ValidationError(self.error_messages["invalid_image"], code="invalid_image") from error

    def check_image_pixel_size(self, f: Any) -> None:
        """Refuse a picture with too many pixels by its header, because Wagtail would decode it to count them.

        Decoding a WebP blocks all threads of the process, so its limit is lower.
        """
        most = self.max_image_pixels
        f.seek(0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Pillow.DecompressionBombWarning)
            try:
                with Pillow.open(f) as picture:
                    pixels = picture.width * picture.height
                    most = min(most, MAX_PIXELS.get(format_of(picture), most))
            except Pillow.DecompressionBombError:
                # Pillow does not report the exact number.
                pixels = 2 * (Pillow.MAX_IMAGE_PIXELS or most)
        f.seek(0)
        if pixels > most:
            values = {"num_pixels": pixels, "max_pixels_count": most}
            raise ValidationError(
                self.error_messages["file_too_many_pixels"] % values, code="file_too_many_pixels"
            )
        super().check_image_pixel_size(f)


class PictureForm(BaseImageForm):
    """Wagtail's form with the stricter field and a help text for the description."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["description"].help_text = gettext(
            "What it shows, for people who do not see it; in the language of the pages that show it. "
            "A page proposes it where the picture is put in; slides ask for it in both languages."
        )
        if isinstance(was := self.fields.get("file"), WagtailImageField):
            self.fields["file"] = PictureField(
                label=was.label, help_text=was.help_text, required=was.required, widget=was.widget
            )
