"""Invoices in the back office, read-only."""

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from wagtail import hooks
from wagtail.admin.views.generic import IndexView

from commerce.invoices.models import Invoice
from commerce.invoices.pending import invoices_with_missing_characters, invoices_without_abn
from commerce.invoices.services import invoice_url
from core.backoffice import LocalTimesView, ReadOnlyViewSet
from core.menu_groups import SALES
from core.pending import PENDING_WORK


class InvoiceView(LocalTimesView):
    """An invoice's page, with a link to the PDF."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the URL of the PDF."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"pdf": invoice_url(self.object)}


class InvoiceIndexView(IndexView):
    """The list of invoices, in a constant number of queries."""

    def get_base_queryset(self) -> QuerySet[Invoice]:
        """Return all invoices with their orders."""
        return Invoice.objects.select_related("order")


class InvoiceViewSet(ReadOnlyViewSet):
    """All tax invoices."""

    model = Invoice
    icon = "doc-full"
    menu_label = _("Invoices")
    menu_hook = SALES
    menu_order = 180
    index_view_class = InvoiceIndexView
    inspect_view_class = InvoiceView
    inspect_template_name = "invoices/admin/inspect.html"
    list_display = ("number", "order", "made_at")
    list_filter = ("made_at",)
    search_fields = ("number",)
    search_backend_name = None
    inspect_view_fields = ("number", "order", "made_at", "missing_characters")


hooks.register(PENDING_WORK, invoices_without_abn)
hooks.register(PENDING_WORK, invoices_with_missing_characters)


@hooks.register("register_admin_viewset")
def invoice_viewset() -> InvoiceViewSet:
    """Add the invoices to the menu."""
    return InvoiceViewSet("invoices")
