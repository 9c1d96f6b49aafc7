"""The webhook of tracking providers."""

import logging

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from commerce.refused_notices.services import BadNoticeError, count_refused
from commerce.shipments.models import Shipment
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
        taken = provider.parse_webhook(request.body)
    except BadNoticeError as error:
        log.info("refused a notice of %s: %s", provider_name, error)
        count_refused(provider=provider_name, reason=error.reason)
        return JsonResponse({"result": False, "returnCode": "400", "message": error.reason}, status=400)
    _record(taken)
    return JsonResponse({"result": True, "returnCode": "200", "message": "ok"})


def _record(notice: Notice) -> int:
    """Record the new events of a notice for its parcels under way; return how many are new.

    A repeated notice changes nothing, and neither does a notice about an unknown parcel.
    """
    carrier_code, tracking_no = notice.parcel
    named = Shipment.objects.filter(carrier__provider_code=carrier_code, tracking_no=tracking_no)
    return sum(record_events(shipment=each, events=notice.events) for each in under_way(named))
