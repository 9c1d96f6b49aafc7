"""The webhook of tracking providers."""

import logging

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from commerce.refused_notices.services import BadNoticeError, count_refused, store_unmatched
from commerce.shipments.models import Shipment, ShipmentCorrection
from commerce.shipments.polling import under_way
from commerce.shipments.providers.base import Notice
from commerce.shipments.providers.registry import tracking_provider
from commerce.shipments.services import record_events

log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def notice(request: HttpRequest, provider_name: str) -> HttpResponse:
    """Process a tracking provider's notice; a forged or unreadable one gets 400 and is counted."""
    provider = tracking_provider()
    if provider is None or provider.name != provider_name:
        raise Http404
    try:
        _record(provider.name, provider.parse_webhook(request.body))
    except BadNoticeError as error:
        log.info("refused a notice of %s: %s", provider_name, error)
        count_refused(provider=provider_name, reason=error.reason)
        return JsonResponse({"result": False, "returnCode": "400", "message": error.reason}, status=400)
    return JsonResponse({"result": True, "returnCode": "200", "message": "ok"})


def _record(provider_name: str, notice: Notice) -> None:
    """Record the new events of a notice for its parcels under way; a repeat changes nothing.

    A notice about a parcel that the shop never had is stored for staff. Raises BadNoticeError for too many.
    """
    codes, number = [notice.parcel.carrier_code, *notice.other_codes], notice.parcel.tracking_no
    named = Shipment.objects.filter(carrier__provider_code__in=codes, tracking_no=number)
    for each in under_way(named):
        record_events(shipment=each, events=notice.events)
    corrected = ShipmentCorrection.objects.filter(carrier__provider_code__in=codes, tracking_no=number)
    if not named.exists() and not corrected.exists():
        newest = notice.events[-1].text_zh if notice.events else ""
        store_unmatched(
            provider=provider_name,
            event_id=f"{codes[0]}-{number}",
            kind="",
            named=[number, *codes],
            content={"state": notice.state, "newest": newest},
        )
