"""A customer's orders in the back office: their number, their list, and the orders of points entries."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from wagtail.admin.ui.tables import Column

from commerce.accounts.customer_lists import CustomerListView, Fact
from commerce.accounts.models import Customer
from commerce.ledger.models import LedgerEntry
from commerce.ledger.points import order_no_of
from commerce.ledger.statement_views import EntrySource
from commerce.orders.models import Order
from commerce.orders.pay_types import pay_type_name_of_row
from core.backoffice import link_to

MAY_VIEW = "orders.view_order"


def orders_fact(user: Any, customer: Customer) -> Fact | None:
    """Return a customer's number of orders for staff who may see orders; one query."""
    if not user.has_perm(MAY_VIEW):
        return None
    url = reverse("customer_orders", args=[customer.pk])
    return Fact(_("Orders"), number_format(customer.orders.count()), url, _("All orders of this customer"))


def orders_of_points(user: Any, entries: Sequence[LedgerEntry]) -> dict[int, EntrySource]:
    """Return the orders that earned or spent points, by entry key; one query."""
    numbers = {entry.pk: order_no_of(entry.reference) for entry in entries}
    rows = Order.objects.filter(order_no__in=set(numbers.values())).values_list("order_no", "pk")
    keys, may_view = dict(rows), user.has_perm(MAY_VIEW)
    return {
        entry: EntrySource(number, reverse("orders:inspect", args=[keys[number]]) if may_view else "")
        for entry, number in numbers.items()
        if number in keys
    }


def order_link(user: Any, order: Order) -> str:
    """Return an order's number, as a link for staff who may see orders."""
    return link_to(
        order.order_no, reverse("orders:inspect", args=[order.pk]) if user.has_perm(MAY_VIEW) else ""
    )


class CustomerOrdersView(CustomerListView):
    """The orders of a customer, newest first."""

    model = Order
    page_title = gettext_lazy("Orders")
    header_icon = "form"

    def get_base_queryset(self) -> QuerySet[Order]:
        """Return the orders with the names of their pay types."""
        return self.customer.orders.annotate(pay_type_name=pay_type_name_of_row())

    @property
    def columns(self) -> list[Column]:
        """The columns, with a link to each order."""
        return [
            Column("order_no", label=_("Order"), accessor=lambda order: order_link(self.request.user, order)),
            Column("get_status_display", label=_("Status")),
            Column("pay_amount", label=_("To pay, AUD")),
            Column("pay_type_name", label=_("Payment method")),
            Column("created_at", label=_("Ordered at")),
        ]
