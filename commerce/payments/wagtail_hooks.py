"""Payments in the back office: read only. Transfers are reviewed, pay types switched on and off here."""

from typing import Any

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.ui.tables import BooleanColumn, Column
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSetGroup
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.permission_policies import ModelPermissionPolicy

from commerce.orders.pay_types import PAY_TYPE_NAMES, pay_type_name, pay_type_name_of_row
from commerce.orders.wagtail_hooks import ORDER_PAGE
from commerce.payments import order_views
from commerce.payments.models import Certificate, Payment, PayType, Recharge, Refund
from commerce.payments.pay_types import names_by_code
from commerce.payments.paytypeform import PAY_TYPE_PANELS
from commerce.payments.pending import missing_top_ups, overdue_payments, refunds_due, transfers_to_review
from commerce.payments.providers.registry import provider_named, why_not_offered
from commerce.payments.review_views import approve, reject, review_facts
from commerce.refused_notices.services import FEW, refused_lately
from core.backoffice import LocalTimesView, ProtectedEditView, ReadOnlyViewSet
from core.pending import PENDING_WORK

# The Wagtail hook of functions that take a request and a refund, and return HTML for the refund's page.
REFUND_PAGE = "refund_page"


class PaymentIndexView(IndexView):
    """The list, in a constant number of queries, below what was refused lately in a provider's name."""

    def get_base_queryset(self) -> QuerySet[Payment]:
        """Return every payment with what it pays and the name of its pay type."""
        payments = Payment.objects.select_related("order", "recharge")
        return payments.annotate(pay_type_name=pay_type_name_of_row())

    def get_context_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Add the refused notices of today and yesterday, where there are more than a few."""
        context: dict[str, Any] = super().get_context_data(*args, **kwargs)
        refused = [each for each in refused_lately(more_than=FEW) if provider_named(each.provider)]
        return context | {"refused_notices": refused}


class PaymentView(LocalTimesView):
    """A payment's page."""

    def get_pay_type_display_value(self) -> str:
        """Return the name of its pay type."""
        return pay_type_name(self.object.pay_type)


class PaymentViewSet(ReadOnlyViewSet):
    """Every payment."""

    model = Payment
    icon = "tick-inverse"
    index_view_class = PaymentIndexView
    index_template_name = "payments/admin/payments.html"
    inspect_view_class = PaymentView
    list_display = (
        "reference",
        "order",
        "recharge",
        Column("pay_type_name", label=_("Pay type"), sort_key="pay_type"),
        "provider",
        "amount",
        "state",
        "created_at",
    )
    list_filter = ("state", "provider", "created_at")
    search_fields = ("reference", "order__order_no")
    search_backend_name = None
    inspect_view_fields = (
        "reference",
        "order",
        "recharge",
        "pay_type",
        "provider",
        "amount",
        "currency",
        "received_amount",
        "received_currency",
        "refunded",
        "state",
        "is_held",
        "staff",
        "note",
        "provider_ref",
        "created_at",
        "settled_at",
        "overdue_at",
        "disputed_at",
        "next_query_at",
        "queries",
        "queried_at",
    )


class RefundIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Refund]:
        """Return every refund with its payment."""
        return Refund.objects.select_related("payment")


class RefundView(LocalTimesView):
    """A refund's page, with what other apps put below its facts."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the parts of other apps."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"parts": [part(self.request, self.object) for part in hooks.get_hooks(REFUND_PAGE)]}


class RefundViewSet(ReadOnlyViewSet):
    """Money that goes back."""

    model = Refund
    icon = "rotate"
    index_view_class = RefundIndexView
    inspect_view_class = RefundView
    inspect_template_name = "payments/admin/refund.html"
    list_display = ("payment", "amount", "currency", "reason", "to", "state", "created_at")
    list_filter = ("state", "reason", "to", "created_at")
    inspect_view_fields = (
        "payment",
        "reference",
        "amount",
        "currency",
        "reason",
        "to",
        "state",
        "detail",
        "staff",
        "note",
        "provider_ref",
        "created_at",
        "sent_at",
        "settled_at",
        "next_query_at",
        "queries",
    )


class RechargeIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Recharge]:
        """Return every top-up with its customer."""
        return Recharge.objects.select_related("customer")


class RechargeViewSet(ReadOnlyViewSet):
    """The top-ups that customers have begun."""

    model = Recharge
    icon = "download"
    index_view_class = RechargeIndexView
    list_display = ("number", "customer", "amount", "created_at")
    list_filter = ("created_at",)
    search_fields = ("number", "customer__account")
    search_backend_name = None
    inspect_view_fields = ("number", "customer", "amount", "source", "created_at")


class CertificateView(LocalTimesView):
    """A certificate's page, with the picture and the buttons that review it."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the picture, the order and what a reviewer needs."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | review_facts(self.request.user, self.object)


class CertificateIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Certificate]:
        """Return every certificate with its customer and its order."""
        return Certificate.objects.select_related("customer", "order")


class CertificateViewSet(ReadOnlyViewSet):
    """The pictures that customers have sent to prove a payment."""

    model = Certificate
    icon = "image"
    index_view_class = CertificateIndexView
    inspect_view_class = CertificateView
    inspect_template_name = "payments/admin/certificate.html"
    list_display = ("customer", "order", "state", "created_at")
    list_filter = ("state", "created_at")
    search_fields = ("customer__account", "order__order_no")
    search_backend_name = None
    inspect_view_fields = (
        "customer",
        "created_at",
        "state",
        "reason",
        "reason_text",
        "amount",
        "payment",
        "note",
        "first_approver",
        "first_amount",
        "reviewed_by",
        "reviewed_at",
    )


class PayTypePolicy(ModelPermissionPolicy):
    """Lets staff change pay types, never add or delete them: the code names them."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Return whether a user may view or change pay types."""
        return action in {"view", "change"} and super().user_has_permission(user, action)


class PayTypeViewSet(ModelViewSet):
    """The ways to pay: their names, order and restrictions, and which are on."""

    model = PayType
    icon = "cogs"
    copy_view_enabled = False
    permission_policy = PayTypePolicy(PayType)
    list_display = (
        "__str__",
        "code",
        BooleanColumn("enabled", label=capfirst(_("on")), sort_key="enabled"),
        Column("why_not_offered", label=_("Not offered because"), accessor=why_not_offered),
        "sort",
    )
    edit_view_class = ProtectedEditView
    edit_handler = PAY_TYPE_PANELS


class PaymentViewSetGroup(ViewSetGroup):
    """The menu entry."""

    menu_label = _("Payments")
    menu_icon = "tick-inverse"
    menu_order = 160
    items: Any = (
        PaymentViewSet("payments"),
        RefundViewSet("refunds"),
        RechargeViewSet("recharges"),
        CertificateViewSet("payment_certificates"),
        PayTypeViewSet("pay_types"),
    )


hooks.register(ORDER_PAGE, order_views.order_part)
hooks.register(PAY_TYPE_NAMES, names_by_code)


@hooks.register("register_admin_urls")
def order_urls() -> list[URLPattern]:
    """Add what the form on an order's page posts to."""
    return [path("orders/<int:pk>/payment/", order_views.record, name="order_record")]


for card in (transfers_to_review, refunds_due, missing_top_ups, overdue_payments):
    hooks.register(PENDING_WORK, card)


@hooks.register("register_admin_urls")
def certificate_urls() -> list[URLPattern]:
    """Add what the buttons on a certificate's page post to."""
    return [
        path("certificates/<int:pk>/approve/", approve, name="certificate_approve"),
        path("certificates/<int:pk>/reject/", reject, name="certificate_reject"),
    ]


@hooks.register("register_permissions")
def payment_permissions() -> QuerySet[Permission]:
    """Offer the rights to record payments and to review transfers to groups."""
    return Permission.objects.filter(
        content_type__app_label="payments", codename__in=["record_payment", "review_certificate"]
    )


@hooks.register("register_admin_viewset")
def payment_viewsets() -> PaymentViewSetGroup:
    """Put payments, refunds due, certificates and pay types into the menu."""
    return PaymentViewSetGroup()
