"""Registers in the back office what belongs to no app: the menu's groups, the shop's style, an operation."""

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
# They are listed among the shop windows, which they are for.
MOVED = {"images": register_images_menu_item, "documents": register_documents_menu_item}
# About Wagtail, not about this shop.
FOREIGN_HELP = ("whats-new-in-wagtail", "editor-guide")

for group in menu_groups():
    hooks.register("register_admin_menu_item", lambda group=group: group)
for entry in MOVED.values():
    hooks.register(WINDOWS, entry)


@hooks.register("construct_main_menu")
def shape_main_menu(request: HttpRequest, items: list[MenuItem]) -> None:
    """Leave each entry in one place, and give Wagtail's own groups the look of the shop's."""
    items[:] = [_plain(item) for item in items if item.name not in MOVED]


def _plain(item: MenuItem) -> MenuItem:
    """Return a group without Wagtail's version below it or a count of its news; anything else as it is."""
    if not isinstance(item, SubmenuMenuItem):
        return item
    icon = "chart" if item.name == "reports" else item.icon_name
    return SubmenuMenuItem(item.label, item.menu, name=item.name, icon_name=icon, order=item.order)


@hooks.register("construct_help_menu")
def shape_help_menu(request: HttpRequest, items: list[MenuItem]) -> None:
    """Keep the help for this back office only."""
    items[:] = [item for item in items if not item.name.startswith(FOREIGN_HELP)]


@hooks.register("construct_reports_menu")
def shape_reports_menu(request: HttpRequest, items: list[MenuItem]) -> None:
    """Name the report of translations in the reader's language, not in that of the process's first reader."""
    for item in items:
        if item.url == reverse("wagtail_localize:translations_report"):
            item.label = gettext_lazy("Translations")


@hooks.register("register_icons")
def shop_icons(icons: list[str]) -> list[str]:
    """Add the shop's own icons to Wagtail's."""
    return [*icons, *(f"core/icons/{name}.svg" for name in ICONS)]


@hooks.register("insert_global_admin_css")
def shop_style() -> SafeString:
    """Give the back office the shop's colours."""
    return format_html('<link rel="stylesheet" href="{}">', static("css/admin/brand.css"))


@hooks.register("register_image_operations")
def image_operations() -> list[tuple[str, type[PadOperation]]]:
    """Register `pad` as an image operation."""
    return [("pad", PadOperation)]
