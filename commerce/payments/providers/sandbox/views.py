"""The sandbox gateway's page, to which the shop redirects a customer to pay."""

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from commerce.payments.providers.sandbox.models import OPEN_FOR, SandboxCharge
from commerce.payments.providers.sandbox.tasks import send_notice
from core.enqueue import enqueue_after_commit
from core.languages import HTML_LANGUAGE, reader_language

_signer = signing.Signer(salt="sandbox-pay")
_DECIDED = {"paid": SandboxCharge.State.paid, "declined": SandboxCharge.State.declined}


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def pay(request: HttpRequest, reference: str) -> HttpResponse:
    """Show a charge and accept the decision on it; a signed field replaces a cookie."""
    if not settings.SANDBOX_GATEWAY:
        raise Http404
    charge = get_object_or_404(SandboxCharge, reference=reference)
    if request.method == "POST":
        return _decide(request, charge)
    context = {
        "charge": charge,
        "proof": _signer.signature(charge.reference),
        "html_language": HTML_LANGUAGE[reader_language()],
    }
    return render(request, "sandbox/pay.html", context)


def _decide(request: HttpRequest, charge: SandboxCharge) -> HttpResponse:
    try:
        _signer.unsign(f"{charge.reference}{_signer.sep}{request.POST.get('proof', '')}")
    except signing.BadSignature:
        return HttpResponseBadRequest()
    outcome = request.POST.get("outcome", "")
    if outcome not in {*_DECIDED, "left"}:
        return HttpResponseBadRequest()
    state = _DECIDED.get(outcome)
    open_charge = SandboxCharge.objects.filter(
        pk=charge.pk, state=SandboxCharge.State.open, created_at__gt=timezone.now() - OPEN_FOR
    )
    if state is not None and open_charge.update(state=state, decided_at=timezone.now()):
        enqueue_after_commit(send_notice, charge.pk)
    return HttpResponseRedirect(charge.return_url)
