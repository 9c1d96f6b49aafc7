"""Providers' lists in the back office: read-only, with a form that ticks off differences."""

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

from commerce.payments.providers.names import provider_name
from commerce.statements.filters import StatementFilters
from commerce.statements.forms import TickOffForm
from commerce.statements.models import Statement, StatementDifference
from commerce.statements.pending import statement_differences
from commerce.statements.views import MAY_TICK_OFF, fetch, tick
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.menu_groups import REPORTS
from core.pending import PENDING_WORK

Reason = StatementDifference.Reason

# The advice for staff on each kind of difference.
ADVICE = {
    Reason.only_there: _(
        "The provider has moved this money, and our books do not know it. Look for it at the provider by its"
        " number: whose is it, and does it go to an order or back?"
    ),
    Reason.only_here: _(
        "Our books have this money, and the provider’s list does not. Ask the provider whether it has "
        "moved, and when."
    ),
    Reason.amount: _(
        "Both sides know it, with different amounts or currencies. See at the provider which one has really"
        " moved."
    ),
    Reason.twice: _(
        "The provider’s lists have it more than once. Check with the provider whether the customer has "
        "paid twice, and refund the second payment there."
    ),
}


class DifferenceIndexView(IndexView):
    """The list of differences, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[StatementDifference]:
        """Return every difference with its list and the member of staff who ticked it off."""
        return StatementDifference.objects.select_related("statement", "staff")


class DifferenceView(LocalTimesView):
    """A difference's page, with advice and the form that ticks it off."""

    pages: ClassVar[Mapping[str, str]] = {
        "statement": "statements",
        "payment": "payments",
        "refund": "refunds",
    }
    only_where_set = ("reference", "provider_ref", "payment", "refund", "closed_at", "staff", "note")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the advice, and the form for staff who may tick off."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        is_open = self.object.state == StatementDifference.State.open
        may_tick = is_open and self.request.user.has_perm(MAY_TICK_OFF)
        advice = ADVICE[StatementDifference.Reason(self.object.reason)] if is_open else ""
        return context | {"form": TickOffForm() if may_tick else None, "advice": advice}

    def get_field_label(self, field_name: str, field: Any) -> str:
        """Return the label of a column, or of one of the two amounts, which are not columns."""
        label: str = super().get_field_label(field_name, field)
        return str({"theirs": _("In their list"), "ours": _("In our books")}.get(field_name, label))


class DifferenceViewSet(ReadOnlyViewSet):
    """The differences between providers' lists and the books."""

    model = StatementDifference
    icon = "warning"
    menu_label = _("Differences from providers’ lists")
    menu_hook = REPORTS
    menu_order = 200
    index_view_class = DifferenceIndexView
    inspect_view_class = DifferenceView
    inspect_template_name = "statements/admin/difference.html"
    list_display = (
        "__str__",
        "statement",
        "reason",
        Column("theirs", label=_("In their list")),
        Column("ours", label=_("In our books")),
        "state",
        "staff",
        "note",
    )
    list_filter = ("state", "reason", "kind", "created_at")
    search_fields = ("reference", "provider_ref")
    search_backend_name = None
    inspect_view_fields = (
        "statement",
        "reason",
        "theirs",
        "ours",
        "kind",
        "reference",
        "provider_ref",
        "payment",
        "refund",
        "state",
        "created_at",
        "closed_at",
        "staff",
        "note",
    )


class StatementIndexView(IndexView):
    """The list of providers' lists, in a constant number of queries."""

    filterset_class = StatementFilters


class StatementView(LocalTimesView):
    """A list's page, with its differences and the button that fetches it again."""

    only_where_set = ("fetched_at", "next_try_at")

    def get_provider_display_value(self) -> str:
        """Return the name of the list's provider."""
        return provider_name(self.object.provider)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the number of lines, the differences, and whether the user may fetch the list again."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        is_there = self.object.state == Statement.State.fetched
        may_fetch = is_there and self.request.user.has_perm(MAY_TICK_OFF)
        return context | {
            "lines": self.object.lines.count(),
            "differences": self.object.differences.all(),
            "may_fetch": may_fetch,
        }


class StatementViewSet(ReadOnlyViewSet):
    """Each provider's list of each day."""

    model = Statement
    icon = "list-ul"
    menu_label = _("Providers’ lists")
    menu_hook = REPORTS
    menu_order = 210
    inspect_view_class = StatementView
    inspect_template_name = "statements/admin/statement.html"
    list_display = (
        "day",
        Column(
            "provider",
            label=capfirst(_("provider")),
            accessor=lambda row: provider_name(row.provider),
            sort_key="provider",
        ),
        "state",
        "fetched_at",
        BooleanColumn("is_compared", label=capfirst(_("compared both ways")), sort_key="is_compared"),
        "tries",
        "next_try_at",
    )
    index_view_class = StatementIndexView
    inspect_view_fields = (
        "provider",
        "day",
        "state",
        "fetched_at",
        "is_compared",
        "tries",
        "next_try_at",
    )


hooks.register(PENDING_WORK, statement_differences)


@hooks.register("register_admin_urls")
def statement_urls() -> list[URLPattern]:
    """Add the URLs of the buttons."""
    return [
        path("statement-differences/<int:pk>/tick-off/", tick, name="statement_difference_tick"),
        path("statements/<int:pk>/fetch/", fetch, name="statement_fetch"),
    ]


@hooks.register("register_permissions")
def statement_permissions() -> QuerySet[Permission]:
    """Offer the permission to tick off differences in the form of a group."""
    return Permission.objects.filter(content_type__app_label="statements", codename="tick_off_difference")


@hooks.register("register_admin_viewset")
def statement_viewsets() -> tuple[ViewSet, ...]:
    """Add lists and differences to the menu."""
    return (DifferenceViewSet("statement_differences"), StatementViewSet("statements"))
