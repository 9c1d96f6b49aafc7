"""The audits of the books in the back office: read only."""

from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.ui.tables import Column

from config.audits.models import AuditRun
from config.audits.pending import audit_card
from core.backoffice import ReadOnlyViewSet
from core.pending import PENDING_WORK


class AuditRunViewSet(ReadOnlyViewSet):
    """Every audit of a year, and what it found."""

    model = AuditRun
    icon = "list-ul"
    menu_label = _("Audits of the books")
    menu_name = "audits"
    menu_order = 1400
    menu_hook = "register_reports_menu_item"
    add_to_admin_menu = True
    list_display = ("started_at", "ended_at", Column("outcome", label=_("Result")))
    list_filter = ("started_at", "failed")
    inspect_template_name = "audits/admin/inspect.html"
    inspect_view_fields = ("started_at", "ended_at", "count", "failed")


hooks.register(PENDING_WORK, audit_card)


@hooks.register("register_admin_viewset")
def audit_runs() -> AuditRunViewSet:
    """Put the audits among the reports."""
    return AuditRunViewSet("audit_runs")
