"""What shows an invoice."""

from django.core.files.base import File
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from commerce.invoices.services import open_invoice
from commerce.invoices.stored_pdfs import file_name

# Chromium shows a PDF by an object with inline styles, which the policy of pages forbids.
POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"


@never_cache
@require_GET
def invoice(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show an invoice's PDF to holders of its signed link; raises Http404 for everyone else."""
    found = open_invoice(name=name, key=request.GET.get("key", ""))
    if found is None:
        raise Http404
    shown, file = found
    return pdf_response(file, number=shown.number)


def pdf_response(file: File[bytes], *, number: str) -> FileResponse:
    """Answer with a private PDF, which is saved under its number."""
    return FileResponse(
        file,
        content_type="application/pdf",
        filename=file_name(number),
        headers={"Referrer-Policy": "no-referrer", "Content-Security-Policy": POLICY},
    )
