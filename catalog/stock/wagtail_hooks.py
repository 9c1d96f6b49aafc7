"""The back office's screens for locations, stock levels and movements."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.panels import FieldPanel, ObjectList
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSet
from wagtail.admin.viewsets.model import ModelViewSet

from catalog.search.backoffice import FindsProductsByPinyin
from catalog.stock.models import Location, StockLevel, StockMovement
from catalog.stock.services import delete_locations, save_location
from core.backoffice import ProtectedDeleteView, ProtectedEditView, ProtectedForm, ReadOnlyViewSet
from core.menu_groups import STOCK


class StockLevelIndexView(FindsProductsByPinyin, IndexView):
    """The list of stock levels, without a query for each product and location."""

    def get_base_queryset(self) -> QuerySet[StockLevel]:
        """Return all levels with their products and locations."""
        return StockLevel.objects.select_related("product", "location")


class StockLevelViewSet(ReadOnlyViewSet):
    """The list of stock levels; receipts, orders and stocktakes change them."""

    model = StockLevel
    icon = "list-ol"
    menu_hook = STOCK
    menu_order = 100
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
    """The list of stock movements, without a query for each level."""

    def get_base_queryset(self) -> QuerySet[StockMovement]:
        """Return all movements with their products and locations."""
        return StockMovement.objects.select_related("level__product", "level__location")


class StockMovementViewSet(ReadOnlyViewSet):
    """The list of stock movements."""

    model = StockMovement
    icon = "history"
    menu_hook = STOCK
    menu_order = 110
    index_view_class = StockMovementIndexView
    list_display = (
        Column("product", label=_("Product"), accessor="level.product"),
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


class LocationForm(ProtectedForm):
    """The form of a location; the location that fills deliveries decides which products are sold out."""

    write = staticmethod(save_location)


class LocationDeleteView(ProtectedDeleteView):
    """The page that deletes a location without stock levels."""

    delete_rows = staticmethod(delete_locations)


class LocationViewSet(ModelViewSet):
    """The screens for locations."""

    model = Location
    icon = "home"
    menu_hook = STOCK
    menu_order = 130
    copy_view_enabled = False
    list_display = ("code", "name_en", "name_zh", "fills_deliveries")
    edit_view_class = ProtectedEditView
    delete_view_class = LocationDeleteView
    edit_handler = ObjectList(
        [
            FieldPanel("code"),
            FieldPanel("name_en"),
            FieldPanel("name_zh"),
            FieldPanel("fills_deliveries"),
        ],
        base_form_class=LocationForm,
    )


@hooks.register("register_admin_viewset")
def stock_viewsets() -> tuple[ViewSet, ...]:
    """Register the screens for stock levels, movements and locations."""
    return (
        StockLevelViewSet("stock_levels"),
        StockMovementViewSet("stock_movements"),
        LocationViewSet("stock_locations"),
    )
