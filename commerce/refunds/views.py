"""The view of a credit note."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from commerce.invoices.views import pdf_response
from commerce.refunds.services.credit_notes import open_credit_note


@never_cache
@require_GET
def credit_note(request: HttpRequest, name: str) -> HttpResponseBase:
    """Return a credit note's PDF to holders of its signed link; raises Http404 for all other requests."""
    found = open_credit_note(
        name=name, key=request.GET.get("key", ""), is_staff=request.user.is_authenticated
    )
    if found is None:
        raise Http404
    shown, file = found
    return pdf_response(file, number=shown.order_refund.number)
