"""Payments in the back office: read-only, with forms that review transfers and edit pay types."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.ui.tables import BooleanColumn, Column
from wagtail.admin.views.generic import IndexView
from wagtail.admin.viewsets.base import ViewSet
from wagtail.admin.viewsets.model import ModelViewSet
from wagtail.permission_policies import ModelPermissionPolicy

from commerce.accounts.customer_lists import CUSTOMER_FACTS
from commerce.accounts.models import Customer
from commerce.approvals.models import Approval
from commerce.approvals.services import APPROVAL_KINDS, Handler
from commerce.ledger.statement_views import ENTRY_SOURCES
from commerce.orders.pay_types import PAY_TYPE_NAMES, pay_type_name, pay_type_name_of_row
from commerce.orders.wagtail_hooks import ORDER_ACTIONS, ORDER_PAGE
from commerce.payments import customer_views, dispute_views, order_views
from commerce.payments.filters import PaymentFilters, RefundFilters
from commerce.payments.marks import accepted_marks
from commerce.payments.models import Certificate, Dispute, Payment, PayType, Recharge, Refund
from commerce.payments.pay_types import names_by_code
from commerce.payments.paytypeform import PAY_TYPE_PANELS
from commerce.payments.pending import (
    money_to_record,
    open_disputes,
    overdue_payments,
    refunds_due,
    transfers_to_review,
)
from commerce.payments.providers.names import provider_name
from commerce.payments.providers.registry import provider_named, why_not_offered
from commerce.payments.review_views import approve, reject, review_facts
from commerce.payments.services.disputes import can_be_disputed
from commerce.payments.state_texts import explained_state, shown_state
from commerce.refused_notices.services import FEW, refused_lately
from core.backoffice import LocalTimesView, ProtectedEditView, ReadOnlyViewSet
from core.menu_groups import SALES, SETTINGS
from core.payment_marks import PAYMENT_MARKS
from core.pending import PENDING_WORK

# The Wagtail hook of functions that take a request and a refund, and return HTML for the refund's page.
REFUND_PAGE = "refund_page"


class PaymentIndexView(IndexView):
    """The list of payments, in a constant number of queries, with recently refused notices above it."""

    filterset_class = PaymentFilters

    def get_base_queryset(self) -> QuerySet[Payment]:
        """Return every payment with its order or top-up and the name of its pay type."""
        payments = Payment.objects.select_related("order", "recharge")
        return payments.annotate(pay_type_name=pay_type_name_of_row())

    def get_context_data(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Add the refused notices of today and yesterday, if there are more than a few."""
        context: dict[str, Any] = super().get_context_data(*args, **kwargs)
        refused = [each for each in refused_lately(more_than=FEW) if provider_named(each.provider)]
        return context | {"refused_notices": refused}


class PaymentView(LocalTimesView):
    """A payment's page, with links to its order or top-up and its customer."""

    pages: ClassVar[Mapping[str, str]] = {"customer": "customers", "order": "orders", "recharge": "recharges"}
    only_where_set = (
        "order",
        "recharge",
        "received_amount",
        "refunded",
        "is_held",
        "staff",
        "note",
        "provider_ref",
        "settled_at",
        "overdue_at",
        "disputed_at",
        "next_query_at",
        "queries",
        "queried_at",
    )

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add its disputes, and whether the user may record another one."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        may = dispute_views.may_handle(self.request.user)
        return context | {
            "disputes": self.object.disputes.all(),
            "may_dispute": may and can_be_disputed(self.object),
        }

    def get_field_label(self, field_name: str, field: Any) -> str:
        """Return the label of a column, or of the customer, which is not a column."""
        if field_name == "customer":
            return str(capfirst(Customer._meta.verbose_name))
        label: str = super().get_field_label(field_name, field)
        return label

    def get_amount_display_value(self) -> str:
        """Return the requested amount with its currency."""
        return f"{self.object.currency} {self.object.amount}"

    def get_received_amount_display_value(self) -> str:
        """Return the collected amount with its currency, if it differs."""
        return f"{self.object.received_currency} {self.object.received_amount}"

    def get_provider_display_value(self) -> str:
        """Return the provider's name."""
        return provider_name(self.object.provider)

    def get_state_display_value(self) -> str:
        """Return the state, with the reason if the payment was not used."""
        return explained_state(self.object)

    def get_pay_type_display_value(self) -> str:
        """Return the name of its pay type."""
        return pay_type_name(self.object.pay_type)


class PaymentViewSet(ReadOnlyViewSet):
    """Every payment."""

    model = Payment
    icon = "tick-inverse"
    menu_hook = SALES
    menu_order = 150
    index_view_class = PaymentIndexView
    index_template_name = "payments/admin/payments.html"
    inspect_view_class = PaymentView
    inspect_template_name = "payments/admin/payment.html"
    list_display = (
        "reference",
        "order",
        "recharge",
        Column("pay_type_name", label=_("Payment method"), sort_key="pay_type"),
        Column(
            "provider",
            label=capfirst(_("provider")),
            accessor=lambda row: provider_name(row.provider),
            sort_key="provider",
        ),
        "amount",
        Column("state", label=capfirst(_("state")), accessor=shown_state, sort_key="state"),
        "created_at",
    )
    search_fields = ("reference", "order__order_no")
    search_backend_name = None
    inspect_view_fields = (
        "reference",
        "state",
        "customer",
        "order",
        "recharge",
        "pay_type",
        "provider",
        "amount",
        "received_amount",
        "refunded",
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
    """The list of refunds, in a constant number of queries."""

    filterset_class = RefundFilters

    def get_base_queryset(self) -> QuerySet[Refund]:
        """Return every refund with its payment."""
        return Refund.objects.select_related("payment")


class RefundView(LocalTimesView):
    """A refund's page, with parts of other apps below its facts."""

    pages: ClassVar[Mapping[str, str]] = {"payment": "payments"}
    only_where_set = (
        "reference",
        "detail",
        "staff",
        "note",
        "provider_ref",
        "sent_at",
        "settled_at",
        "next_query_at",
        "queries",
    )

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the parts of other apps."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"parts": [part(self.request, self.object) for part in hooks.get_hooks(REFUND_PAGE)]}


class RefundViewSet(ReadOnlyViewSet):
    """Refunds of payments."""

    model = Refund
    icon = "redirect"
    menu_label = _("Refund payments")
    menu_hook = SALES
    menu_order = 160
    index_view_class = RefundIndexView
    inspect_view_class = RefundView
    inspect_template_name = "payments/admin/refund.html"
    list_display = ("payment", "amount", "currency", "reason", "to", "state", "created_at")
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


class DisputeIndexView(IndexView):
    """The list of disputes, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Dispute]:
        """Return every dispute with its payment."""
        return Dispute.objects.select_related("payment")


class DisputeView(LocalTimesView):
    """A dispute's page, with the buttons that close it."""

    pages: ClassVar[Mapping[str, str]] = {"payment": "payments"}
    only_where_set = ("staff", "order_status", "closed_at", "closed_by", "closing_note", "by_hand")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the form that closes it, while it is open, for permitted staff."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        is_open = self.object.state == Dispute.State.open
        may_close = is_open and dispute_views.may_handle(self.request.user)
        return context | {"closing_form": dispute_views.ClosingForm() if may_close else None}


class DisputeViewSet(ReadOnlyViewSet):
    """Disputes of payments."""

    model = Dispute
    icon = "warning"
    menu_hook = SALES
    menu_order = 165
    index_view_class = DisputeIndexView
    inspect_view_class = DisputeView
    inspect_template_name = "payments/admin/dispute.html"
    list_display = ("reference", "payment", "amount", "from_wallet", "state", "opened_at")
    list_filter = ("state", "opened_at")
    search_fields = ("reference",)
    search_backend_name = None
    inspect_view_fields = (
        "reference",
        "payment",
        "amount",
        "from_wallet",
        "note",
        "staff",
        "opened_at",
        "order_status",
        "state",
        "closed_at",
        "closed_by",
        "closing_note",
        "by_hand",
    )


class RechargeIndexView(IndexView):
    """The list of top-ups, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Recharge]:
        """Return every top-up with its customer."""
        return Recharge.objects.select_related("customer")


class RechargeView(LocalTimesView):
    """A top-up's page."""

    pages: ClassVar[Mapping[str, str]] = {"customer": "customers"}


class RechargeViewSet(ReadOnlyViewSet):
    """The top-ups of customers."""

    model = Recharge
    icon = "circle-plus"
    menu_hook = SALES
    menu_order = 170
    index_view_class = RechargeIndexView
    inspect_view_class = RechargeView
    list_display = ("number", "customer", "amount", "created_at")
    list_filter = ("created_at",)
    search_fields = ("number", "customer__account")
    search_backend_name = None
    inspect_view_fields = ("number", "customer", "amount", "source", "created_at")


class CertificateView(LocalTimesView):
    """A certificate's page, with the picture and the buttons that review it."""

    pages: ClassVar[Mapping[str, str]] = {"customer": "customers", "payment": "payments"}
    only_where_set = (
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

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the picture, the order and the data for a review."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | review_facts(self.request.user, self.object)


class CertificateIndexView(IndexView):
    """The list of certificates, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Certificate]:
        """Return every certificate with its customer and its order."""
        return Certificate.objects.select_related("customer", "order")


class CertificateViewSet(ReadOnlyViewSet):
    """The certificates that customers have uploaded."""

    model = Certificate
    icon = "image"
    menu_hook = SALES
    menu_order = 140
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
    """Lets staff change pay types, but not add or delete them, since the code refers to them."""

    def user_has_permission(self, user: Any, action: str) -> bool:
        """Return True if a user may view or change pay types."""
        return action in {"view", "change"} and super().user_has_permission(user, action)


class PayTypeViewSet(ModelViewSet):
    """The pay types: their names, order, restrictions and switches."""

    model = PayType
    icon = "card"
    menu_hook = SETTINGS
    menu_order = 10
    copy_view_enabled = False
    permission_policy = PayTypePolicy(PayType)
    list_display = (
        "__str__",
        Column("code", label=capfirst(_("code")), sort_key="code"),
        BooleanColumn("enabled", label=capfirst(_("on")), sort_key="enabled"),
        Column("why_not_offered", label=_("Not offered because"), accessor=why_not_offered),
        "sort",
    )
    edit_view_class = ProtectedEditView
    edit_handler = PAY_TYPE_PANELS


hooks.register(PAYMENT_MARKS, accepted_marks)
hooks.register(
    APPROVAL_KINDS,
    lambda: {
        Approval.Kind.receipt: Handler(order_views.MAY_RECORD, order_views.record_approved),
        Approval.Kind.dispute_over: Handler(dispute_views.MAY_HANDLE, dispute_views.close_approved),
    },
)
hooks.register(ORDER_PAGE, order_views.order_part)
hooks.register(ORDER_ACTIONS, order_views.order_actions)
hooks.register(PAY_TYPE_NAMES, names_by_code)
hooks.register(CUSTOMER_FACTS, customer_views.payments_fact)
hooks.register(ENTRY_SOURCES, customer_views.sources_of_money)


@hooks.register("register_admin_urls")
def order_urls() -> list[URLPattern]:
    """Add the URLs of the form on an order's page, and of a customer's payments."""
    payments = customer_views.CustomerPaymentsView.as_view()
    return [
        path("orders/<int:pk>/payment/", order_views.record, name="order_record"),
        path("payments/<int:pk>/dispute/", dispute_views.record, name="payment_dispute"),
        path("disputes/<int:pk>/close/", dispute_views.close, name="dispute_close"),
        path("customers/<int:pk>/payments/", payments, name="customer_payments"),
    ]


for card in (transfers_to_review, money_to_record, refunds_due, open_disputes, overdue_payments):
    hooks.register(PENDING_WORK, card)


@hooks.register("register_admin_urls")
def certificate_urls() -> list[URLPattern]:
    """Add the URLs of the buttons on a certificate's page."""
    return [
        path("certificates/<int:pk>/approve/", approve, name="certificate_approve"),
        path("certificates/<int:pk>/reject/", reject, name="certificate_reject"),
    ]


@hooks.register("register_permissions")
def payment_permissions() -> QuerySet[Permission]:
    """Offer the permissions to record payments, review transfers and handle disputes in a group's form."""
    return Permission.objects.filter(
        content_type__app_label="payments",
        codename__in=["record_payment", "review_certificate", "handle_dispute"],
    )


@hooks.register("register_admin_viewset")
def payment_viewsets() -> tuple[ViewSet, ...]:
    """Add payments, refunds, disputes, top-ups, certificates and pay types to the menu."""
    return (
        PaymentViewSet("payments"),
        RefundViewSet("refunds"),
        DisputeViewSet("disputes"),
        RechargeViewSet("recharges"),
        CertificateViewSet("payment_certificates"),
        PayTypeViewSet("pay_types"),
    )
