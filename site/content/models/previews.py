"""The widths of previews next to a form, from the shop's design.

See docs/ux.md#breakpoints.
"""

from typing import Any

from wagtail.models import PreviewableMixin

# In pixels, by Wagtail's names.
WIDTHS = {"mobile": 390, "desktop": 1440}


class DesignWidths:
    """Adds previews as wide as a phone and a desktop."""

    @property
    def preview_sizes(self) -> list[dict[str, Any]]:
        """Wagtail's preview sizes with the design's widths."""
        sizes: list[dict[str, Any]] = PreviewableMixin.DEFAULT_PREVIEW_SIZES
        return [size | {"device_width": WIDTHS[size["name"]]} for size in sizes if size["name"] in WIDTHS]
