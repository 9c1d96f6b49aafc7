"""Back-in-stock notices in the back office: who waits for what, to look at."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.notices.models import StockNotice
from core.backoffice import LookOnlyViewSet


class StockNoticeIndexView(IndexView):
    """The list, without a query for each good."""

    def get_base_queryset(self) -> QuerySet[StockNotice]:
        """Return every notice with its good."""
        return StockNotice.objects.select_related("product")


class StockNoticeViewSet(LookOnlyViewSet):
    """Who waits for which good."""

    model = StockNotice
    icon = "mail"
    menu_label = _("Back-in-stock notices")
    menu_order = 165
    add_to_admin_menu = True
    index_view_class = StockNoticeIndexView
    list_display = ("product", "email", "language", "created_at", "sent_at")
    list_filter = ("language", "created_at", "sent_at")
    search_fields = ("email", "product__name_en", "product__name_zh", "product__sku")
    search_backend_name = None
    inspect_view_fields = ("product", "email", "language", "created_at", "sent_at")


@hooks.register("register_admin_viewset")
def notice_viewset() -> StockNoticeViewSet:
    """Put the notices into the menu."""
    return StockNoticeViewSet("stock_notices")
