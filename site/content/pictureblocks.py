"""Pictures of pages, with what they show in words."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from wagtail.blocks import StructBlockValidationError
from wagtail.images.blocks import ImageBlock

from core.pictures.shapes import odd_whole


class PictureBlock(ImageBlock):
    """A picture that is published only if its shape suits the page."""

    def __init__(self, required: bool = True, **kwargs: Any) -> None:
        """Name its field in the language of the editor, which Wagtail names in English alone."""
        super().__init__(required=required, **kwargs)
        self.child_blocks["image"].label = _("Picture")

    def clean(self, value: Any) -> Any:
        """Return the picture; raises StructBlockValidationError, for a draft only as Wagtail does."""
        picture = super().clean(value)
        if picture and not self.is_deferred_validation and (text := odd_whole(picture)):
            raise StructBlockValidationError(block_errors={"image": ValidationError(text)})
        return picture
