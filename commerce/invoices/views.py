"""The view of an invoice."""

from django.core.files.base import File
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from commerce.invoices.services import open_invoice
from commerce.invoices.stored_pdfs import file_name

# Chromium shows a PDF in an object with inline styles, which the policy of other pages forbids.
POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"


@never_cache
@require_GET
def invoice(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show an invoice's PDF to holders of its signed link; raises Http404 for other requests."""
    found = open_invoice(name=name, key=request.GET.get("key", ""), is_staff=request.user.is_authenticated)
    if found is None:
        raise Http404
    shown, file = found
    return pdf_response(file, number=shown.number)


def pdf_response(file: File[bytes], *, number: str) -> FileResponse:
    """Return a response with a private PDF; its file name for downloads is its number."""
    return FileResponse(
        file,
        content_type="application/pdf",
        filename=file_name(number),
        headers={"Referrer-Policy": "no-referrer", "Content-Security-Policy": POLICY},
    )
