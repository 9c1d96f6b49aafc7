"""The contact form without script; it needs no login and sets no cookie."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from catalog.rates.current import rate_now
from commerce.enquiries import services
from core.client import client_network
from core.errors import Err, ShopError
from core.languages import reader_language

# A field that people do not see: programs fill it in.
TRAP = "website"
_LIMITS = {
    "name": services.MAX_NAME,
    "email": 254,
    "order_no": services.MAX_ORDER_NO,
    "text": services.MAX_TEXT,
}
_KINDS = {Err.too_frequent: "often", Err.shop_unavailable: "closed"}


@csrf_exempt  # It acts on its own fields only and uses no cookie.
@require_POST
@never_cache
def send(request: HttpRequest) -> HttpResponse:
    """Process the contact form, and show it again with what was typed if something is wrong."""
    # Forms refuse NUL too, since no database stores it.
    typed = {name: request.POST.get(name, "").replace("\0", "")[:limit] for name, limit in _LIMITS.items()}
    if request.POST.get(TRAP):
        # The program must not learn that it was caught.
        return _page(request, "sent", {}, set())
    try:
        services.send_enquiry(**typed, language=reader_language(), network=client_network(request))
    except ShopError as refusal:
        kind = _KINDS.get(refusal.err, "wrong")
        return _page(request, kind, typed, set(refusal.fields or ()), status=400)
    return _page(request, "sent", {}, set())


def _page(
    request: HttpRequest, kind: str, typed: dict[str, str], wrong: set[str], *, status: int = 200
) -> HttpResponse:
    context = {"kind": kind, "typed": typed, "wrong": wrong, "rate": rate_now(), "noindex": True}
    return render(request, "enquiries/page.html", context, status=status)
