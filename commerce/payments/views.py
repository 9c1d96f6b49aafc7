"""What comes back from providers: notices and customers. Both are hints; the provider itself is asked."""

import logging

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from commerce.payments import certificates, services
from commerce.payments.models import Payment
from commerce.payments.providers.base import BadNoticeError, UnavailableError
from commerce.payments.providers.registry import provider_named
from core.languages import in_language

log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def notice(request: HttpRequest, provider_name: str) -> HttpResponse:
    """Take a provider's notice; 400 for a forged one, 503 when it should be sent again."""
    provider = provider_named(provider_name)
    if provider is None:
        raise Http404
    try:
        services.take_notice(provider=provider, notice=provider.read_notice(request))
    except BadNoticeError as error:
        log.warning("refused a notice of %s: %s", provider_name, error)
        return JsonResponse({"return_code": "FAIL"}, status=400)
    except UnavailableError:
        return JsonResponse({"return_code": "FAIL"}, status=503, headers={"Retry-After": "5"})
    return JsonResponse({"return_code": "SUCCESS"})


@never_cache
@require_GET
def back(request: HttpRequest, reference: str) -> HttpResponse:
    """Send a customer who comes back from a provider on to the result, in the language they left in."""
    payment = get_object_or_404(Payment.objects.select_related("order"), reference=reference)
    if payment.state == Payment.State.pending:
        try:
            services.refresh(payment)
        except UnavailableError:
            log.info("payment %s: the provider could not be asked", reference)
    result = f"/home/payResult/{payment.order.order_no}"
    return HttpResponseRedirect(in_language(result, payment.language))


@never_cache
@require_GET
def certificate(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a customer's certificate to who has its signed link; raises Http404 for everyone else."""
    if not certificates.is_signed(name, request.GET.get("key", "")):
        raise Http404
    try:
        file = certificates.storage().open(certificates.file_name(name))
    except FileNotFoundError as error:
        raise Http404 from error
    return FileResponse(file, content_type="image/jpeg", headers={"Referrer-Policy": "no-referrer"})
