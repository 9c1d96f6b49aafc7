"""The dashboard cards of invoices that staff should see."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from commerce.invoices.models import Invoice
from commerce.invoices.services import due_invoices
from core.pending import SHOWN, Card, Item
from core.shop import seller

# How long the dashboard shows an invoice with characters that were not printed.
SHOWN_FOR = timedelta(days=14)


def invoices_without_abn(user: Any) -> Card | None:
    """Return the paid orders whose invoice needs the shop's ABN, earliest payment first; three queries."""
    app, model = settings.SHOP_SETTINGS_MODEL.lower().split(".")
    if not user.has_perm(f"{app}.change_{model}") or seller() is not None:
        return None
    due = due_invoices()
    return Card(
        "invoices-without-abn",
        _("Invoices waiting for the shop’s ABN"),
        "doc-full",
        [Item(order.order_no, reverse("orders:inspect", args=[order.pk])) for order in due[:SHOWN]],
        due.count(),
        reverse("wagtailsettings:edit", args=[app, model]),
        _("Enter the ABN"),
    )


def invoices_with_missing_characters(user: Any) -> Card | None:
    """Return the invoices of the last SHOWN_FOR with characters that no font has, newest first; two queries.

    The customer may need another document, for example with the name in Latin letters.
    """
    if not user.has_perm("invoices.view_invoice"):
        return None
    recent = Invoice.objects.filter(made_at__gt=timezone.now() - SHOWN_FOR).exclude(missing_characters="")
    return Card(
        "invoices-with-missing-characters",
        _("Invoices with characters that could not be printed"),
        "doc-full",
        [
            Item(invoice.number, reverse("invoices:inspect", args=[invoice.pk]), invoice.missing_characters)
            for invoice in recent.order_by("-made_at")[:SHOWN]
        ],
        recent.count(),
        reverse("invoices:index"),
        _("All invoices"),
    )
