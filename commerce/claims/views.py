"""The claims pages, shells that their island fills, and the view of a picture."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from catalog.browse.shell import shell
from commerce.claims.services.pictures import open_picture
from core.pages.public import read_only


@read_only
def claims(request: HttpRequest) -> HttpResponse:
    """Show the customer's claims."""
    return shell(request, "claims/claims.html", page="claims", heading=_("My claims"), part="list", number="")


@read_only
def new_claim(request: HttpRequest, order_no: str) -> HttpResponse:
    """Show the form for a new claim about an order."""
    heading = _("Something is wrong with order %(number)s") % {"number": order_no}
    return shell(request, "claims/claims.html", page="claims", heading=heading, part="form", number=order_no)


@read_only
def claim(request: HttpRequest, claim_no: str) -> HttpResponse:
    """Show one claim with its messages."""
    heading = _("Claim %(number)s") % {"number": claim_no}
    return shell(
        request, "claims/claims.html", page="claims", heading=heading, part="thread", number=claim_no
    )


@never_cache
@require_GET
def picture(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show a claim's picture to holders of its signed link; raises Http404 for other requests."""
    file = open_picture(name=name, key=request.GET.get("key", ""), is_staff=request.user.is_authenticated)
    if file is None:
        raise Http404
    return FileResponse(file, content_type="image/jpeg", headers={"Referrer-Policy": "no-referrer"})
