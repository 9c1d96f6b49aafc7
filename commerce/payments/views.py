"""The wallet's page, and the URLs of notices and returning customers, which cause a poll of the provider."""

import logging

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from catalog.browse.shell import shell
from commerce.payments import services
from commerce.payments.models import Payment
from commerce.payments.providers.base import BadNoticeError, UnavailableError
from commerce.payments.providers.registry import provider_named
from commerce.payments.services.certificates import open_certificate
from commerce.refused_notices.services import count_refused
from core.languages import in_language
from core.pages.public import read_only

log = logging.getLogger(__name__)


@csrf_exempt
@require_POST
def notice(request: HttpRequest, provider_name: str) -> HttpResponse:
    """Process a provider's notice; a refused one gets 400 and is counted, 503 asks for a retry."""
    provider = provider_named(provider_name)
    if provider is None:
        raise Http404
    try:
        hint = provider.read_notice(headers=request.headers, body=request.body)
        services.handle_notice(provider=provider, notice=hint)
    except BadNoticeError as error:
        log.info("refused a notice of %s: %s", provider_name, error)
        count_refused(provider=provider_name, reason=error.reason)
        return JsonResponse({"return_code": "FAIL"}, status=400)
    except UnavailableError:
        return JsonResponse({"return_code": "FAIL"}, status=503, headers={"Retry-After": "5"})
    return JsonResponse({"return_code": "SUCCESS"})


@never_cache
@require_GET
def provider_return(request: HttpRequest, reference: str) -> HttpResponse:
    """Redirect a customer who returns from a provider to the result page, in their language."""
    payments = Payment.objects.filter(reference=reference)
    payment = get_object_or_404(payments.select_related("order", "recharge"))
    services.refresh_for_customer(payments=payments, has_returned=True)
    result = f"/home/payResult/{payment.number}"
    return HttpResponseRedirect(in_language(result, payment.language))


@read_only
def wallet(request: HttpRequest) -> HttpResponse:
    """Show the wallet's balance and entries, and the form for top-ups."""
    most = settings.MAX_RECHARGE
    return shell(request, "payments/wallet.html", page="wallet", heading=_("Wallet"), most=most)


@never_cache
@require_GET
def certificate(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a certificate's picture to holders of its signed link; raises Http404 for all other requests."""
    file = open_certificate(name=name, key=request.GET.get("key", ""), is_staff=request.user.is_authenticated)
    if file is None:
        raise Http404
    return FileResponse(file, content_type="image/jpeg", headers={"Referrer-Policy": "no-referrer"})
