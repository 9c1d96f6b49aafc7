"""The dashboard's card of parcels that need the attention of staff."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from commerce.shipments.models import ParcelState, Shipment
from commerce.shipments.polling import FOLLOWED_FOR
from core.pending import SHOWN, Card, Item

# The carrier cannot deliver it, or brings it back.
STUCK = (ParcelState.exception, ParcelState.coming_back, ParcelState.returned)


def stuck_parcels(user: Any) -> Card | None:
    """Return the card of parcels with a problem or on their way back, oldest first; two queries."""
    if not user.has_perm("orders.view_order"):
        return None
    recent = Shipment.objects.filter(came_back_at=None, created_at__gt=timezone.now() - FOLLOWED_FOR)
    stuck = recent.filter(state__in=STUCK)
    items = [
        Item(
            f"{shipment.parcel_no} · {shipment.get_state_display()}",
            reverse("orders:inspect", args=[shipment.order_id]),
            f"{shipment.carrier.name} {shipment.tracking_no}",
        )
        for shipment in stuck.select_related("order", "carrier").order_by("pk")[:SHOWN]
    ]
    return Card("stuck-parcels", _("Parcels with a problem"), "warning", items, stuck.count())
