"""Makes each paid order's invoice once, and shows it to holders of its signed link.

See docs/guarantees/money.md#invoices.
"""

from django.core.files.base import File
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from commerce.invoices.invoice_texts import invoice_facts
from commerce.invoices.models import Invoice
from commerce.invoices.rendering import invoice_pdf
from commerce.invoices.stored_pdfs import StoredPdfs
from commerce.orders.models import Order
from core.due_rows import process_due_rows
from core.ids import new_secret
from core.shop import seller

_pdfs = StoredPdfs(folder="invoices", url_name="invoice", salt="invoice")


def due_invoices() -> QuerySet[Order]:
    """Return the paid orders whose invoice is still to be made, the first paid first."""
    return Order.objects.filter(invoice_due=True, paid_at__isnull=False).order_by("paid_at", "pk")


def make_invoice(order: Order) -> Invoice | None:
    """Make the invoice of a paid order, or return the one that it has.

    None for an order that is not paid or was paid before there were invoices, and while staff have not given
    the shop's ABN. The PDF contains the order's own copies and the seller of this moment. The file is written
    before its row: a fault between leaves a file without a URL. Call it outside any transaction.
    Locks: the order's row.
    """
    fresh = due_invoices().select_related("customer").filter(pk=order.pk).first()
    selling = seller() if fresh else None
    if fresh is None or selling is None:
        return Invoice.objects.filter(order=order).first()
    made_at = timezone.now().replace(microsecond=0)
    invoice = Invoice(order=fresh, number=f"INV-{fresh.order_no}", name=new_secret(), made_at=made_at)
    facts = invoice_facts(
        order=fresh, lines=list(fresh.lines.all()), number=invoice.number, seller=selling, made_at=made_at
    )
    invoice.sha256 = _pdfs.store(invoice.name, invoice_pdf(facts, made_at))
    if _store(invoice):
        return invoice
    _pdfs.delete(invoice.name)
    return Invoice.objects.get(order=order)


@transaction.atomic
def _store(invoice: Invoice) -> bool:
    """Write an invoice's row; False where another has made the order's invoice in the meantime."""
    if not due_invoices().filter(pk=invoice.order_id).update(invoice_due=False):
        return False
    invoice.save(force_insert=True)
    return True


def make_due_invoices() -> int:
    """Make the invoices that are due; returns how many. While staff have not given the ABN, none."""
    if seller() is None:
        return 0
    return process_due_rows(
        "make invoices", due_invoices(), lambda pk: make_invoice(Order.objects.get(pk=pk)) is not None
    )


def delete_files_without_row() -> int:
    """Delete the files that a fault has left without a row over a day ago; returns how many."""
    return _pdfs.delete_without_row(
        lambda names: Invoice.objects.filter(name__in=names).values_list("name", flat=True)
    )


def delete_pdf(invoice: Invoice) -> None:
    """Delete the PDF of an invoice that no law asks for any more; the row stays, without a hash."""
    _pdfs.delete(invoice.name)
    Invoice.objects.filter(pk=invoice.pk).update(sha256="")


def invoice_url(invoice: Invoice) -> str:
    """Return the path under which an invoice can be read without logging in, for thirty days."""
    return _pdfs.url(invoice.name)


def open_invoice(*, name: str, key: str) -> tuple[Invoice, File[bytes]] | None:
    """Return an invoice and its file by the name and key of `invoice_url`; None for a wrong or old key."""
    return _pdfs.open(Invoice.objects.all(), name=name, key=key)


def stored_hash(invoice: Invoice) -> str | None:
    """Return the hash of an invoice's file as it is now; None where there is none."""
    return _pdfs.hash_of(invoice.name)
