"""The form without script, and the page that ends alerts; both work without login and set no cookie."""

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


@csrf_exempt  # It acts on nothing but what is typed into it: no cookie of the reader's counts.
@require_POST
@never_cache
def ask(request: HttpRequest, goods_id: str) -> HttpResponse:
    """Take the form of a page of products; raises Http404 for products that are not there."""
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


@csrf_exempt  # The signed address is the right to it; mail programs post it without any cookie.
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Offer to end an address's alerts, and end them when asked: looking at the link alone ends nothing."""
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
