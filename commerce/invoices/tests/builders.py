"""Builders of invoices for tests."""

from io import BytesIO
from typing import Any

from django.apps import apps
from django.conf import settings
from pypdf import PdfReader

from commerce.invoices.models import Invoice
from commerce.invoices.services import invoice_url, make_invoice, open_invoice
from commerce.orders.models import Order


def make_seller(**kw: Any) -> Any:
    """Set the shop's settings, an ABN among them; returns them."""
    fields = {
        "name_en": "Eastbowl",
        "name_zh": "东碗",
        "legal_name": "Eastbowl Pty Ltd",
        "abn": "51 824 753 556",
    }
    model = apps.get_model(settings.SHOP_SETTINGS_MODEL)
    return model._default_manager.update_or_create(defaults=fields | kw)[0]


def made(order: Order) -> Invoice:
    """Make the invoice of a paid order."""
    invoice = make_invoice(order)
    assert invoice
    return invoice


def pdf_of(invoice: Invoice) -> bytes:
    """Read an invoice as its link shows it."""
    name, _, key = invoice_url(invoice).removeprefix("/invoices/").partition("?key=")
    found = open_invoice(name=name, key=key)
    assert found
    with found[1] as file:
        return bytes(file.read())


def pages_of(pdf: bytes) -> list[str]:
    """Return the text of each page of a PDF."""
    return [page.extract_text() for page in PdfReader(BytesIO(pdf)).pages]
