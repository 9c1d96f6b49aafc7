"""Refunds in the back office: parts of an order's page, and a list of all refunds."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.approvals.models import Approval
from commerce.approvals.services import APPROVAL_KINDS, Handler
from commerce.orders.wagtail_hooks import ORDER_ACTIONS, ORDER_PAGE
from commerce.payments.wagtail_hooks import REFUND_PAGE
from commerce.refunds import cancellation_views, order_views
from commerce.refunds.models import CancellationRequest, OrderRefund
from commerce.refunds.services import refunded_since
from commerce.shipments.services import UNDO_OBSTACLES
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.menu_groups import SALES
from core.pending import PENDING_WORK

hooks.register(
    APPROVAL_KINDS,
    lambda: {
        Approval.Kind.wallet_refund: Handler(order_views.MAY_REFUND, order_views.refund_approved),
        Approval.Kind.paid_back: Handler(order_views.MAY_REFUND, order_views.paid_back_approved),
    },
)
hooks.register(ORDER_PAGE, order_views.order_part)
hooks.register(ORDER_PAGE, cancellation_views.order_part)
# First, because the customer's wish comes before the other actions.
hooks.register(ORDER_ACTIONS, cancellation_views.order_actions, order=-1)
hooks.register(ORDER_ACTIONS, order_views.order_actions)
hooks.register(PENDING_WORK, cancellation_views.requests_to_answer)
hooks.register(UNDO_OBSTACLES, refunded_since)
hooks.register(REFUND_PAGE, order_views.refund_part)


@hooks.register("register_admin_urls")
def refund_urls() -> list[URLPattern]:
    """Add the URLs of an order's refund form, of the answers to its request, and of buttons for its money."""
    return [
        path("orders/<int:pk>/refund/", order_views.refund, name="order_refund"),
        path("cancellations/<int:pk>/confirm/", cancellation_views.confirm, name="cancellation_confirm"),
        path("cancellations/<int:pk>/decline/", cancellation_views.decline, name="cancellation_decline"),
        path("refunds/<int:pk>/retry/", order_views.retry, name="refund_retry"),
        path("refunds/<int:pk>/paid-back/", order_views.paid_back, name="refund_paid_back"),
    ]


class OrderRefundIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[OrderRefund]:
        """Return every refund with its order and the member of staff who made it."""
        return OrderRefund.objects.select_related("order", "staff")


class OrderRefundView(LocalTimesView):
    """The page of a refund or a request to cancel, with a link to its order."""

    pages: ClassVar[Mapping[str, str]] = {"order": "orders"}


class OrderRefundViewSet(ReadOnlyViewSet):
    """The refunds of orders."""

    model = OrderRefund
    icon = "rotate"
    menu_label = _("Refunds of orders")
    menu_hook = SALES
    menu_order = 130
    index_view_class = OrderRefundIndexView
    inspect_view_class = OrderRefundView
    list_display = ("number", "order", "goods_amount", "freight_amount", "destination", "staff", "created_at")
    list_filter = ("destination", "created_at")
    search_fields = ("number", "order__order_no")
    search_backend_name = None
    inspect_view_fields: Any = (
        "number",
        "order",
        "goods_amount",
        "gst",
        "freight_amount",
        "freight_gst",
        "destination",
        "note",
        "staff",
        "created_at",
    )


@hooks.register("register_admin_viewset")
def order_refund_viewset() -> OrderRefundViewSet:
    """Add the refunds of orders to the menu."""
    return OrderRefundViewSet("order_refunds")


class CancellationRequestIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[CancellationRequest]:
        """Return every request with its order and the member of staff who answered it."""
        return CancellationRequest.objects.select_related("order", "answered_by")


class CancellationRequestViewSet(ReadOnlyViewSet):
    """Customers' requests to cancel paid orders; staff answer them on the order's page."""

    model = CancellationRequest
    icon = "cross"
    menu_label = _("Requests to cancel")
    menu_hook = SALES
    menu_order = 125
    index_view_class = CancellationRequestIndexView
    inspect_view_class = OrderRefundView
    list_display = ("order", "state", "reason", "answer", "answered_by", "created_at")
    list_filter = ("state", "created_at")
    search_fields = ("order__order_no",)
    search_backend_name = None
    inspect_view_fields: Any = (
        "order",
        "state",
        "reason",
        "answer",
        "answered_by",
        "created_at",
        "answered_at",
    )


@hooks.register("register_admin_viewset")
def cancellation_request_viewset() -> CancellationRequestViewSet:
    """Add the requests to cancel to the menu."""
    return CancellationRequestViewSet("cancellation_requests")
