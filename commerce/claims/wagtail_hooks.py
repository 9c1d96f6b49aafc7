"""Claims in the back office: a list, and a page per claim with its thread and the answer form."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.claims import order_views
from commerce.claims.claimable import claimed_since
from commerce.claims.models import Claim
from commerce.claims.pending import claims_to_answer, claims_to_refund
from commerce.orders.wagtail_hooks import ORDER_ACTIONS, ORDER_PAGE
from commerce.shipments.services import UNDO_OBSTACLES
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.menu_groups import SALES
from core.pending import PENDING_WORK

hooks.register(ORDER_PAGE, order_views.order_part)
hooks.register(ORDER_ACTIONS, order_views.order_actions)
hooks.register(UNDO_OBSTACLES, claimed_since)
for card in (claims_to_answer, claims_to_refund):
    hooks.register(PENDING_WORK, card)


@hooks.register("register_admin_urls")
def claim_urls() -> list[URLPattern]:
    """Add the URLs of the forms on a claim's page."""
    return [
        path("claims/<int:pk>/answer/", order_views.answer, name="claim_answer"),
        path("claims/<int:pk>/settle/", order_views.settle, name="claim_settle"),
    ]


@hooks.register("register_permissions")
def claim_permissions() -> QuerySet[Permission]:
    """Add the permission to answer claims to the group form."""
    return Permission.objects.filter(content_type__app_label="claims", codename="answer_claim")


class ClaimIndexView(IndexView):
    """The list of claims, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Claim]:
        """Return all claims with their orders and customers."""
        return Claim.objects.select_related("order", "customer")


class ClaimView(LocalTimesView):
    """A claim's page: the claimed units, the thread, and the answer form."""

    pages: ClassVar[Mapping[str, str]] = {"customer": "customers", "order": "orders"}
    only_where_set = ("decided_at",)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add lines, messages, pictures and forms."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | order_views.claim_facts(self.request, self.object)


class ClaimViewSet(ReadOnlyViewSet):
    """All claims of customers."""

    model = Claim
    icon = "comment"
    menu_label = _("Claims")
    menu_hook = SALES
    menu_order = 120
    index_view_class = ClaimIndexView
    inspect_view_class = ClaimView
    inspect_template_name = "claims/admin/claim.html"
    list_display = ("claim_no", "order", "customer", "state", "wish", "created_at")
    list_filter = ("state", "wish", "created_at")
    search_fields = ("claim_no", "order__order_no", "customer__account")
    search_backend_name = None
    inspect_view_fields: Any = ("claim_no", "order", "customer", "state", "wish", "created_at", "decided_at")


@hooks.register("register_admin_viewset")
def claim_viewset() -> ClaimViewSet:
    """Add the claims to the menu."""
    return ClaimViewSet("claims")
