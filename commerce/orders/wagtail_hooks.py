"""Orders in the back office, read-only, since services change them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.ui.tables import Column
from wagtail.admin.views.generic import IndexView

from catalog.goods.models import Storage
from catalog.promotions.services import LARGEST_SHARE
from commerce.accounts.customer_lists import CUSTOMER_FACTS
from commerce.delivery.shipping import ShippingType
from commerce.ledger.statement_views import ENTRY_SOURCES
from commerce.orders import customer_views
from commerce.orders.filters import OrderFilters
from commerce.orders.models import Order
from commerce.orders.pay_types import pay_type_name, pay_type_name_of_row
from commerce.orders.searching import search_orders
from commerce.orders.services.promotion_units import largest_share
from commerce.orders.status import OrderStatus
from core import clock
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.languages import language_name
from core.menu_groups import SALES

# Names of the Wagtail hooks for functions that take a request and an order and return HTML for the order's
# page: a section with facts, and buttons for the user's actions, empty for none.
ORDER_PAGE, ORDER_ACTIONS = "order_page", "order_actions"
# The columns of an order's page in three groups: facts, costs, and rarely needed columns.
_FACTS = (
    "status",
    "customer",
    "created_at",
    "expires_at",
    "paid_at",
    "shipping_type",
    "delivery_slot",
    "leave_at_door",
    "remark",
    "sold_out_wish",
)
_COSTS = (
    "goods_amount",
    "discount",
    "voucher_code",
    "freight",
    "points",
    "points_amount",
    "pay_amount",
    "pay_type",
)
_OTHERS = ("order_no", "language", "location", "exchange_rate", "points_rate", "points_earned")


class OrderIndexView(IndexView):
    """The list of orders, in a constant number of queries."""

    filterset_class = OrderFilters

    def get_base_queryset(self) -> QuerySet[Order]:
        """Return all orders with their customers and the names of their pay types."""
        return Order.objects.select_related("customer").annotate(pay_type_name=pay_type_name_of_row())

    def search_queryset(self, queryset: QuerySet[Order]) -> QuerySet[Order]:
        """Return the orders that match staff's search, by indexed queries."""
        return search_orders(queryset, self.search_query) if self.is_searching else queryset


class OrderView(LocalTimesView):
    """An order's page, with sections and actions that other apps add, and its history."""

    pages: ClassVar[Mapping[str, str]] = {"customer": "customers"}
    only_where_set = (
        "paid_at",
        "delivery_slot",
        "remark",
        "sold_out_wish",
        "discount",
        "voucher_code",
        "points",
        "points_amount",
        "points_earned",
    )

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the sections and actions of other apps, and the parcels with translated storage kinds."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        actions = [act(self.request, self.object) for act in hooks.get_hooks(ORDER_ACTIONS)]
        return context | {
            "facts": self.context_of_fields(self._facts()),
            "costs": self.context_of_fields(_COSTS),
            "others": self.context_of_fields(_OTHERS),
            "parts": [part(self.request, self.object) for part in hooks.get_hooks(ORDER_PAGE)],
            "actions": [action for action in actions if action],
            "notes": self.object.notes.select_related("staff"),
            "parcels": [
                parcel | {"storage": Storage(parcel["storage"]).label} for parcel in self.object.parcels
            ],
        }

    def _facts(self) -> list[str]:
        """Return the columns at the top, without those that do not apply to the order."""
        without = set()
        if self.object.status != OrderStatus.unpaid:
            without.add("expires_at")
        if self.object.shipping_type == ShippingType.pickup:
            without.add("leave_at_door")
        return [name for name in _FACTS if name not in without]

    def get_delivery_slot_display_value(self) -> str:
        """Return start and end of the delivery window; empty for an order without a window."""
        window, ends_at = self.object.delivery_slot, self.object.window_ends_at
        if window is None or ends_at is None:
            return ""
        return clock.period_text(window.starts_at, ends_at)

    def get_pay_type_display_value(self) -> str:
        """Return the name of the last chosen pay type; empty for none."""
        return pay_type_name(self.object.pay_type)

    def get_language_display_value(self) -> str:
        """Return the name of the order's language."""
        return language_name(self.object.language)

    def get_leave_at_door_display_value(self) -> str:
        """Return Yes if the driver may leave the products at the door, otherwise No."""
        return gettext("Yes") if self.object.leave_at_door else gettext("No")


class OrderViewSet(ReadOnlyViewSet):
    """All orders with their products and history."""

    model = Order
    icon = "form"
    menu_label = _("Orders")
    menu_hook = SALES
    menu_order = 100
    index_view_class = OrderIndexView
    inspect_view_class = OrderView
    list_display = (
        "order_no",
        "customer",
        "status",
        "pay_amount",
        Column("pay_type_name", label=_("Payment method"), sort_key="pay_type"),
        "created_at",
    )
    search_fields = ("order_no", "customer__account")
    search_backend_name = None
    inspect_template_name = "orders/admin/inspect.html"
    inspect_view_fields = _FACTS


hooks.register(LARGEST_SHARE, largest_share)
hooks.register(CUSTOMER_FACTS, customer_views.orders_fact)
hooks.register(ENTRY_SOURCES, customer_views.orders_of_points)


@hooks.register("register_admin_urls")
def customer_urls() -> list[URLPattern]:
    """Add the URL of the list of a customer's orders."""
    orders = customer_views.CustomerOrdersView.as_view()
    return [path("customers/<int:pk>/orders/", orders, name="customer_orders")]


@hooks.register("register_admin_viewset")
def order_viewset() -> OrderViewSet:
    """Add the orders to the menu."""
    return OrderViewSet("orders")
