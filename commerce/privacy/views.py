"""The account's privacy page, and the page that withdraws consent without login."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from catalog.browse.shell import shell
from catalog.rates.current import rate_now
from commerce.accounts.models import Customer
from commerce.messaging.recipients import masked
from commerce.privacy import services
from commerce.privacy.links import customer_of_token
from core.errors import ShopError
from core.pages.public import read_only


@read_only
def privacy(request: HttpRequest) -> HttpResponse:
    """Show the page of consent, data copy and account deletion."""
    return shell(request, "privacy/privacy.html", page="privacy", heading=_("Privacy"))


@csrf_exempt  # The signed URL is the permission; mail programs post to it without cookies.
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Offer to withdraw consent, and withdraw it on POST; opening the link alone changes nothing.

    A deleted account has no consent any more. Raises Http404 for a token that the shop did not sign.
    """
    customer_id = customer_of_token(token)
    if customer_id is None:
        raise Http404
    customer = Customer.objects.filter(pk=customer_id).first()
    if customer is None or customer.is_deleted:
        return _page(request, is_ended=True, account="")
    if request.method == "POST":
        try:
            services.unsubscribe(customer)
        except ShopError:
            # The account was deleted during this request.
            return _page(request, is_ended=True, account="")
    return _page(request, is_ended=not services.has_consented(customer), account=masked(customer.account))


def _page(request: HttpRequest, *, is_ended: bool, account: str) -> HttpResponse:
    page = {"is_ended": is_ended, "account": account, "rate": rate_now(), "noindex": True}
    return render(request, "privacy/unsubscribe.html", page)
