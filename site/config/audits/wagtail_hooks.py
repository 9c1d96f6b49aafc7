"""The audits of the books in the back office: read-only."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.ui.tables import Column

from config.audits.meanings import found_of, pages_of, place_of, subject_of
from config.audits.models import AuditRun
from config.audits.pending import audit_card
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.menu_groups import REPORTS
from core.pending import PENDING_WORK


class AuditRunView(LocalTimesView):
    """A run's page, with the subject and place of each difference."""

    only_where_set = ("ended_at", "failed")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the subject and the page of each stored difference."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        pages = pages_of(each["row"] for each in self.object.first)
        differences = [
            each
            | {
                "subject": subject_of(each["rule"]),
                "place": place_of(each["row"]),
                "found": found_of(each),
                "page": pages.get(each["row"], ""),
            }
            for each in self.object.first
        ]
        return context | {"differences": differences}


class AuditRunViewSet(ReadOnlyViewSet):
    """The audits of the last year, with their results."""

    model = AuditRun
    icon = "clipboard-list"
    menu_label = _("Audits of the books")
    menu_name = "audits"
    menu_hook = REPORTS
    menu_order = 220
    list_display = ("started_at", "ended_at", Column("outcome", label=_("Result")))
    list_filter = ("started_at", "failed")
    inspect_view_class = AuditRunView
    inspect_template_name = "audits/admin/inspect.html"
    inspect_view_fields = ("started_at", "ended_at", "count", "failed")


hooks.register(PENDING_WORK, audit_card)


@hooks.register("register_admin_viewset")
def audit_runs() -> AuditRunViewSet:
    """Add the audits to the reports."""
    return AuditRunViewSet("audit_runs")
