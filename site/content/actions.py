"""The buttons at the foot of the forms of pages, slides and areas: save, and next to it the next step."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

# The names of Wagtail's buttons for the next step, the most likely first.
NEXT_STEPS = ("approve", "action-publish", "action-submit")


class SideBySide:
    """A menu item that shows two buttons side by side."""

    def __init__(self, first: Any, second: Any) -> None:
        self.items = (first, second)
        self.name = first.name
        self.order = first.order

    @property
    def media(self) -> forms.Media:
        """Return the scripts and styles of both buttons."""
        first, second = self.items
        media: forms.Media = first.media + second.media
        return media

    def render_html(self, context: dict[str, Any]) -> SafeString:
        """Return both buttons."""
        return format_html_join("", "{}", ((item.render_html(context),) for item in self.items))


def show_next_step(menu_items: list[Any], _request: HttpRequest, _context: dict[str, Any]) -> None:
    """Show the button of the next step next to the save button, not in the menu behind the arrow.

    An approver gets no plain “Publish” for a row that awaits approval, since it would not notify the writer.
    """
    if any(item.name == "approve" for item in menu_items):
        menu_items[:] = [item for item in menu_items if item.name != "action-publish"]
    leading = [item for item in menu_items[1:] if not getattr(item, "launch_modal", False)]
    for name in NEXT_STEPS:
        for item in leading:
            if item.name == name:
                menu_items.remove(item)
                menu_items[0] = SideBySide(menu_items[0], item)
                return
