"""Orders in the back office, read only: services change them. What they tell the forms of promotions."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.generic import IndexView

from catalog.goods.models import Storage
from catalog.promotions.services import LARGEST_SHARE
from commerce.orders.models import Order
from commerce.orders.pay_types import pay_type_name, pay_type_name_of_row
from commerce.orders.searching import search_orders
from commerce.orders.services.promotion_units import largest_share
from core import clock
from core.backoffice import LocalTimesView, ReadOnlyViewSet

# The Wagtail hook of functions that take a request and an order, and return HTML for the order's page.
ORDER_PAGE = "order_page"


class OrderIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Order]:
        """Return every order with its customer and the name of its pay type."""
        return Order.objects.select_related("customer").annotate(pay_type_name=pay_type_name_of_row())

    def search_queryset(self, queryset: QuerySet[Order]) -> QuerySet[Order]:
        """Return the orders that staff look for, read by indexes."""
        return search_orders(queryset, self.search_query) if self.is_searching else queryset


class OrderView(LocalTimesView):
    """An order's page, with what other apps put above its facts."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the parts of other apps, and the parcels with their storage as staff read it."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        parts = [part(self.request, self.object) for part in hooks.get_hooks(ORDER_PAGE)]
        parcels = [parcel | {"storage": Storage(parcel["storage"]).label} for parcel in self.object.parcels]
        return context | {"parts": parts, "parcels": parcels}

    def get_delivery_slot_display_value(self) -> str:
        """Return the whole window in which the van comes; empty for an order without one."""
        window, ends_at = self.object.delivery_slot, self.object.window_ends_at
        if window is None or ends_at is None:
            return ""
        return clock.period_text(window.starts_at, ends_at)

    def get_pay_type_display_value(self) -> str:
        """Return the name of the pay type chosen last; empty where none was."""
        return pay_type_name(self.object.pay_type)

    def get_leave_at_door_display_value(self) -> str:
        """Return whether the driver may leave the products where nobody is home."""
        return gettext("Yes") if self.object.leave_at_door else gettext("No")


class OrderViewSet(ReadOnlyViewSet):
    """Every order with its products and its history."""

    model = Order
    icon = "form"
    menu_label = _("Orders")
    menu_order = 150
    add_to_admin_menu = True
    index_view_class = OrderIndexView
    inspect_view_class = OrderView
    list_display = (
        "order_no",
        "customer",
        "status",
        "pay_amount",
        Column("pay_type_name", label=_("Pay type"), sort_key="pay_type"),
        "created_at",
    )
    list_filter = ("status", "shipping_type", "created_at")
    search_fields = ("order_no", "customer__account")
    search_backend_name = None
    inspect_template_name = "orders/admin/inspect.html"
    inspect_view_fields = (
        "order_no",
        "status",
        "customer",
        "created_at",
        "paid_at",
        "expires_at",
        "shipping_type",
        "delivery_slot",
        "leave_at_door",
        "remark",
        "sold_out_wish",
        "language",
        "location",
        "goods_amount",
        "discount",
        "voucher_code",
        "freight",
        "points",
        "points_amount",
        "pay_amount",
        "pay_type",
        "exchange_rate",
        "points_rate",
        "points_earned",
    )


hooks.register(LARGEST_SHARE, largest_share)


@hooks.register("register_admin_viewset")
def order_viewset() -> OrderViewSet:
    """Put the orders into the menu."""
    return OrderViewSet("orders")
