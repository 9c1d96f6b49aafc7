"""Corrects the carrier and tracking number of a parcel."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from commerce.orders.models import Order
from commerce.shipments.models import FINAL_STATES, Carrier, ParcelState, Shipment
from commerce.shipments.services.ship import read_tracking_no
from commerce.shipments.services.track import ASKED_EACH, set_completion
from core.errors import Err, ShopError
from core.transactions import in_transaction


@in_transaction
def correct_parcel(*, shipment: Shipment, carrier: Carrier, tracking_no: str, staff: User) -> None:
    """Replace the wrong carrier and tracking number of a parcel, and record the former ones.

    The events so far belong to another parcel and are deleted. The tracking provider is polled again: half an
    hour later if the parcel had the number before, since it may just have been polled. If carrier and number
    are unchanged, nothing happens. Locks: the order's row, then the parcel's. Raises
    ShopError(tracking_number_error, parcel_ended).
    """
    number = read_tracking_no(tracking_no)
    order = Order.objects.select_for_update(no_key=True).get(pk=shipment.order_id)
    parcel = Shipment.objects.select_for_update(no_key=True).get(pk=shipment.pk)
    if (parcel.carrier_id, parcel.tracking_no) == (carrier.pk, number):
        return
    if parcel.came_back_at or parcel.state in FINAL_STATES:
        raise ShopError(Err.parcel_ended)
    if order.shipments.filter(carrier=carrier, tracking_no=number).exists():
        raise ShopError(Err.tracking_number_error, fields={"trackingNo": "tracking_number_error"})
    had_it_before = parcel.corrections.filter(carrier=carrier, tracking_no=number).exists()
    parcel.corrections.create(carrier_id=parcel.carrier_id, tracking_no=parcel.tracking_no, staff=staff)
    parcel.events.all().delete()
    next_check_at = timezone.now() + (ASKED_EACH if had_it_before else timedelta())
    Shipment.objects.filter(pk=parcel.pk).update(
        carrier=carrier,
        tracking_no=number,
        state=ParcelState.pending,
        next_check_at=next_check_at if carrier.provider_code else None,
        registered_at=None,
    )
    set_completion(order)
