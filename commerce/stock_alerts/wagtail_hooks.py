"""Back-in-stock alerts in the back office: their addresses and products, read-only."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from catalog.search.backoffice import FindsProductsByPinyin
from commerce.stock_alerts.models import StockAlert
from core.backoffice import ReadOnlyViewSet
from core.menu_groups import STOCK


class StockAlertIndexView(FindsProductsByPinyin, IndexView):
    """The list of alerts, without a query for each product."""

    def get_base_queryset(self) -> QuerySet[StockAlert]:
        """Return every alert with its product."""
        return StockAlert.objects.select_related("product")


class StockAlertViewSet(ReadOnlyViewSet):
    """The alerts of all products."""

    model = StockAlert
    icon = "mail"
    menu_label = _("Back-in-stock notices")
    menu_hook = STOCK
    menu_order = 120
    index_view_class = StockAlertIndexView
    list_display = ("product", "email", "language", "created_at", "sent_at")
    list_filter = ("language", "created_at", "sent_at")
    search_fields = ("email", "product__name_en", "product__name_zh", "product__sku")
    search_backend_name = None
    inspect_view_fields = ("product", "email", "language", "created_at", "sent_at")


@hooks.register("register_admin_viewset")
def stock_alert_viewset() -> StockAlertViewSet:
    """Add the alerts to the menu."""
    return StockAlertViewSet("stock_alerts")
