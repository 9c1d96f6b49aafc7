"""Two who make one order's invoice at the same moment, with real threads on both databases."""

from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError

from commerce.invoices import services
from commerce.invoices.audit import differences
from commerce.invoices.models import Invoice
from commerce.invoices.rendering import invoice_pdf
from commerce.invoices.services import due_invoices, make_invoice
from commerce.invoices.tests.builders import pdf_of
from commerce.orders.models import Order
from commerce.orders.tests.builders import Buyer, make_paid
from core.tests.threads import concurrently

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 6


def make_concurrently(monkeypatch: pytest.MonkeyPatch, order: Order) -> list[Any]:
    """Make an order's invoice in threads none of which writes before each has its PDF."""
    all_there = Barrier(MANY, timeout=60)

    def pdf_then_wait(*args: Any) -> bytes:
        pdf = invoice_pdf(*args)
        all_there.wait()
        return pdf

    monkeypatch.setattr(services, "invoice_pdf", pdf_then_wait)
    return concurrently(lambda _: make_invoice(order), range(MANY))


def test_many_at_the_same_time_make_one_invoice_and_one_file(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    order = make_paid(Buyer())
    found = make_concurrently(monkeypatch, order)
    invoice = Invoice.objects.get()
    assert found == [invoice] * MANY
    assert [file.stem for file in folder.iterdir()] == [invoice.name]
    assert pdf_of(invoice)
    assert not due_invoices().exists()
    assert list(differences()) == []


def test_control_without_the_claim_the_second_fails(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def store(invoice: Invoice) -> bool:
        invoice.save(force_insert=True)
        return True

    monkeypatch.setattr(services, "_store", store)
    with pytest.raises(IntegrityError):
        make_concurrently(monkeypatch, make_paid(Buyer()))
    assert Invoice.objects.count() == 1
    assert len(list(folder.iterdir())) > 1
