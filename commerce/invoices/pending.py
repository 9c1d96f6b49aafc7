"""The dashboard card of invoices that wait for staff."""

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from commerce.invoices.services import due_invoices
from core.pending import SHOWN, Card, Item
from core.shop import seller


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
