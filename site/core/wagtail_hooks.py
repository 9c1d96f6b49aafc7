"""Registers the parts of the back office that belong to no app: menu groups, style, image operation."""

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy
from wagtail import hooks
from wagtail.admin.menu import MenuItem, SubmenuMenuItem
from wagtail.documents.wagtail_hooks import register_documents_menu_item
from wagtail.images.wagtail_hooks import register_images_menu_item

from core.menu_groups import WINDOWS, menu_groups
from core.pictures.padding import PadOperation

ICONS = ("basket", "boxes", "card", "chart", "percent", "storefront", "ticket", "truck")
# Listed in the group of shop windows, where they are used.
MOVED = {"images": register_images_menu_item, "documents": register_documents_menu_item}
# Pages about Wagtail, not about this shop.
FOREIGN_HELP = ("whats-new-in-wagtail", "editor-guide")

for group in menu_groups():
    hooks.register("register_admin_menu_item", lambda group=group: group)
for entry in MOVED.values():
    hooks.register(WINDOWS, entry)


@hooks.register("construct_main_menu")
def shape_main_menu(request: HttpRequest, items: list[MenuItem]) -> None:
    """Remove entries that are in another group, and style Wagtail's own groups like the shop's."""
    items[:] = [_plain(item) for item in items if item.name not in MOVED]


def _plain(item: MenuItem) -> MenuItem:
    """Return a group without Wagtail's version number and badges; other items unchanged."""
    if not isinstance(item, SubmenuMenuItem):
        return item
    icon = "chart" if item.name == "reports" else item.icon_name
    return SubmenuMenuItem(item.label, item.menu, name=item.name, icon_name=icon, order=item.order)


@hooks.register("construct_help_menu")
def shape_help_menu(request: HttpRequest, items: list[MenuItem]) -> None:
    """Keep only the help for this back office."""
    items[:] = [item for item in items if not item.name.startswith(FOREIGN_HELP)]


@hooks.register("construct_reports_menu")
def shape_reports_menu(request: HttpRequest, items: list[MenuItem]) -> None:
    """Translate the name of the translations report for each reader, not only for the first one."""
    for item in items:
        if item.url == reverse("wagtail_localize:translations_report"):
            item.label = gettext_lazy("Translations")


@hooks.register("register_icons")
def shop_icons(icons: list[str]) -> list[str]:
    """Add the shop's own icons to Wagtail's."""
    return [*icons, *(f"core/icons/{name}.svg" for name in ICONS)]


@hooks.register("insert_global_admin_css")
def shop_style() -> SafeString:
    """Add the shop's colours to the back office."""
    return format_html('<link rel="stylesheet" href="{}">', static("css/admin/brand.css"))


@hooks.register("register_image_operations")
def image_operations() -> list[tuple[str, type[PadOperation]]]:
    """Register `pad` as an image operation."""
    return [("pad", PadOperation)]
