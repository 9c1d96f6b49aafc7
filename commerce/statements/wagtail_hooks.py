"""Providers' lists in the back office: read only; differences are ticked off here."""

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

from commerce.statements.forms import TickOffForm
from commerce.statements.models import Statement, StatementDifference
from commerce.statements.pending import statement_differences
from commerce.statements.views import MAY_TICK_OFF, fetch, tick
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.pending import PENDING_WORK


class DifferenceIndexView(IndexView):
    """The list, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[StatementDifference]:
        """Return every difference with its list and who ticked it off."""
        return StatementDifference.objects.select_related("statement", "staff")


class DifferenceView(LocalTimesView):
    """A difference's page, with the form that ticks it off."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the form, for those who may tick off."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        is_open = self.object.state == StatementDifference.State.open
        may_tick = is_open and self.request.user.has_perm(MAY_TICK_OFF)
        return context | {"form": TickOffForm() if may_tick else None}


class DifferenceViewSet(ReadOnlyViewSet):
    """Where providers' lists and the books differ."""

    model = StatementDifference
    icon = "warning"
    menu_label = _("Differences")
    index_view_class = DifferenceIndexView
    inspect_view_class = DifferenceView
    inspect_template_name = "statements/admin/difference.html"
    list_display = (
        "__str__",
        "statement",
        "reason",
        Column("theirs", label=_("There")),
        Column("ours", label=_("Here")),
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
        "kind",
        "reference",
        "provider_ref",
        "payment",
        "refund",
        "their_amount",
        "their_currency",
        "our_amount",
        "our_currency",
        "state",
        "created_at",
        "closed_at",
        "staff",
        "note",
    )


class StatementView(LocalTimesView):
    """A list's page, with the button that fetches it again."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add how many lines it has, and whether the reader may fetch it again."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        is_there = self.object.state == Statement.State.fetched
        may_fetch = is_there and self.request.user.has_perm(MAY_TICK_OFF)
        return context | {"lines": self.object.lines.count(), "may_fetch": may_fetch}


class StatementViewSet(ReadOnlyViewSet):
    """Each provider's list of each day."""

    model = Statement
    icon = "list-ul"
    menu_label = _("Lists by day")
    inspect_view_class = StatementView
    inspect_template_name = "statements/admin/statement.html"
    list_display = (
        "day",
        "provider",
        "state",
        "fetched_at",
        BooleanColumn("is_compared", label=capfirst(_("compared both ways")), sort_key="is_compared"),
        "tries",
        "next_try_at",
    )
    list_filter = ("provider", "state", "day")
    inspect_view_fields = (
        "provider",
        "day",
        "state",
        "fetched_at",
        "is_compared",
        "tries",
        "next_try_at",
    )


class StatementViewSetGroup(ViewSetGroup):
    """The menu entry."""

    menu_label = _("Providers' lists")
    menu_icon = "list-ul"
    menu_order = 162
    items: Any = (DifferenceViewSet("statement_differences"), StatementViewSet("statements"))


hooks.register(PENDING_WORK, statement_differences)


@hooks.register("register_admin_urls")
def statement_urls() -> list[URLPattern]:
    """Add what the buttons post to."""
    return [
        path("statement-differences/<int:pk>/tick-off/", tick, name="statement_difference_tick"),
        path("statements/<int:pk>/fetch/", fetch, name="statement_fetch"),
    ]


@hooks.register("register_permissions")
def statement_permissions() -> QuerySet[Permission]:
    """Offer the right to tick off differences to groups."""
    return Permission.objects.filter(content_type__app_label="statements", codename="tick_off_difference")


@hooks.register("register_admin_viewset")
def statement_viewsets() -> StatementViewSetGroup:
    """Put lists and differences into the menu."""
    return StatementViewSetGroup()
