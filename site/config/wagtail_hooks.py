"""Registers the hooks that let forms save only once, and the card of files that do not fit the database."""

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from wagtail import hooks

from config.middleware.back_office_saves import note_creation
from config.withheld import withheld_card
from core.pending import PENDING_WORK

for hook in ("after_create_page", "after_create_snippet"):
    hooks.register(hook, note_creation, order=-1)
hooks.register(PENDING_WORK, withheld_card)


@hooks.register("insert_editor_js")
def save_once_script() -> SafeString:
    """Add the script that prevents buttons and autosave from saving simultaneously."""
    return format_html('<script src="{}" defer></script>', static("js/admin/save-once.js"))
