"""The groups in the back office's menu, by kind of work.

The `menu_hook` of a viewset selects its group, and `menu_order` its position; frequently used screens come
first. A group is hidden if the user may see none of its screens.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from wagtail.admin.menu import Menu, SubmenuMenuItem

WINDOWS = "register_windows_menu_item"
CATALOGUE = "register_catalogue_menu_item"
SALES = "register_sales_menu_item"
STOCK = "register_stock_menu_item"
# Wagtail's own groups.
REPORTS = "register_reports_menu_item"
SETTINGS = "register_settings_menu_item"


def menu_groups() -> tuple[SubmenuMenuItem, ...]:
    """Return the shop's own groups. At 100, between the first and the second, Wagtail shows the pages."""
    return (
        _group(gettext_lazy("Shop windows"), WINDOWS, icon_name="storefront", order=90),
        _group(gettext_lazy("Catalogue"), CATALOGUE, icon_name="tag", order=120),
        _group(gettext_lazy("Sales"), SALES, icon_name="basket", order=130),
        _group(gettext_lazy("Stock"), STOCK, icon_name="boxes", order=140),
    )


def _group(label: Promise, hook: str, *, icon_name: str, order: int) -> SubmenuMenuItem:
    name = hook.removeprefix("register_").removesuffix("_menu_item")
    menu = Menu(register_hook_name=hook, construct_hook_name=f"construct_{name}_menu")
    return SubmenuMenuItem(label, menu, name=name, icon_name=icon_name, order=order)
