"""Stock in the back office: places to name, levels and movements to look at."""

from typing import Any

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSetGroup
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.stock.filescreen import FilesViewSet
from catalog.stock.models import Location, StockLevel, StockMovement
from core.backoffice import LookOnlyViewSet


class StockLevelIndexView(IndexView):
    """The list, without a query for each good and place."""

    def get_base_queryset(self) -> QuerySet[StockLevel]:
        """Return all levels with their goods and places."""
        return StockLevel.objects.select_related("product", "location")


class StockLevelViewSet(LookOnlyViewSet):
    """How many units lie where; receiving, orders and stocktakes change them."""

    model = StockLevel
    icon = "list-ol"
    index_view_class = StockLevelIndexView
    list_display = (
        "product",
        Column("sku", label="SKU", accessor="product.sku"),
        "location",
        "on_hand",
        "reserved",
        Column("available", label=_("Available")),
    )
    list_filter = ("location",)
    search_fields = ("product__name_en", "product__name_zh", "product__sku")
    search_backend_name = None
    inspect_view_fields = ("product", "location", "on_hand", "reserved")


class StockMovementIndexView(IndexView):
    """The list, without a query for each level."""

    def get_base_queryset(self) -> QuerySet[StockMovement]:
        """Return all movements with what they moved."""
        return StockMovement.objects.select_related("level__product", "level__location")


class StockMovementViewSet(LookOnlyViewSet):
    """Every change of the units on hand."""

    model = StockMovement
    icon = "history"
    index_view_class = StockMovementIndexView
    list_display = (
        Column("product", label=_("Good"), accessor="level.product"),
        Column("location", label=_("Stock location"), accessor="level.location"),
        "units",
        "reason",
        "reference",
        "created_at",
    )
    list_filter = ("reason", "created_at")
    search_fields = ("level__product__sku", "reference")
    search_backend_name = None
    inspect_view_fields = ("level", "units", "reason", "reference", "created_at")


class LocationViewSet(ModelViewSet):
    """The places that keep stock."""

    model = Location
    icon = "home"
    copy_view_enabled = False
    list_display = ("code", "name_en", "name_zh", "fills_deliveries")
    panels = (
        FieldPanel("code"),
        FieldPanel("name_en"),
        FieldPanel("name_zh"),
        FieldPanel("fills_deliveries"),
    )


class StockViewSetGroup(ViewSetGroup):
    """The menu entry."""

    menu_label = _("Stock")
    menu_icon = "list-ol"
    menu_order = 130
    items: Any = (
        StockLevelViewSet("stock_levels"),
        StockMovementViewSet("stock_movements"),
        LocationViewSet("stock_locations"),
    )


@hooks.register("register_admin_viewset")
def stock_viewsets() -> StockViewSetGroup:
    """Put stock levels, movements and places into the menu."""
    return StockViewSetGroup()


@hooks.register("register_admin_viewset")
def files_viewset() -> FilesViewSet:
    """Put import and export into the menu."""
    return FilesViewSet("files")


@hooks.register("register_permissions")
def file_permissions() -> QuerySet[Permission]:
    """Let groups be given import and export."""
    return Permission.objects.filter(
        content_type__app_label="stock", codename__in=["add_filerun", "view_filerun"]
    )
