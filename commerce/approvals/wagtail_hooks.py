"""Second approvals in the back office: a list, a page with two buttons, and a card."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.approvals.models import Approval
from commerce.approvals.services import approve, decline, may_decide
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.errors import ShopError, text_of
from core.menu_groups import SALES
from core.money import aud_text
from core.pending import PENDING_WORK, SHOWN, Card, Item


class ApprovalIndexView(IndexView):
    """The list of second approvals, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Approval]:
        """Return every approval with the member of staff who entered it."""
        return Approval.objects.select_related("asked_by")


class ApprovalView(LocalTimesView):
    """An approval's page, with a link to its subject and the buttons that decide it."""

    only_where_set = ("decided_by", "decided_at")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add which buttons the user sees."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        user, waits = self.request.user, self.object.state == Approval.State.waiting
        may = waits and may_decide(user, self.object)
        return context | {
            "may_approve": may and self.object.asked_by_id != user.pk,
            "may_decline": may,
        }


class ApprovalViewSet(ReadOnlyViewSet):
    """Movements of money that need a second member of staff."""

    model = Approval
    icon = "check"
    menu_hook = SALES
    menu_order = 167
    index_view_class = ApprovalIndexView
    inspect_view_class = ApprovalView
    inspect_template_name = "approvals/admin/approval.html"
    list_display = ("subject", "kind", "amount", "asked_by", "state", "asked_at")
    list_filter = ("state", "kind", "asked_at")
    search_fields = ("subject",)
    search_backend_name = None
    inspect_view_fields = (
        "kind",
        "subject",
        "amount",
        "note",
        "asked_by",
        "asked_at",
        "state",
        "decided_by",
        "decided_at",
    )


def waiting_approvals(user: Any) -> Card | None:
    """Return the card of what waits for a second person, oldest first; two queries."""
    if not user.has_perm("approvals.view_approval"):
        return None
    waiting = Approval.objects.filter(state=Approval.State.waiting).exclude(asked_by=user)
    items = [
        Item(
            f"{approval} · {aud_text(approval.amount)}",
            reverse("approvals:inspect", args=[approval.pk]),
            f"{approval.asked_by}: {approval.note}",
        )
        for approval in waiting.select_related("asked_by").order_by("pk")[:SHOWN]
    ]
    return Card(
        "approvals",
        _("Waiting for a second person"),
        "check",
        items,
        waiting.count(),
        f"{reverse('approvals:index')}?state={Approval.State.waiting}",
        _("All that waits for a second person"),
    )


def _deciding(decide: Callable[..., None], done: Any) -> Callable[[HttpRequest, int], HttpResponse]:
    """Return the view of a button that decides an approval; it raises PermissionDenied."""

    @require_POST
    def view(request: HttpRequest, pk: int) -> HttpResponse:
        approval = get_object_or_404(Approval.objects.select_related("asked_by"), pk=pk)
        if not isinstance(request.user, User) or not may_decide(request.user, approval):
            raise PermissionDenied
        try:
            decide(approval=approval, staff=request.user)
            messages.success(request, str(done))
        except ShopError as error:
            messages.error(request, text_of(error))
        return redirect("approvals:inspect", pk)

    return view


hooks.register(PENDING_WORK, waiting_approvals)


@hooks.register("register_admin_urls")
def approval_urls() -> list[URLPattern]:
    """Add the URLs of the buttons."""
    approved = gettext_lazy("Approved. It was carried out.")
    declined = gettext_lazy("Declined. Nothing was carried out.")
    return [
        path("approvals/<int:pk>/approve/", _deciding(approve, approved), name="approval_approve"),
        path("approvals/<int:pk>/decline/", _deciding(decline, declined), name="approval_decline"),
    ]


@hooks.register("register_admin_viewset")
def approval_viewset() -> ApprovalViewSet:
    """Add the second approvals to the menu."""
    return ApprovalViewSet("approvals")
