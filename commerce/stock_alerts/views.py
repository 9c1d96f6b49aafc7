"""The alert form without script, and the unsubscribe page; both need no login and set no cookie."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from catalog.rates.current import rate_now
from commerce.stock_alerts import services
from core.client import client_network
from core.errors import Err, ShopError
from core.languages import localised, reader_language
from core.wire import path_id


@csrf_exempt  # It acts on its own fields only and uses no cookie.
@require_POST
@never_cache
def ask(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Process the form of a product's page; raises Http404 for products that are unknown or not on sale."""
    try:
        services.ask_for_alert(
            product_id=path_id(goods_id, Err.goods_error),
            email=request.POST.get("email", ""),
            language=reader_language(),
            network=client_network(request),
        )
    except ShopError as refusal:
        if refusal.err in (Err.goods_error, Err.goods_off_shelf):
            raise Http404 from None
        kind = "often" if refusal.err is Err.too_frequent else "wrong"
        return _page(request, kind, back=localised(f"/shop/shopdetails/{goods_id}"), status=400)
    return _page(request, "asked", back=localised(f"/shop/shopdetails/{goods_id}"))


@csrf_exempt  # The signed URL is the permission; mail programs post to it without cookies.
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Offer to end the alerts of an address, and end them on POST; opening the link changes nothing."""
    email = services.email_of_token(token)
    if email is None:
        raise Http404
    if request.method == "POST":
        services.unsubscribe(email)
        return _page(request, "ended", email=services.masked_email(email))
    return _page(request, "end", email=services.masked_email(email))


def _page(request: HttpRequest, kind: str, *, status: int = 200, **context: str) -> HttpResponse:
    page = {"kind": kind, "rate": rate_now(), "noindex": True, **context}
    return render(request, "stock_alerts/page.html", page, status=status)
