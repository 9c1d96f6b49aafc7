"""Picture blocks of pages, with alternative texts."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail.blocks import StructBlockValidationError
from wagtail.images.blocks import ImageBlock

from core.pictures.shapes import odd_whole


class PictureBlock(ImageBlock):
    """A picture whose shape must suit the page before it is published."""

    def __init__(self, *args: Any, **kw: Any) -> None:
        """Set the labels of other pictures in the back office, since Wagtail's are in English."""
        super().__init__(*args, **kw)
        fields = self.child_blocks
        fields["image"].label = capfirst(_("picture"))
        fields["decorative"].label = capfirst(_("decorative"))
        fields["alt_text"].label = _("What it shows")
        fields["alt_text"].meta.help_text = _("Read out to people who do not see the picture.")

    def clean(self, value: Any) -> Any:
        """Return the picture; raises StructBlockValidationError, for drafts only as Wagtail does."""
        picture = super().clean(value)
        if picture and not self.is_deferred_validation and (text := odd_whole(picture)):
            raise StructBlockValidationError(block_errors={"image": ValidationError(text)})
        return picture
