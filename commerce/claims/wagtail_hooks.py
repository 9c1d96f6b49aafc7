"""Claims in the back office: a list, a page for each with its thread and the answer; services change them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib.auth.models import Permission
from django.db.models import QuerySet
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.claims import order_views
from commerce.claims.models import Claim
from commerce.claims.pending import claims_to_answer, claims_to_refund
from commerce.orders.wagtail_hooks import ORDER_ACTIONS, ORDER_PAGE
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.menu_groups import SALES
from core.pending import PENDING_WORK

hooks.register(ORDER_PAGE, order_views.order_part)
hooks.register(ORDER_ACTIONS, order_views.order_actions)
for card in (claims_to_answer, claims_to_refund):
    hooks.register(PENDING_WORK, card)


@hooks.register("register_admin_urls")
def claim_urls() -> list[URLPattern]:
    """Add what the forms on a claim's page post to."""
    return [
        path("claims/<int:pk>/answer/", order_views.answer, name="claim_answer"),
        path("claims/<int:pk>/settle/", order_views.settle, name="claim_settle"),
    ]


@hooks.register("register_permissions")
def claim_permissions() -> QuerySet[Permission]:
    """Offer the right to answer claims to groups."""
    return Permission.objects.filter(content_type__app_label="claims", codename="answer_claim")


class ClaimIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Claim]:
        """Return every claim with its order and customer."""
        return Claim.objects.select_related("order", "customer")


class ClaimView(LocalTimesView):
    """A claim's page: what is claimed, the thread, and the form that answers."""

    pages: ClassVar[Mapping[str, str]] = {"customer": "customers", "order": "orders"}
    only_where_set = ("decided_at",)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add lines, messages, pictures and the form."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | order_views.claim_facts(self.request, self.object)


class ClaimViewSet(ReadOnlyViewSet):
    """What customers claim."""

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
    """Put the claims into the menu."""
    return ClaimViewSet("claims")
