"""Registers the hooks that let forms of the back office save only once."""

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from wagtail import hooks

from config.middleware.back_office_saves import note_creation

for hook in ("after_create_page", "after_create_snippet"):
    hooks.register(hook, note_creation, order=-1)


@hooks.register("insert_editor_js")
def save_once_script() -> SafeString:
    """Add the script that prevents buttons and autosave from saving simultaneously."""
    return format_html('<script src="{}" defer></script>', static("js/admin/save-once.js"))
